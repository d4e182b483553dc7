// The snapshot file: objects as records in a checked envelope, written once and mapped many times.
//
//   bytes 0..7    "BASALTSF"
//         8..11   version
//         12..15  0x0A0B0C0D, in the byte order of the whole file: little-endian
//         16..23  bytes of the payload
//         24..31  number of records in it
//         32..39  XXH3 (64 bits) of the payload
//         40..55  0
//         56..63  XXH3 (64 bits) of bytes 0..55
//         64..    the payload: one upsert record (records.h) per object, JSON without blanks, with its kind and without managedFields
//   then 64 bytes 0, so that a mapped file can be read in place
//
// Bytes 0..15 mean the same in every version.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/text/split.h"

namespace basalt {

inline constexpr uint32_t kSnapshotVersion = 2;

/// True where the bytes start as a snapshot file does, of any version, damaged or not.
bool IsSnapshot(std::string_view bytes);

/// Checks a whole file. *objects: where their JSON lies in `bytes`, kJsonPaddingBytes readable bytes behind each. False: *error is a sentence that says what the
/// file is: cut, longer than it says, damaged, of another byte order or version, or no snapshot file.
bool OpenSnapshot(std::string_view bytes, std::vector<TextRange>* objects, std::string* error);

/// A file of these records, `payload` unchecked.
std::string SnapshotFile(std::string_view payload, uint64_t records);

class SnapshotWriter {
 public:
  SnapshotWriter();
  ~SnapshotWriter();
  /// json: one value, as an item of a list may be. False where it is no well-formed JSON or has more than 4 GB: *error says why, and nothing was added.
  bool Add(std::string_view json, std::string* error);
  /// The file. The writer is spent.
  std::string Finish();

 private:
  std::string file_;
  uint64_t records_ = 0;
  struct Checker;
  std::unique_ptr<Checker> checker_;
};

}  // namespace basalt
