#include "snapshot/snapshot_file.h"

#include <bit>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "snapshot/decode.h"
#include "snapshot/decode_json.h"
#include "snapshot/records.h"

namespace basalt {

namespace {

constexpr std::string_view kMagic = "BASALTSF";
constexpr uint32_t kByteOrder = 0x0A0B0C0D;
static_assert(std::endian::native == std::endian::little, "numbers of a snapshot file are copied as they are");

struct Header {
  char magic[8];
  uint32_t version, byte_order;
  uint64_t payload_bytes, records, payload_hash, zero[2], header_hash;
};
constexpr size_t kHeaderBytes = 64, kHashedBytes = offsetof(Header, header_hash);
static_assert(sizeof(Header) == kHeaderBytes && kHashedBytes == 56);

uint64_t Hash(const void* bytes, size_t size) { return XXH3_64bits(bytes, size); }

/// Writes the header into the room in front of the payload, and the zeros behind it.
void Seal(std::string* file, uint64_t records) {
  const size_t payload = file->size() - kHeaderBytes;
  Header h{.magic = {}, .version = kSnapshotVersion, .byte_order = kByteOrder, .payload_bytes = payload, .records = records,
           .payload_hash = Hash(file->data() + kHeaderBytes, payload), .zero = {}, .header_hash = 0};
  std::memcpy(h.magic, kMagic.data(), sizeof h.magic);
  h.header_hash = Hash(&h, kHashedBytes);
  std::memcpy(file->data(), &h, sizeof h);
  file->append(kJsonPaddingBytes, '\0');
}

bool FindObjects(std::string_view payload, uint64_t records, std::vector<TextRange>* objects, std::string* error) {
  const auto refuse = [&](const std::string& why) { return *error = "the snapshot file is none that this program writes: " + why, false; };
  objects->clear();
  objects->reserve(std::min<uint64_t>(records, payload.size() / sizeof(RecordHeader)));
  for (size_t at = 0; at < payload.size();) {
    Record record;
    std::string why;
    if (!NextRecord(payload, &at, &record, &why)) return refuse("record " + std::to_string(objects->size()) + ": " + why);
    if (record.type != kUpsertRecord) return refuse("record " + std::to_string(objects->size()) + " is of type " + std::to_string(record.type));
    const uint64_t begin = kHeaderBytes + static_cast<uint64_t>(record.payload.data() - payload.data());
    objects->push_back({begin, begin + record.payload.size()});
  }
  return objects->size() == records || refuse("it says that it holds " + std::to_string(records) + " objects, there are " + std::to_string(objects->size()));
}

}  // namespace

bool IsSnapshot(std::string_view bytes) { return bytes.starts_with(kMagic); }

bool OpenSnapshot(std::string_view bytes, std::vector<TextRange>* objects, std::string* error) {
  const auto refuse = [&](std::string why) { return *error = "the snapshot file is " + std::move(why), false; };
  if (!IsSnapshot(bytes)) return *error = "not a snapshot file: it does not begin with " + std::string(kMagic), false;
  if (bytes.size() < kHeaderBytes) return refuse("cut: its header has " + std::to_string(kHeaderBytes) + " bytes, there are " + std::to_string(bytes.size()));
  Header h;
  std::memcpy(&h, bytes.data(), sizeof h);
  if (h.byte_order == __builtin_bswap32(kByteOrder)) return refuse("of a machine with the other byte order (convert the dump on this one)");
  if (h.version != kSnapshotVersion)
    return refuse("of version " + std::to_string(h.version) + ", this program reads version " + std::to_string(kSnapshotVersion) + " (convert the dump again)");
  if (h.header_hash != Hash(&h, kHashedBytes) || h.byte_order != kByteOrder || h.zero[0] != 0 || h.zero[1] != 0)
    return refuse("damaged: its header does not agree with its checksum");
  const size_t rest = bytes.size() - kHeaderBytes;
  if (rest < kJsonPaddingBytes || rest - kJsonPaddingBytes < h.payload_bytes)
    return refuse("cut: it should have " + std::to_string(h.payload_bytes) + " bytes of objects and " + std::to_string(kJsonPaddingBytes) + " behind them, there are " + std::to_string(rest));
  if (rest - kJsonPaddingBytes > h.payload_bytes) return refuse("damaged: " + std::to_string(rest - kJsonPaddingBytes - h.payload_bytes) + " bytes stand behind its end");
  const std::string_view payload = bytes.substr(kHeaderBytes, h.payload_bytes);
  if (h.payload_hash != Hash(payload.data(), payload.size()) || bytes.substr(kHeaderBytes + payload.size()).find_first_not_of('\0') != std::string_view::npos)
    return refuse("damaged: its objects do not agree with their checksum");
  return FindObjects(payload, h.records, objects, error);
}

std::string SnapshotFile(std::string_view payload, uint64_t records) {
  std::string file(kHeaderBytes, '\0');
  file += payload;
  Seal(&file, records);
  return file;
}

struct SnapshotWriter::Checker {
  Arena unused;
  decode::JsonCursor cursor;
};

SnapshotWriter::SnapshotWriter() : file_(kHeaderBytes, '\0'), checker_(std::make_unique<Checker>()) {}
SnapshotWriter::~SnapshotWriter() = default;

bool SnapshotWriter::Add(std::string_view json, std::string* error) {
  const size_t begin = file_.size(), end = begin + sizeof(RecordHeader) + json.size();
  const RecordHeader header{static_cast<uint32_t>(json.size()), kUpsertRecord, 0};
  file_.append(reinterpret_cast<const char*>(&header), sizeof header).append(json).append(kJsonPaddingBytes, '\0');
  // Read where it is now, since there it has the bytes behind it that reading needs; it refuses what 32 bits cannot count, too.
  decode::JsonCursor& c = checker_->cursor;
  if (c.Open(std::string_view(file_).substr(begin + sizeof header, json.size()), &checker_->unused)) c.PassOver();
  if (!c.Finish()) {
    *error = "not JSON, byte " + std::to_string(c.SyntaxOffset()) + ": " + c.Message();
    file_.resize(begin);
    return false;
  }
  file_.resize((end + 7) / 8 * 8);
  records_++;
  return true;
}

std::string SnapshotWriter::Finish() {
  Seal(&file_, records_);
  return std::move(file_);
}

}  // namespace basalt
