// The snapshot file's envelope: nothing that was changed, cut or lengthened is read.
#include "snapshot/snapshot_file.h"

#include <gtest/gtest.h>

#include "snapshot/executor.h"
#include "snapshot/text/reader.h"

namespace basalt {
namespace {

std::string File() {
  SnapshotWriter writer;
  writer.Add(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"a"},"status":{}})");
  writer.Add(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"b"},"status":{}})");
  return writer.Finish();
}

bool Opens(const std::string& bytes, std::string* error) {
  std::string_view payload;
  return OpenSnapshot(bytes, &payload, error);
}

TEST(SnapshotFile, HoldsTheObjects) {
  InlineExecutor executor;
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> names;
  const std::string file = File();
  // The file brings its own padding: nothing behind it is looked at.
  ReadText(file, "x", TextFormat::kAuto, &executor, [&](const Decoded& d, std::string_view) { names.emplace_back(d.meta->name); }, &diagnostics);
  EXPECT_EQ((std::vector<std::string>{"a", "b"}), names);
  EXPECT_TRUE(diagnostics.empty());
}

TEST(SnapshotFile, AnEmptyOneIsAnEmptyList) {
  SnapshotWriter writer;
  std::string error;
  EXPECT_TRUE(Opens(writer.Finish(), &error)) << error;
}

TEST(SnapshotFile, EveryFlippedBitIsRefused) {
  const std::string file = File();
  for (size_t at = 8; at < file.size(); at++) {  // the first 8 bytes say what it is
    for (int bit = 0; bit < 8; bit++) {
      std::string bad = file;
      bad[at] = static_cast<char>(bad[at] ^ 1 << bit);
      std::string error;
      EXPECT_FALSE(Opens(bad, &error)) << "byte " << at << ", bit " << bit;
      EXPECT_FALSE(error.empty());
    }
  }
}

TEST(SnapshotFile, EveryCutAndEveryTailIsRefused) {
  const std::string file = File();
  std::string error;
  for (size_t size = 0; size < file.size(); size++) EXPECT_FALSE(Opens(file.substr(0, size), &error)) << size;
  EXPECT_FALSE(Opens(file + '\0', &error));
  EXPECT_EQ("the snapshot file is damaged: something stands behind its end", error);
}

TEST(SnapshotFile, AnotherVersionIsNamed) {
  std::string other = File(), error;
  other[8] = 2;
  EXPECT_FALSE(Opens(other, &error));
  EXPECT_EQ("a snapshot file of version 2; this program reads version 1 (convert the dump again)", error);
}

TEST(SnapshotFile, ADamagedFileIsOneUnreadableText) {
  std::string bad = File();
  bad[100] ^= 1;
  InlineExecutor executor;
  std::vector<Diagnostic> diagnostics;
  ReadText(bad, "x", TextFormat::kAuto, &executor, [&](const Decoded&, std::string_view) { ADD_FAILURE() << "an object came out"; }, &diagnostics);
  ASSERT_EQ(1u, diagnostics.size());
  EXPECT_EQ(Severity::kUnreadable, diagnostics[0].severity);
  EXPECT_EQ("the snapshot file is damaged: its objects do not agree with their checksum", diagnostics[0].message);
}

}  // namespace
}  // namespace basalt
