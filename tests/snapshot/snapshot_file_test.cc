// The snapshot file's envelope: nothing that was changed, cut or lengthened is read, and the message says what it is.
#include "snapshot/snapshot_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "snapshot/decode.h"
#include "snapshot/executor.h"
#include "snapshot/records.h"
#include "snapshot/text/reader.h"

namespace basalt {
namespace {

using ::testing::HasSubstr;

const std::string kObjects[] = {R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"a"},"status":{}})", "null",
                                R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"bc"},"status":{"allocatable":{"cpu":"many"}}})", R"({"kind":"Other"})"};

std::string File() {
  SnapshotWriter writer;
  std::string error;
  for (const std::string& json : kObjects) EXPECT_TRUE(writer.Add(json, &error)) << error;
  return writer.Finish();
}

std::string RecordOf(std::string payload, uint16_t type = kUpsertRecord, uint16_t flags = 0) {
  const RecordHeader header{static_cast<uint32_t>(payload.size()), type, flags};
  payload.insert(0, reinterpret_cast<const char*>(&header), sizeof header);
  payload.resize((payload.size() + 7) / 8 * 8);
  return payload;
}

/// What opening an exact copy says; "" where it is accepted. A copy on the heap, so that reading beyond it shows under AddressSanitizer.
std::string Refusal(std::string_view bytes) {
  const std::vector<char> copy(bytes.begin(), bytes.end());
  std::vector<TextRange> objects;
  std::string error;
  return OpenSnapshot({copy.data(), copy.size()}, &objects, &error) ? "" : error;
}

struct Result {
  std::vector<std::string> raw;
  std::vector<Diagnostic> diagnostics;
};

Result Read(const std::string& bytes, std::string_view name = "x") {
  std::string padded = bytes;
  padded.append(kJsonPaddingBytes, '}');
  InlineExecutor executor;
  Result r;
  ReadText(std::string_view(padded).substr(0, bytes.size()), name, TextFormat::kAuto, &executor, [&](const Decoded&, std::string_view raw) { r.raw.emplace_back(raw); }, &r.diagnostics);
  return r;
}

TEST(SnapshotFile, HoldsTheObjectsAsTheyAre) {
  InlineExecutor executor;
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> raw;
  const std::string file = File();
  const std::vector<char> copy(file.begin(), file.end());  // the file brings its own padding: nothing behind it is looked at
  ReadText({copy.data(), copy.size()}, "x", TextFormat::kYaml, &executor, [&](const Decoded&, std::string_view json) { raw.emplace_back(json); }, &diagnostics);
  EXPECT_EQ(std::vector<std::string>(std::begin(kObjects), std::end(kObjects)), raw);
  ASSERT_EQ(2u, diagnostics.size());
  EXPECT_EQ("items[1]", diagnostics[0].object);
  EXPECT_EQ("Node bc", diagnostics[1].object);
}

TEST(SnapshotFile, AnEmptyOneIsAnEmptyList) {
  const Result r = Read(SnapshotWriter().Finish());
  EXPECT_TRUE(r.raw.empty() && r.diagnostics.empty());
}

TEST(SnapshotFile, TakesOneWellFormedValueAtATime) {
  SnapshotWriter writer;
  std::string error;
  for (const char* bad : {"", "{", "{}{}", "{\"a\":tru}", "\xFF", "[1,]"}) {
    EXPECT_FALSE(writer.Add(bad, &error)) << bad;
    EXPECT_THAT(error, HasSubstr("not JSON, byte "));
  }
  EXPECT_TRUE(writer.Add("{}", &error));
  const std::string file = writer.Finish();
  EXPECT_EQ((std::vector<std::string>{"{}"}), Read(file).raw);
}

TEST(SnapshotFile, EveryFlippedBitIsRefused) {
  const std::string file = File();
  for (size_t at = 0; at < file.size(); at++) {
    for (int bit = 0; bit < 8; bit++) {
      std::string bad = file;
      bad[at] = static_cast<char>(bad[at] ^ 1 << bit);
      EXPECT_NE("", Refusal(bad)) << "byte " << at << ", bit " << bit;
      const Result r = Read(bad);
      ASSERT_TRUE(r.raw.empty() && r.diagnostics.size() == 1 && r.diagnostics[0].severity == Severity::kUnreadable) << "byte " << at << ", bit " << bit;
    }
  }
}

TEST(SnapshotFile, EveryCutAndEveryTailIsRefused) {
  const std::string file = File();
  for (size_t size = 0; size < file.size(); size++) {
    EXPECT_THAT(Refusal(file.substr(0, size)), HasSubstr(size < 8 ? "not a snapshot file" : "cut")) << size;
    EXPECT_EQ(1u, Read(file.substr(0, size)).diagnostics.size()) << size;
  }
  EXPECT_EQ("the snapshot file is damaged: 1 bytes stand behind its end", Refusal(file + '\0'));
  EXPECT_EQ("the snapshot file is damaged: " + std::to_string(file.size()) + " bytes stand behind its end", Refusal(file + file));
}

TEST(SnapshotFile, SaysWhatItIsInstead) {
  std::string other = File();
  other[8]++;
  EXPECT_EQ("the snapshot file is of version 3, this program reads version 2 (convert the dump again)", Refusal(other));
  other = File();
  std::reverse(other.begin() + 8, other.begin() + 12), std::reverse(other.begin() + 12, other.begin() + 16);
  EXPECT_EQ("the snapshot file is of a machine with the other byte order (convert the dump on this one)", Refusal(other));
  other = File();
  other[20] ^= 1;
  EXPECT_EQ("the snapshot file is damaged: its header does not agree with its checksum", Refusal(other));
  other = File();
  other[100] ^= 1;
  EXPECT_EQ("the snapshot file is damaged: its objects do not agree with their checksum", Refusal(other));
  EXPECT_EQ("not a snapshot file: it does not begin with BASALTSF", Refusal("\x89PNG\r\n\x1A\n"));
  for (const char* text : {R"({"kind":"List","items":[]})", "\x89PNG\r\n\x1A\n", ""}) {
    const Result r = Read(text, "dump.snapshot.gz");
    ASSERT_EQ(1u, r.diagnostics.size());
    EXPECT_THAT(r.diagnostics[0].message, HasSubstr("not a snapshot file"));
  }
}

TEST(SnapshotFile, RecordsAreCheckedThoughTheChecksumsAgree) {
  const std::string one = RecordOf("{}");
  EXPECT_EQ("", Refusal(SnapshotFile(one + one, 2)));
  const std::string begin = "the snapshot file is none that this program writes: ";
  EXPECT_EQ(begin + "it says that it holds 3 objects, there are 2", Refusal(SnapshotFile(one + one, 3)));
  EXPECT_EQ(begin + "it says that it holds 18446744073709551615 objects, there are 1", Refusal(SnapshotFile(one, ~uint64_t{0})));
  EXPECT_EQ(begin + "record 1 is of type 2", Refusal(SnapshotFile(one + RecordOf("{}", 2), 2)));
  EXPECT_EQ(begin + "record 1: unknown flags 1", Refusal(SnapshotFile(one + RecordOf("{}", kUpsertRecord, 1), 2)));
  std::string longer = one;
  longer[0] = 9;
  EXPECT_EQ(begin + "record 0: unexpected end", Refusal(SnapshotFile(longer, 1)));
  std::memset(longer.data(), 0xFF, 4);
  EXPECT_EQ(begin + "record 0: unexpected end", Refusal(SnapshotFile(longer, 1)));
  EXPECT_EQ(begin + "record 1: unexpected end", Refusal(SnapshotFile(one + "1234567", 2)));
  // Well-framed, and yet no JSON: the place is a byte of the file.
  const Result r = Read(SnapshotFile(one + RecordOf("{\"a\":}"), 2));
  ASSERT_EQ(2u, r.diagnostics.size());
  EXPECT_EQ(Severity::kUnreadable, r.diagnostics[1].severity);
  EXPECT_EQ("byte " + std::to_string(64 + 16 + 8 + 5) + ": unexpected '}'", r.diagnostics[1].message);
  EXPECT_EQ("items[1]", r.diagnostics[1].object);
}

}  // namespace
}  // namespace basalt
