#include "snapshot/text/encoding.h"

#include <gtest/gtest.h>

#include <string>

#include "snapshot/decode.h"

namespace basalt {
namespace {

const std::string kMark = "\xEF\xBB\xBF";

/// A text with the readable bytes behind it that every reader is promised.
struct Padded {
  explicit Padded(std::string text) : bytes(std::move(text)), size(bytes.size()) { bytes.append(kJsonPaddingBytes, '\xEF'); }
  std::string_view view() const { return {bytes.data(), size}; }
  std::string bytes;
  size_t size;
};

std::string Utf16(std::u16string_view text, bool little, bool mark) {
  std::string out;
  const auto put = [&](char16_t c) {
    const char low = char(c & 255), high = char(c >> 8);
    out += little ? low : high;
    out += little ? high : low;
  };
  if (mark) put(0xFEFF);
  for (const char16_t c : text) put(c);
  return out;
}

std::string Read(const std::string& bytes) {
  const Padded padded(bytes);
  Utf8Text text;
  EXPECT_TRUE(text.Read(padded.view())) << text.message;
  return std::string(text.text());
}

void ExpectBad(const std::string& bytes, const std::string& message, size_t offset) {
  const Padded padded(bytes);
  Utf8Text text;
  EXPECT_FALSE(text.Read(padded.view())) << message;
  EXPECT_EQ(text.message, message);
  EXPECT_EQ(text.offset, offset) << message;
  EXPECT_TRUE(text.text().empty());
}

TEST(EncodingTest, Utf8IsNotCopied) {
  for (const std::string& bytes : {std::string(), std::string("a: b\r\n"), std::string("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 \xEF\xBC\xA1")}) {
    const Padded padded(bytes);
    Utf8Text text;
    ASSERT_TRUE(text.Read(padded.view()));
    EXPECT_EQ(text.text().data(), padded.bytes.data());
    EXPECT_EQ(text.text(), bytes);
    EXPECT_EQ(text.OriginalOffset(3), 3u);
  }
}

TEST(EncodingTest, AMarkAtTheStartCostsNoCopy) {
  const Padded padded(kMark + "a: 1\n");
  Utf8Text text;
  ASSERT_TRUE(text.Read(padded.view()));
  EXPECT_EQ(text.text(), "a: 1\n");
  EXPECT_EQ(text.text().data(), padded.bytes.data() + 3);
  EXPECT_EQ(text.OriginalOffset(0), 3u);
}

TEST(EncodingTest, MarksWhereFilesWereJoined) {
  const Padded padded(kMark + "{}\n" + kMark + "{}" + kMark + kMark + "[]\r" + kMark + "x");
  Utf8Text text;
  ASSERT_TRUE(text.Read(padded.view()));
  EXPECT_EQ(text.text(), "{}\n{}[]\rx");
  const std::string_view original = padded.view();
  for (size_t i = 0; i < text.text().size(); i++) EXPECT_EQ(original[text.OriginalOffset(i)], text.text()[i]) << i;
  EXPECT_EQ(Read(kMark + kMark + "a"), "a");
  EXPECT_EQ(Read("a: x" + kMark + "y\n"), "a: x" + kMark + "y\n");  // a character of a text
}

TEST(EncodingTest, MarksFarInside) {
  for (size_t lines : {1000, 13'107, 13'108, 43'690, 43'691, 100'000}) {
    std::string text, plain;
    for (size_t i = 0; i < lines; i++) text += "a: \xC3\xA9 bc\n";
    plain = text + "end";
    EXPECT_EQ(Read(text + kMark + "end"), plain) << lines;
    EXPECT_EQ(Read(std::string(lines % 7, ' ') + text + kMark + "end"), std::string(lines % 7, ' ') + plain);
  }
}

TEST(EncodingTest, ManyMarksAreLinear) {
  std::string marks;
  for (int i = 0; i < 1'000'000; i++) marks += kMark;
  EXPECT_EQ(Read(marks + "x"), "x");
}

TEST(EncodingTest, Utf16WithAMark) {
  for (const bool little : {true, false}) {
    EXPECT_EQ(Read(Utf16(u"k: \u00e9\u20ac\U0001F600\r\n", little, true)), "k: \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\r\n");
    EXPECT_EQ(Read(Utf16(u"a\n\uFEFFb", little, true)), "a\nb");
    EXPECT_EQ(Read(Utf16(u"", little, true)), "");
  }
  const Padded padded(Utf16(u"a\u00e9\U0001F600b", true, true));
  Utf8Text text;
  ASSERT_TRUE(text.Read(padded.view()));
  EXPECT_EQ(text.OriginalOffset(0), 2u);
  EXPECT_EQ(text.OriginalOffset(1), 4u);
  EXPECT_EQ(text.OriginalOffset(7), 10u);
}

TEST(EncodingTest, BrokenUtf16) {
  const std::string half = Utf16(std::u16string(1, char16_t(0xD83D)) + u"x", true, true);
  ExpectBad(half, "broken UTF-16 (half of a surrogate pair)", 2);
  ExpectBad(Utf16(u"ab" + std::u16string(1, char16_t(0xDE00)), false, true), "broken UTF-16 (half of a surrogate pair)", 6);
  ExpectBad(Utf16(u"ab", true, true) + "x", "UTF-16 that ends inside a character", 6);
  ExpectBad(Utf16(std::u16string_view(u"a\0b", 3), true, true), "not a text (a NUL character in UTF-16)", 4);
}

TEST(EncodingTest, Utf16WithoutAMark) {
  ExpectBad(Utf16(u"apiVersion: v1\nkind: Node\n", true, false), "not UTF-8 (looks like UTF-16)", 1);
  ExpectBad(Utf16(u"apiVersion: v1\nkind: Node\n", false, false), "not UTF-8 (looks like UTF-16)", 0);
  ExpectBad(Utf16(u"name: \u00e9t\u00e9 # with some text behind it\n", true, false), "not UTF-8 (looks like UTF-16)", 1);
}

TEST(EncodingTest, Binary) {
  ExpectBad(std::string("abc\0def", 7), "not a text (a NUL byte)", 3);
  const struct {
    const char* bytes;
    size_t offset;
  } cases[] = {{"ab\xFF", 2}, {"\x80", 0}, {"a\xC3", 1}, {"\xC0\x80", 0}, {"\xE0\x9F\xBF", 0}, {"\xED\xA0\x80", 0}, {"\xF4\x90\x80\x80", 0}, {"\xF0\x8F\xBF\xBF", 0},
               {"x\xE2\x82", 1}, {"\xE2\x82x", 0}, {"\xF5\x80\x80\x80", 0}, {"\xC3\xA9\xF0\x9F\x98", 2}};
  for (const auto& c : cases) ExpectBad(c.bytes, "not UTF-8", c.offset);
  // Far inside, and around the edges of the pieces that are looked at one by one.
  for (size_t at = (128 << 10) - 5; at < (128 << 10) + 5; at++) {
    ExpectBad(std::string(at, 'x') + "\xC3\xC3" + std::string(200'000, 'y'), "not UTF-8", at);
    EXPECT_EQ(Read(std::string(at, 'x') + "\xF0\x9F\x98\x80" + std::string(200'000, 'y')).size(), at + 200'004);
  }
}

}  // namespace
}  // namespace basalt
