// Records back to back in one buffer: the form in which objects and events come through the door, and in which files hold them (basalt.h, basalt_apply).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt {

/// In front of every record; the payload follows, padded with zeros to a multiple of 8 bytes. In the machine's byte order.
struct RecordHeader {
  uint32_t bytes;  ///< of the payload, without the padding
  uint16_t type;   ///< basalt_record
  uint16_t flags;  ///< 0
};
static_assert(sizeof(RecordHeader) == 8);

inline constexpr uint16_t kUpsertRecord = 1;  ///< BASALT_RECORD_UPSERT: the only type that this room knows

struct Record {
  uint16_t type = 0;
  std::string_view payload;
};

/// The record at *at, which is moved behind it. False, with *error set and *at as it was, where the bytes there are no whole record.
/// Precondition: *at is below records.size().
bool NextRecord(std::string_view records, size_t* at, Record* record, std::string* error);

}  // namespace basalt
