// One YAML document as a flat array of events: the only file that knows rapidyaml is yaml_events.cc.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "snapshot/text/yaml.h"

namespace basalt {

/// How deep a YAML document may nest. Deeper ones are refused: no API object comes near, and recursion stays within the stack.
inline constexpr size_t kMaxYamlDepth = 1000;

/// Events count in 32 bits; this many bytes cannot overflow them.
inline constexpr size_t kMaxYamlDocumentBytes = size_t{512} << 20;

/// Events in order of the text. A word of flags each, followed by offset and length where the event has a text.
class YamlEvents {
 public:
  enum class Type : uint8_t { kBeginDocument, kEndDocument, kBeginMap, kEndMap, kBeginSequence, kEndSequence, kScalar, kAlias, kAnchor, kTag, kOther };
  struct Event {
    Type type;
    bool plain;             ///< scalars: neither quoted nor a block scalar
    std::string_view text;  ///< scalars, aliases, anchors and tags (with their exclamation marks)
    size_t offset;          ///< of the text in the source; npos where there is none
  };

  YamlEvents();
  ~YamlEvents();
  /// Parses `source` (at most kMaxYamlDocumentBytes); events stay valid until the next call. False: *error says why, its line counted from the source's first.
  bool Parse(std::string_view source, YamlError* error);
  /// The event at *at, which is moved on; at most once past the end, which reads as kOther.
  Event Next(size_t* at) const;
  bool AtEnd(size_t at) const { return at >= size_; }

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::string buffer_;  ///< the source, as filtered in place
  std::string arena_;   ///< texts that grew when they were filtered
  std::unique_ptr<int32_t[]> words_;
  size_t capacity_ = 0, size_ = 0;
};

}  // namespace basalt
