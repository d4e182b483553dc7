#include "cli/decompress.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

namespace basalt::cli {

namespace {

constexpr size_t kRoomBytes = 1 << 18;
constexpr size_t kFeedBytes = 1 << 30;  // zlib counts in 32 bits

bool NoMemory(std::string* error) { return *error = "not enough memory for the decompressed text", false; }

bool TooLong(size_t limit, std::string* error) {
  *error = fmt::format("the decompressed text is longer than {} MiB, which is more than this machine can hold", limit >> 20);
  return false;
}

// Padding of zeros behind the last member is what tapes and block devices leave; gzip itself accepts it.
bool OnlyZeros(std::string_view bytes) { return bytes.find_first_not_of('\0') == bytes.npos; }

bool Gunzip(std::string_view in, size_t limit, Bytes* out, std::string* error) {
  z_stream z{};
  if (inflateInit2(&z, 15 + 16) != Z_OK) return NoMemory(error);
  const std::unique_ptr<z_stream, int (*)(z_streamp)> end(&z, inflateEnd);
  size_t at = 0;
  while (true) {
    char* to = out->Grow(kRoomBytes);
    if (!to) return NoMemory(error);
    const size_t room = std::min(out->room(), kFeedBytes), feed = std::min(in.size() - at, kFeedBytes);
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data() + at)), z.avail_in = feed;
    z.next_out = reinterpret_cast<Bytef*>(to), z.avail_out = room;
    const int status = inflate(&z, Z_NO_FLUSH);
    at += feed - z.avail_in;
    out->Added(room - z.avail_out);
    if (out->text().size() > limit) return TooLong(limit, error);
    if (status == Z_STREAM_END) {
      const std::string_view rest = in.substr(at);
      if (OnlyZeros(rest)) return true;
      if (CompressionOf(rest) != Compression::kGzip) return *error = fmt::format("gzip: bytes at offset {} are not a gzip member", at), false;
      if (inflateReset(&z) != Z_OK) return NoMemory(error);
    } else if (status == Z_MEM_ERROR) {
      return NoMemory(error);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      return *error = fmt::format("gzip: damaged at byte offset {}: {}", at, z.msg ? z.msg : "not gzip data"), false;
    } else if (at == in.size() && z.avail_out > 0) {
      return *error = fmt::format("gzip: the file is cut off at byte offset {}", at), false;
    }
  }
}

bool Unzstd(std::string_view in, size_t limit, Bytes* out, std::string* error) {
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  if (!stream) return NoMemory(error);
  ZSTD_inBuffer from{in.data(), in.size(), 0};
  while (true) {
    char* start = out->Grow(kRoomBytes);
    if (!start) return NoMemory(error);
    ZSTD_outBuffer to{start, out->room(), 0};
    const size_t before = from.pos, status = ZSTD_decompressStream(stream.get(), &to, &from);
    out->Added(to.pos);
    if (out->text().size() > limit) return TooLong(limit, error);
    if (ZSTD_isError(status)) return *error = fmt::format("zstd: damaged at byte offset {}: {}", before, ZSTD_getErrorName(status)), false;
    if (status == 0 && from.pos == from.size) return true;
    if (status != 0 && from.pos == from.size && to.pos < to.size)
      return *error = fmt::format("zstd: the file is cut off at byte offset {}", from.pos), false;
  }
}

}  // namespace

Compression CompressionOf(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b")) return Compression::kGzip;
  if (bytes.starts_with("\x28\xb5\x2f\xfd")) return Compression::kZstd;
  return Compression::kNone;
}

bool Decompress(Compression how, std::string_view bytes, size_t limit_bytes, Bytes* out, std::string* error) {
  return how == Compression::kGzip ? Gunzip(bytes, limit_bytes, out, error) : Unzstd(bytes, limit_bytes, out, error);
}

}  // namespace basalt::cli
