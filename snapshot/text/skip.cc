#include "snapshot/text/skip.h"

#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace basalt {
namespace {

/// Where the characters of interest stand in a block of 64 bytes, one bit each.
struct Block {
  uint64_t quotes = 0, backslashes = 0, opens = 0, closes = 0;
};

#ifdef __SSE2__
Block Load(const char* p) {
  Block b;
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), lower = _mm_set1_epi8(0x20);
  const __m128i open = _mm_set1_epi8('{'), close = _mm_set1_epi8('}');
  for (int i = 0; i < 4; i++) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * i));
    const __m128i folded = _mm_or_si128(v, lower);  // '[' becomes '{', ']' becomes '}', nothing else does
    const auto bits = [&](__m128i mask) { return uint64_t(uint32_t(_mm_movemask_epi8(mask))) << (16 * i); };
    b.quotes |= bits(_mm_cmpeq_epi8(v, quote));
    b.backslashes |= bits(_mm_cmpeq_epi8(v, backslash));
    b.opens |= bits(_mm_cmpeq_epi8(folded, open));
    b.closes |= bits(_mm_cmpeq_epi8(folded, close));
  }
  return b;
}
#else
Block Load(const char* p) {
  Block b;
  for (int i = 0; i < 64; i++) {
    const uint64_t bit = uint64_t{1} << i;
    const char folded = char(p[i] | 0x20);
    if (p[i] == '"') b.quotes |= bit;
    if (p[i] == '\\') b.backslashes |= bit;
    if (folded == '{') b.opens |= bit;
    if (folded == '}') b.closes |= bit;
  }
  return b;
}
#endif

/// Characters that a backslash escapes. *carry: whether the block's first character is one; set for the next block.
uint64_t Escaped(uint64_t backslashes, uint64_t* carry) {
  constexpr uint64_t kEven = 0x5555555555555555;
  backslashes &= ~*carry;  // an escaped backslash escapes nothing
  const uint64_t follows = backslashes << 1 | *carry;
  const uint64_t odd_starts = backslashes & ~kEven & ~follows;
  uint64_t even_sequences = 0;
  *carry = __builtin_add_overflow(odd_starts, backslashes, &even_sequences) ? 1 : 0;
  return (kEven ^ (even_sequences << 1)) & follows;
}

/// Bit i: whether an odd number of bits stands at or below i.
uint64_t PrefixXor(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

}  // namespace

size_t SkipContainer(std::string_view text, size_t at) {
  uint64_t depth = 0, escape = 0, in_string = 0;
  for (; at < text.size(); at += 64) {
    const Block b = Load(text.data() + at);
    uint64_t quotes = b.quotes;
    if ((b.backslashes | escape) != 0) quotes &= ~Escaped(b.backslashes, &escape);
    const uint64_t strings = PrefixXor(quotes) ^ in_string;
    in_string = uint64_t(int64_t(strings) >> 63);
    uint64_t opens = b.opens & ~strings, closes = b.closes & ~strings;
    const auto down = uint64_t(std::popcount(closes));
    if (depth > down) {  // cannot end here
      depth += uint64_t(std::popcount(opens)) - down;
      continue;
    }
    for (uint64_t both = opens | closes; both != 0; both &= both - 1) {
      const int bit = std::countr_zero(both);
      depth += (opens >> bit & 1) ? 1 : uint64_t(-1);
      if (depth != 0) continue;
      const size_t end = at + size_t(bit) + 1;
      return end <= text.size() ? end : std::string_view::npos;  // a bracket in the padding closes nothing
    }
  }
  return std::string_view::npos;
}

size_t SkipString(std::string_view text, size_t at) {
  for (size_t from = ++at; at < text.size(); at++) {
    const void* quote = std::memchr(text.data() + at, '"', text.size() - at);
    if (quote == nullptr) break;
    at = size_t(static_cast<const char*>(quote) - text.data());
    size_t backslashes = 0;
    while (at - backslashes > from && text[at - backslashes - 1] == '\\') backslashes++;
    if (backslashes % 2 == 0) return at + 1;
    from = at;  // what stands before is settled
  }
  return std::string_view::npos;
}

}  // namespace basalt
