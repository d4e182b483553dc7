#include "snapshot/text/yaml.h"

#include <ryml.hpp>
#include <ryml_std.hpp>

#include <charconv>
#include <stdexcept>
#include <unordered_set>

namespace basalt {
namespace {

// rapidyaml's error callbacks must not return: an exception carries the error out of it and never leaves this file.
struct Refused : std::runtime_error {
  size_t line;
  Refused(size_t l, const std::string& m) : std::runtime_error(m), line(l) {}
};

void OnBasic(ryml::csubstr message, const ryml::ErrorDataBasic&, void*) { throw Refused(0, std::string(message.str, message.len)); }
void OnParse(ryml::csubstr message, const ryml::ErrorDataParse& data, void*) {
  throw Refused(data.ymlloc.line == ryml::npos ? 0 : data.ymlloc.line + 1, std::string(message.str, message.len));
}
void OnVisit(ryml::csubstr message, const ryml::ErrorDataVisit&, void*) { throw Refused(0, std::string(message.str, message.len)); }

constexpr int kMaxDepth = 512;  // far beyond any API object; keeps hostile nesting off the stack

struct Emitter {
  const ryml::Tree& tree;
  std::string_view text;
  std::string out;
  size_t limit;

  size_t LineOf(ryml::csubstr s) const {
    if (s.str < text.data() || s.str > text.data() + text.size()) return 0;
    size_t line = 1;
    for (const char* c = text.data(); c < s.str; c++) line += *c == '\n';
    return line;
  }
  void String(ryml::csubstr s) {
    out += '"';
    for (size_t i = 0; i < s.len; i++) {
      const char c = s.str[i];
      if (c == '"' || c == '\\') out += '\\', out += c;
      else if (static_cast<unsigned char>(c) < 0x20) {
        static constexpr char kHex[] = "0123456789abcdef";
        out += "\\u00", out += kHex[c >> 4 & 15], out += kHex[c & 15];
      } else out += c;
    }
    out += '"';
  }
  // Plain scalars as kubectl's YAML library reads them: null, YAML 1.1 booleans and numbers are themselves, the rest is text.
  void Plain(ryml::csubstr s) {
    const std::string_view v(s.str, s.len);
    if (v.empty() || v == "~" || v == "null" || v == "Null" || v == "NULL") return void(out += "null");
    for (std::string_view t : {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y"})
      if (v == t) return void(out += "true");
    for (std::string_view f : {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N"})
      if (v == f) return void(out += "false");
    if (IsJsonNumber(v)) return void(out.append(v));
    String(s);
  }
  static bool IsJsonNumber(std::string_view v) {
    size_t i = 0;
    const auto digits = [&] {
      const size_t from = i;
      while (i < v.size() && v[i] >= '0' && v[i] <= '9') i++;
      return i > from;
    };
    if (i < v.size() && v[i] == '-') i++;
    if (i + 1 < v.size() && v[i] == '0' && v[i + 1] >= '0' && v[i + 1] <= '9') return false;  // octal or text
    if (!digits()) return false;
    if (i < v.size() && v[i] == '.' && (i++, !digits())) return false;
    if (i < v.size() && (v[i] == 'e' || v[i] == 'E')) {
      i++;
      if (i < v.size() && (v[i] == '+' || v[i] == '-')) i++;
      if (!digits()) return false;
    }
    return i == v.size();
  }
  void Node(ryml::id_type n, int depth) {
    if (depth > kMaxDepth) throw Refused(0, "nested deeper than " + std::to_string(kMaxDepth));
    if (out.size() > limit) throw Refused(0, "aliases expand beyond any sensible size");
    if (tree.is_map(n)) {
      out += '{';
      std::unordered_set<std::string_view> keys;
      for (auto c = tree.first_child(n); c != ryml::NONE; c = tree.next_sibling(c)) {
        const ryml::csubstr key = tree.key(c);
        if (!keys.emplace(key.str ? std::string_view(key.str, key.len) : std::string_view()).second)
          throw Refused(LineOf(key), "duplicate key \"" + std::string(key.str, key.len) + "\"");
        if (out.back() != '{') out += ',';
        String(key);
        out += ':';
        Node(c, depth + 1);
      }
      out += '}';
    } else if (tree.is_seq(n)) {
      out += '[';
      for (auto c = tree.first_child(n); c != ryml::NONE; c = tree.next_sibling(c)) {
        if (out.back() != '[') out += ',';
        Node(c, depth + 1);
      }
      out += ']';
    } else if (tree.has_val(n)) {
      if (tree.is_val_quoted(n)) String(tree.val(n));
      else Plain(tree.val(n));
    } else {
      out += "null";
    }
  }
};

}  // namespace

bool YamlToJson(std::string_view text, const std::function<void(std::string json, size_t line)>& document, YamlError* error) {
  try {
    ryml::Callbacks callbacks;
    callbacks.set_error_basic(OnBasic), callbacks.set_error_parse(OnParse), callbacks.set_error_visit(OnVisit);
    ryml::EventHandlerTree handler(callbacks);
    ryml::Parser parser(&handler);
    ryml::Tree tree(callbacks);
    std::string copy(text);
    ryml::parse_in_place(&parser, "", ryml::substr(copy.data(), copy.size()), &tree);
    tree.resolve();
    const auto emit = [&](ryml::id_type n) {
      if (!tree.is_map(n) && !tree.is_seq(n) && !(tree.has_val(n) && tree.val(n).len)) return;  // an empty document
      Emitter e{tree, copy, {}, text.size() * 16 + (1 << 20)};
      e.Node(n, 0);
      document(std::move(e.out), 1);
    };
    const ryml::id_type root = tree.root_id();
    if (tree.is_stream(root))
      for (auto d = tree.first_child(root); d != ryml::NONE; d = tree.next_sibling(d)) emit(d);
    else
      emit(root);
    return true;
  } catch (const Refused& r) {
    error->line = r.line, error->message = r.what();
  } catch (const std::exception& e) {
    error->line = 0, error->message = e.what();
  }
  return false;
}

}  // namespace basalt
