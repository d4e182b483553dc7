#include "cli/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/decompress.h"

namespace basalt::cli {

namespace {

constexpr size_t kReadBytes = 1 << 20;

std::string_view WithoutCompression(std::string_view name) {
  for (const std::string_view ending : {".gz", ".zst"})
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return name;
}

bool IsInputName(std::string_view name) {
  name = WithoutCompression(name);
  for (const std::string_view ending : {".json", ".yaml", ".yml", ".ndjson", ".csv", ".snapshot"})
    if (name.ends_with(ending)) return true;
  return false;
}

// The library looks at the name's ending itself, but not behind .gz and .zst.
basalt_format FormatBehindCompression(std::string_view name) {
  const std::string_view inner = WithoutCompression(name);
  if (inner.size() == name.size()) return BASALT_FORMAT_AUTO;
  if (inner.ends_with(".json") || inner.ends_with(".ndjson")) return BASALT_FORMAT_JSON;
  if (inner.ends_with(".yaml") || inner.ends_with(".yml")) return BASALT_FORMAT_YAML;
  if (inner.ends_with(".csv")) return BASALT_FORMAT_CSV;
  return BASALT_FORMAT_AUTO;
}

void ListDirectory(const std::string& path, InputList* list) {
  namespace fs = std::filesystem;
  std::vector<std::string> names, skipped;
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    std::string name = it->path().filename().string();
    std::error_code ignored;
    (IsInputName(name) && !it->is_directory(ignored) ? names : skipped).push_back(std::move(name));
  }
  if (error) {
    list->items.push_back({path, error.message()});
    return;
  }
  std::sort(names.begin(), names.end());
  std::sort(skipped.begin(), skipped.end());
  if (!skipped.empty()) {
    constexpr size_t kShown = 5;
    std::string shown;
    for (size_t i = 0; i < std::min(skipped.size(), kShown); i++) shown += (i ? ", " : "") + skipped[i];
    if (skipped.size() > kShown) shown += fmt::format(" and {} more", skipped.size() - kShown);
    list->notes.push_back(fmt::format("{}: skipped, as the name does not end in .json, .yaml, .yml, .ndjson, .csv or .snapshot (or these with .gz, .zst): {}", path, shown));
  }
  if (names.empty()) list->items.push_back({path, "the directory holds no file ending in .json, .yaml, .yml, .ndjson, .csv or .snapshot (or these with .gz, .zst)"});
  for (const std::string& name : names) list->items.push_back({(fs::path(path) / name).string(), ""});
}

// Three quarters of the memory: a text beyond that could not be scheduled anyway, and a decompression bomb ends here.
size_t LimitBytes() {
  static const size_t limit = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) / 4 * 3 * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return limit;
}

bool ReadAll(int fd, Bytes* bytes, std::string* error) {
  while (true) {
    char* to = bytes->Grow(kReadBytes);
    if (!to) return *error = "not enough memory for the text", false;
    const ssize_t n = read(fd, to, bytes->room());
    if (n == 0) return true;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return *error = std::strerror(errno), false;
    bytes->Added(n);
    if (bytes->text().size() > LimitBytes()) return *error = fmt::format("longer than {} MiB, which is more than this machine can hold", LimitBytes() >> 20), false;
  }
}

struct File {
  int fd;
  ~File() {
    if (fd > STDERR_FILENO) close(fd);
  }
};

bool LoadBytes(const std::string& name, Bytes* bytes, std::string* error) {
  const File file{name == "-" ? STDIN_FILENO : open(name.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat status;
  if (file.fd < 0 || fstat(file.fd, &status) != 0) return *error = std::strerror(errno), false;
  if (S_ISDIR(status.st_mode)) return *error = std::strerror(EISDIR), false;
  // A redirected standard input may stand anywhere in its file, and files of /proc say they are empty: both are read, not mapped.
  if (name == "-" || !S_ISREG(status.st_mode) || status.st_size == 0) return ReadAll(file.fd, bytes, error);
  if (bytes->Map(file.fd, status.st_size)) return true;
  return ReadAll(file.fd, bytes, error);
}

}  // namespace

InputList ListInputs(const std::vector<std::string>& paths) {
  InputList list;
  bool stdin_named = false;
  for (const std::string& path : paths) {
    struct stat status;
    if (path == "-") {
      list.items.push_back({path, stdin_named ? "standard input was already read" : ""});
      stdin_named = true;
    } else if (stat(path.c_str(), &status) != 0) {
      list.items.push_back({path, std::strerror(errno)});
    } else if (S_ISDIR(status.st_mode)) {
      ListDirectory(path, &list);
    } else {
      list.items.push_back({path, ""});
    }
  }
  return list;
}

Input LoadInput(const std::string& name) {
  Input input;
  input.name = name;
  Bytes raw;
  if (!LoadBytes(name, &raw, &input.error)) return input;
  const Compression compression = CompressionOf(raw.text());
  if (compression == Compression::kNone) {
    input.bytes = std::move(raw);
  } else if (Decompress(compression, raw.text(), LimitBytes(), &input.bytes, &input.error)) {
    if (!input.bytes.Grow(0)) input.error = "not enough memory for the text";
  }
  input.format = FormatBehindCompression(name);
  return input;
}

Input InputReader::Load(size_t index) const {
  const InputList::Item& item = list_.items[index];
  if (item.error.empty()) return LoadInput(item.name);
  Input input;
  input.name = item.name, input.error = item.error;
  return input;
}

std::optional<Input> InputReader::Next() {
  if (at_ == count()) return std::nullopt;
  Input input = next_.valid() ? next_.get() : Load(at_);
  at_++;
  if (ahead_ && at_ < count()) next_ = std::async(std::launch::async, [this, index = at_] { return Load(index); });
  return input;
}

}  // namespace basalt::cli
