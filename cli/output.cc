#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/log.h"
#include "kernel/include/basalt.h"

namespace basalt::cli {

namespace {
constexpr size_t kPieceBytes = 1 << 20;
}

void Output::Write(std::string_view bytes) {
  if (pending_.size() + bytes.size() < kPieceBytes) {
    pending_ += bytes;
    return;
  }
  Flush(pending_);
  pending_.clear();
  Flush(bytes);
}

void Output::Flush(std::string_view bytes) {
  while (!bytes.empty() && !error_ && !reader_gone_) {
    const ssize_t n = write(fd_, bytes.data(), bytes.size());
    if (n > 0) {
      bytes.remove_prefix(n);
    } else if (n < 0 && errno == EPIPE) {
      reader_gone_ = true;
    } else if (n == 0 || errno != EINTR) {
      error_ = n == 0 ? EIO : errno;
    }
  }
}

bool Output::Finish() {
  Flush(pending_);
  pending_.clear();
  return !error_;
}

std::string Output::error() const { return std::strerror(error_); }

bool PrintData(std::string_view text) {
  Output out(STDOUT_FILENO);
  out.Write(text);
  if (out.Finish()) return true;
  Error("cannot write to standard output: {}", out.error());
  return false;
}

std::string Printable(std::string_view text) {
  basalt_buffer out{nullptr, 0};
  const basalt_status status = basalt_printable({text.data(), text.size()}, &out);
  std::string printable(status == BASALT_OK ? std::string_view(out.data, out.size) : std::string_view("(no memory to show this text)"));
  basalt_buffer_free(&out);
  return printable;
}

bool WriteFile(const std::string& path, std::string_view text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    Error("cannot write {}: {}", path, std::strerror(errno));
    return false;
  }
  Output out(fd);
  out.Write(text);
  bool good = out.Finish();
  std::string why = good ? "" : out.error();
  if (close(fd) != 0 && good) good = false, why = std::strerror(errno);  // network file systems tell a full disk only here
  if (!good) Error("cannot write {}: {}", path, why);
  return good;
}

}  // namespace basalt::cli
