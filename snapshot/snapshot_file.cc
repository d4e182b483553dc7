#include "snapshot/snapshot_file.h"

#include <bit>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "snapshot/decode.h"

namespace basalt {

namespace {

constexpr std::string_view kMagic = "BASALTSF";
constexpr size_t kHeaderBytes = 64, kHashedBytes = 32;
constexpr std::string_view kListBegin = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n", kListEnd = "\n]}";
static_assert(std::endian::native == std::endian::little, "numbers of a snapshot file are copied as they are");

template <class T>
T Get(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <class T>
void Put(T value, size_t at, std::string* bytes) {
  std::memcpy(bytes->data() + at, &value, sizeof value);
}

uint64_t Hash(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

bool AllZero(std::string_view bytes) { return bytes.find_first_not_of('\0') == std::string_view::npos; }

}  // namespace

bool IsSnapshot(std::string_view bytes) { return bytes.starts_with(kMagic); }

bool OpenSnapshot(std::string_view bytes, std::string_view* payload, std::string* error) {
  const auto refuse = [&](std::string why) { return *error = std::move(why), false; };
  if (!IsSnapshot(bytes)) return refuse("not a snapshot file");
  if (bytes.size() < kHeaderBytes) return refuse("the snapshot file is cut: its header has " + std::to_string(kHeaderBytes) + " bytes, there are " + std::to_string(bytes.size()));
  const auto version = Get<uint32_t>(bytes, 8);
  if (version != kSnapshotVersion)
    return refuse("a snapshot file of version " + std::to_string(version) + "; this program reads version " + std::to_string(kSnapshotVersion) + " (convert the dump again)");
  if (Get<uint64_t>(bytes, 32) != Hash(bytes.substr(0, kHashedBytes)) || Get<uint32_t>(bytes, 12) != 0 || !AllZero(bytes.substr(40, 24)))
    return refuse("the snapshot file is damaged: its header does not agree with its checksum");
  const auto payload_bytes = Get<uint64_t>(bytes, 16);
  const size_t rest = bytes.size() - kHeaderBytes;
  if (rest < kJsonPaddingBytes || rest - kJsonPaddingBytes < payload_bytes)
    return refuse("the snapshot file is cut: it should have " + std::to_string(payload_bytes) + " bytes of objects");
  if (rest - kJsonPaddingBytes > payload_bytes) return refuse("the snapshot file is damaged: something stands behind its end");
  const std::string_view found = bytes.substr(kHeaderBytes, payload_bytes);
  if (Get<uint64_t>(bytes, 24) != Hash(found) || !AllZero(bytes.substr(kHeaderBytes + payload_bytes)))
    return refuse("the snapshot file is damaged: its objects do not agree with their checksum");
  *payload = found;
  return true;
}

void SnapshotWriter::Add(std::string_view json) {
  if (file_.empty()) file_.assign(kHeaderBytes, '\0').append(kListBegin);
  if (!first_) file_ += ",\n";
  first_ = false;
  file_ += json;
}

std::string SnapshotWriter::Finish() {
  if (file_.empty()) file_.assign(kHeaderBytes, '\0').append(kListBegin);
  file_ += kListEnd;
  const std::string_view payload = std::string_view(file_).substr(kHeaderBytes);
  const uint64_t payload_bytes = payload.size(), payload_hash = Hash(payload);
  std::memcpy(file_.data(), kMagic.data(), kMagic.size());
  Put(kSnapshotVersion, 8, &file_);
  Put(payload_bytes, 16, &file_), Put(payload_hash, 24, &file_);
  Put(Hash(std::string_view(file_).substr(0, kHashedBytes)), 32, &file_);
  file_.append(kJsonPaddingBytes, '\0');
  return std::move(file_);
}

}  // namespace basalt
