#include "cli/bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "kernel/include/basalt.h"

namespace basalt::cli {

namespace {

size_t RoundToPages(size_t bytes) {
  static const size_t page = sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

char* Anonymous(size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<char*>(p);
}

}  // namespace

Bytes::~Bytes() {
  if (data_) munmap(data_, mapped_);
}

bool Bytes::Map(int fd, size_t size) {
  // The file's last page is zero behind its end; one anonymous page more serves files that end with their page.
  const size_t file_bytes = RoundToPages(size), all = file_bytes + RoundToPages(BASALT_PADDING_BYTES);
  char* base = Anonymous(all);
  if (!base) return false;
  Bytes made;
  made.data_ = base, made.mapped_ = all;
  if (mmap(base, file_bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED) return false;
  madvise(base, file_bytes, MADV_WILLNEED);
  made.size_ = size;
  *this = std::move(made);
  return true;
}

size_t Bytes::room() const { return mapped_ < size_ + BASALT_PADDING_BYTES ? 0 : mapped_ - size_ - BASALT_PADDING_BYTES; }

char* Bytes::Grow(size_t room_wanted) {
  if (!data_ || room() < room_wanted) {
    const size_t wanted = RoundToPages(std::max(size_ + room_wanted + BASALT_PADDING_BYTES, mapped_ * 2));
    void* p = data_ ? mremap(data_, mapped_, wanted, MREMAP_MAYMOVE) : Anonymous(wanted);
    if (!p || p == MAP_FAILED) return nullptr;
    data_ = static_cast<char*>(p), mapped_ = wanted;
    madvise(data_, mapped_, MADV_HUGEPAGE);
  }
  return data_ + size_;
}

}  // namespace basalt::cli
