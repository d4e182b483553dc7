#include "snapshot/records.h"

#include <cstring>

namespace basalt {

bool NextRecord(std::string_view records, size_t* at, Record* record, std::string* error) {
  RecordHeader header;
  const std::string_view rest = records.substr(*at);
  if (rest.size() < sizeof header) return *error = "unexpected end", false;
  std::memcpy(&header, rest.data(), sizeof header);
  const size_t padded = (size_t{header.bytes} + 7) / 8 * 8;
  if (padded > rest.size() - sizeof header) return *error = "unexpected end", false;
  if (header.flags != 0) return *error = "unknown flags " + std::to_string(header.flags), false;
  *record = {header.type, rest.substr(sizeof header, header.bytes)};
  *at += sizeof header + padded;
  return true;
}

}  // namespace basalt
