#include "snapshot/text/yaml_events.h"

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>

#include <c4/error.hpp>
#include <c4/yml/common.hpp>
#include <c4/yml/extra/event_handler_ints.hpp>
#include <c4/yml/parse_engine.hpp>
#include <c4/yml/tag.hpp>

// rapidyaml's assertions stay on in every build: on hostile texts they are what keeps it inside its buffers. Two of them compare the rest of
// the line at every scalar, which makes long lines quadratic and protects nothing; those are left out of the templates instantiated here.
namespace basalt {
constexpr bool ComparesTheLine(std::string_view condition) { return condition.starts_with("s.begins_with(m_evt_handler->m_curr->line_contents"); }
}  // namespace basalt
#undef _RYML_ASSERT_PARSE_
#define _RYML_ASSERT_PARSE_(callbacks, condition, place)         \
  do {                                                           \
    if constexpr (!basalt::ComparesTheLine(#condition)) {        \
      _RYML_CHECK_PARSE_((callbacks), (condition), (place));     \
    }                                                            \
  } while (false)
#include <c4/yml/parse_engine.def.hpp>

namespace basalt {
namespace {

namespace ievt = c4::yml::extra::ievt;

/// Where an error leads. rapidyaml's callbacks must not return, and exceptions cannot pass its functions, many of which are noexcept and
/// check all the same; so they jump, the other way that it documents. Nothing between here and there owns anything.
struct Refusal {
  std::jmp_buf back;
  char message[256] = {};
  size_t line = 0;  ///< 0: unknown
};
thread_local Refusal* current_refusal = nullptr;  // some checks know global callbacks only

[[noreturn]] void Refuse(c4::csubstr message, size_t line) {
  Refusal* refusal = current_refusal;
  if (refusal == nullptr) std::abort();  // never outside of a parse
  const size_t size = std::min(message.len, sizeof refusal->message - 1);
  std::memcpy(refusal->message, message.str, size);
  refusal->message[size] = '\0';
  refusal->line = line == c4::yml::npos ? 0 : line;
  std::longjmp(refusal->back, 1);
}

c4::yml::Callbacks JumpingCallbacks() {
  c4::yml::Callbacks callbacks;
  callbacks.set_error_basic([](c4::csubstr message, const c4::yml::ErrorDataBasic&, void*) { Refuse(message, 0); });
  callbacks.set_error_parse([](c4::csubstr message, const c4::yml::ErrorDataParse& where, void*) { Refuse(message, where.ymlloc.line); });
  callbacks.set_error_visit([](c4::csubstr message, const c4::yml::ErrorDataVisit&, void*) { Refuse(message, 0); });
  return callbacks;
}

bool SetGlobalCallbacks() {
  c4::yml::set_callbacks(JumpingCallbacks());
  c4::set_error_flags(c4::ON_ERROR_CALLBACK);
  c4::set_error_callback([](const char* message, size_t size) { Refuse({message, size}, 0); });
  return true;
}

/// rapidyaml's estimate, in pieces because it counts in 32 bits; what is never written to costs no memory.
size_t EstimateWords(std::string_view source) {
  constexpr size_t kPiece = size_t{64} << 20;
  size_t words = 16;
  for (size_t at = 0; at <= source.size(); at += kPiece) {
    const std::string_view piece = source.substr(at, kPiece);
    words += size_t(c4::yml::extra::estimate_events_ints_size({piece.data(), piece.size()}));
  }
  return words;
}

/// Events as rapidyaml's own handler writes them, and a bound on depth. The engine calls these by static type, so hiding is enough.
struct Handler : c4::yml::extra::EventHandlerInts {
  using Base = c4::yml::extra::EventHandlerInts;
  using Base::Base;
  void Deeper() {
    static_assert(kMaxYamlDepth == 1000, "the message says so");
    if (m_stack.size() > kMaxYamlDepth) Refuse("nested deeper than 1000 levels", m_curr->pos.line);
  }
  void begin_map_key_flow() { Deeper(), Base::begin_map_key_flow(); }
  void begin_map_key_block() { Deeper(), Base::begin_map_key_block(); }
  void begin_map_val_flow() { Deeper(), Base::begin_map_val_flow(); }
  void begin_map_val_block() { Deeper(), Base::begin_map_val_block(); }
  void begin_seq_key_flow() { Deeper(), Base::begin_seq_key_flow(); }
  void begin_seq_key_block() { Deeper(), Base::begin_seq_key_block(); }
  void begin_seq_val_flow() { Deeper(), Base::begin_seq_val_flow(); }
  void begin_seq_val_block() { Deeper(), Base::begin_seq_val_block(); }
  void actually_val_is_first_key_of_new_map_flow() { Deeper(), Base::actually_val_is_first_key_of_new_map_flow(); }
  void actually_val_is_first_key_of_new_map_block() { Deeper(), Base::actually_val_is_first_key_of_new_map_block(); }
};

}  // namespace
}  // namespace basalt

namespace c4::yml {
template class ParseEngine<basalt::Handler>;
}

namespace basalt {

struct YamlEvents::Parser {
  Handler handler{JumpingCallbacks()};
  c4::yml::ParseEngine<Handler> engine{&handler};
};

namespace {

/// Runs the parser; false where it refused. A frame of its own: what a jump leaves behind it must not matter.
[[gnu::noinline]] bool Run(c4::yml::ParseEngine<Handler>* engine, c4::substr text, Refusal* refusal) {
  current_refusal = refusal;
  const bool ok = setjmp(refusal->back) == 0;
  if (ok) engine->parse_in_place_ev("", text);
  current_refusal = nullptr;
  return ok;
}

}  // namespace

YamlEvents::YamlEvents() = default;
YamlEvents::~YamlEvents() = default;

bool YamlEvents::Parse(std::string_view source, YamlError* error) {
  static const bool set = SetGlobalCallbacks();
  (void)set;
  size_ = 0;
  if (source.size() > kMaxYamlDocumentBytes) {
    *error = {1, "a YAML document of more than 512 MiB; write JSON or several documents instead"};
    return false;
  }
  if (!parser_) parser_ = std::make_unique<Parser>();
  size_t words = EstimateWords(source);
  // The estimate is documented to be too high; where it is not, the parser says what it needs and starts again on a fresh copy.
  for (int attempt = 0; attempt < 3; attempt++) {
    if (capacity_ < words) {
      words_.reset();
      words_ = std::make_unique_for_overwrite<int32_t[]>(words);
      capacity_ = words;
    }
    words_[0] = 0;
    buffer_.assign(source);
    const c4::substr text(buffer_.data(), buffer_.size());
    parser_->handler.reset(text, c4::substr(arena_.data(), arena_.size()), words_.get(), int32_t(std::min<size_t>(capacity_, INT32_MAX)));
    Refusal refusal;
    if (!Run(&parser_->engine, text, &refusal)) {
      parser_.reset();  // its state is what the error left
      *error = {refusal.line, refusal.message};
      return false;
    }
    if (parser_->handler.fits_buffers()) {
      size_ = size_t(parser_->handler.required_size_events());
      return true;
    }
    words = size_t(parser_->handler.required_size_events()) + 16;
    arena_.resize(std::max(arena_.size(), parser_->handler.required_size_arena()));
  }
  *error = {0, "could not be parsed"};
  return false;
}

YamlEvents::Event YamlEvents::Next(size_t* at) const {
  if (*at >= size_) return {Type::kOther, false, {}, std::string_view::npos};
  const int32_t flags = words_[*at];
  Event event{Type::kOther, (flags & ievt::PLAI) != 0, {}, std::string_view::npos};
  if (flags & ievt::WSTR) {
    const size_t offset = size_t(words_[*at + 1]), size = size_t(words_[*at + 2]);
    const bool grown = (flags & ievt::AREN) != 0;
    event.text = std::string_view(grown ? arena_ : buffer_).substr(size == 0 ? 0 : offset, size);
    if (!grown && size != 0) event.offset = offset;
    event.type = flags & ievt::SCLR ? Type::kScalar : flags & ievt::ALIA ? Type::kAlias : flags & ievt::ANCH ? Type::kAnchor : flags & ievt::TAG_ ? Type::kTag : Type::kOther;
    *at += 3;
    return event;
  }
  *at += 1;
  const bool begin = (flags & ievt::BEG_) != 0;
  if (flags & ievt::DOC_) event.type = begin ? Type::kBeginDocument : Type::kEndDocument;
  else if (flags & ievt::MAP_) event.type = begin ? Type::kBeginMap : Type::kEndMap;
  else if (flags & ievt::SEQ_) event.type = begin ? Type::kBeginSequence : Type::kEndSequence;
  return event;
}

}  // namespace basalt
