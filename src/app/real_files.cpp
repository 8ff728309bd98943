// SPDX-License-Identifier: Apache-2.0
#include "app/real_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace ferryman::app {

namespace {

constexpr std::size_t longest = std::size_t{4} << 20U;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

Error system_error(std::string_view doing, const std::string& path) {
  const int code = errno;
  Fault fault = Fault::unexpected;
  if (code == ENOENT || code == ENOTDIR) fault = Fault::not_found;
  if (code == EACCES || code == EPERM) fault = Fault::denied;
  if (code == EISDIR) fault = Fault::invalid;
  return {fault, fmt::format("{} {}: {}", doing, path, std::generic_category().message(code))};
}

Result<std::string> read_all(int fd, const std::string& path) {
  std::string text;
  char block[16'384];
  for (;;) {
    const ssize_t n = ::read(fd, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("reading", path);
    if (n == 0) return text;
    text.append(block, static_cast<std::size_t>(n));
    if (text.size() > longest)
      return Error{Fault::invalid, fmt::format("reading {}: larger than 4 MiB", path)};
  }
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

Result<std::string> RealFiles::read(const std::string& path) {
  // Without O_NONBLOCK a named pipe without a writer would stop the whole loop.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return system_error("opening", path);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return system_error("reading", path);
  if (S_ISDIR(status.st_mode)) return Error{Fault::invalid, fmt::format("reading {}: is a folder", path)};
  return read_all(file.get(), path);
}

Result<void> write_private_file(const std::string& path, std::string_view text) {
  const std::string draft = path + ".new";
  ::unlink(draft.c_str());
  {
    const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (file.get() < 0) return system_error("creating", path);
    if (!write_all(file.get(), text)) return system_error("writing", path);
  }
  if (std::rename(draft.c_str(), path.c_str()) == 0) return {};
  Error failed = system_error("replacing", path);
  ::unlink(draft.c_str());
  return failed;
}

}  // namespace ferryman::app
