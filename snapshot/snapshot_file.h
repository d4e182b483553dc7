// The snapshot file: a checked envelope around a list of objects, written once and mapped many times.
//
//   bytes 0..7    "BASALTSF"
//         8..11   version, little-endian as all numbers here; this is 1
//         12..15  0
//         16..23  bytes of the payload
//         24..31  XXH3 (64 bits) of the payload
//         32..39  XXH3 (64 bits) of bytes 0..31
//         40..63  0
//         64..    the payload: JSON of one List without blanks, in it every object with its kind and without managedFields
//   then 64 bytes 0, so that a mapped file can be read in place
//
// The objects stay JSON: a file of columns would be tied to one version of every rule, and decoding is not what a command waits for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt {

inline constexpr uint32_t kSnapshotVersion = 1;

/// True where the bytes start as a snapshot file does, of any version, damaged or not.
bool IsSnapshot(std::string_view bytes);

/// Checks a whole file and gives the payload, kJsonPaddingBytes readable bytes behind it. False: *error is a sentence: cut, longer than it says, damaged, or of
/// a version that this program does not read.
bool OpenSnapshot(std::string_view bytes, std::string_view* payload, std::string* error);

class SnapshotWriter {
 public:
  /// json: one object.
  void Add(std::string_view json);
  /// The file. The writer is spent.
  std::string Finish();

 private:
  std::string file_;
  bool first_ = true;
};

}  // namespace basalt
