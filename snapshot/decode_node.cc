#include "snapshot/decode_walk.h"

namespace basalt::decode {
namespace {

void ReadTaint(Walk& w, objects::Taint* taint) {
  const size_t object = w.Token();
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kKey: taint->key = w.String(); break;
      case Key::kValue: taint->value = w.String(); break;
      case Key::kEffect: taint->effect = ReadEffect(w); break;
      default: w.Skip();
    }
  if (taint->effect == objects::TaintEffect::kNone) w.Fail(object, "unknown effect \"\"", "effect");
}

void ReadImage(Walk& w, objects::Image* image) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kNames: image->names = w.Strings(); break;
      case Key::kSizeBytes: image->size_bytes = w.Integer(INT64_MIN, INT64_MAX); break;
      default: w.Skip();
    }
}

}  // namespace

void ReadNodeSpec(Walk& w, objects::Node* node) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kUnschedulable: node->unschedulable = w.Bool(); break;
      case Key::kTaints: node->taints = w.List(w.taints, [&](objects::Taint* t) { ReadTaint(w, t); }); break;
      default: w.Skip();
    }
}

void ReadNodeStatus(Walk& w, objects::Node* node) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kAllocatable: node->allocatable = ReadResourceList(w, "allocatable"); break;
      case Key::kCapacity: node->capacity = ReadResourceList(w, "capacity"); break;
      case Key::kImages: node->images = w.List(w.images, [&](objects::Image* i) { ReadImage(w, i); }); break;
      default: w.Skip();
    }
}

}  // namespace basalt::decode
