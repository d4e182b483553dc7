#include "report/columns.h"

#include <gtest/gtest.h>

#include "report/printable.h"

namespace basalt {
namespace {

TEST(Columns, AreAsWideAsTheWidestCell) {
  EXPECT_EQ("A     B  C\nlong  x  y\nz\n", Columns({{"A", "B", "C"}, {"long", "x", "y"}, {"z"}}));
  EXPECT_EQ("a\n", Columns({{"a", "", ""}})) << "no blanks at the end";
}

TEST(Columns, CountWhatATerminalShows) {
  EXPECT_EQ("世界  x\nabcd  x\n", Columns({{"世界", "x"}, {"abcd", "x"}})) << "wide characters";
  EXPECT_EQ("e\xCC\x81   x\nab  x\n", Columns({{"e\xCC\x81", "x"}, {"ab", "x"}})) << "a combining mark";
}

TEST(Columns, LetNothingSteerTheTerminal) {
  EXPECT_EQ("\\x1b[31m  x\n", Columns({{"\x1b[31m", "x"}}));
  EXPECT_EQ("\\xc2\\x9b\n", Columns({{"\xC2\x9B"}})) << "a control character beyond ASCII";
  EXPECT_EQ("a\\xff\\x0ab\n", Columns({{"a\xFF\nb"}})) << "no UTF-8";
  EXPECT_EQ("\\xe4\\xb8\n", Columns({{"\xE4\xB8"}})) << "half a character";
  EXPECT_EQ("prod\\xe2\\x80\\xaegpj\n", Columns({{"prod\xE2\x80\xAEgpj"}})) << "a mark that turns the direction of writing";
}

TEST(Printable, KeepsLineFeedsOfWholeTexts) {
  EXPECT_EQ("a\nb\\x0d\\x1b[K", Printable("a\nb\r\x1b[K", true).text);
  EXPECT_EQ("\\xe2\\x81\\xa6\\xe2\\x80\\xa8\\xd8\\x9c", Printable("\xE2\x81\xA6\xE2\x80\xA8\xD8\x9C").text);
  EXPECT_EQ(5u, Printable("世界e\xCC\x81").width);
}

}  // namespace
}  // namespace basalt
