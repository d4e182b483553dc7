// gzip and Zstandard texts, told by their first bytes, whatever the file is called.
#pragma once
#include <string>
#include <string_view>

#include "cli/bytes.h"

namespace basalt::cli {

enum class Compression { kNone, kGzip, kZstd };
Compression CompressionOf(std::string_view bytes);

/// Appends the decompressed text to *out. Several members or frames one behind the other are one text, as gzip and zstd read them.
/// Linear in input plus output. False with *error (which names the byte offset in the compressed text) where the input is damaged or cut, and
/// where the text would be longer than limit_bytes.
bool Decompress(Compression how, std::string_view bytes, size_t limit_bytes, Bytes* out, std::string* error);

}  // namespace basalt::cli
