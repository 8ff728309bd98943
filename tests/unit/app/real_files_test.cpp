// SPDX-License-Identifier: Apache-2.0
#include "app/real_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "app/lent_file.h"
#include "app/private_folder.h"
#include "app/stderr_log.h"
#include "base/json.h"

namespace ferryman::app {
namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "ferryman-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

TEST(RealFiles, WhatIsWrittenIsReadBackAndPrivate) {
  const Folder folder;
  ASSERT_TRUE(write_private_file(folder / "a", "first"));
  ASSERT_TRUE(write_private_file(folder / "a", "second"));
  EXPECT_EQ(*RealFiles().read(folder / "a"), "second");
  struct stat status{};
  ASSERT_EQ(::stat((folder / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(RealFiles, TroubleIsAnErrorWithThePath) {
  const Folder folder;
  const auto missing = RealFiles().read(folder / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().fault, Fault::not_found);
  EXPECT_NE(missing.error().text.find(folder / "none"), std::string::npos);
  EXPECT_EQ(RealFiles().read(folder / "").error().fault, Fault::invalid);
  EXPECT_EQ(write_private_file(folder / "no/such/place", "x").error().fault, Fault::not_found);
}

// It is written under another name first, which means nothing to anybody.
TEST(RealFiles, TroubleInWritingNamesThePathThatWasAskedForAndLeavesNothing) {
  const Folder folder;
  const std::string nowhere = folder / "no/place";
  EXPECT_EQ(write_private_file(nowhere, "x").error().text,
            "creating " + nowhere + ": No such file or directory");
  std::filesystem::create_directories(folder / "taken/full");
  EXPECT_FALSE(write_private_file(folder / "taken", "x"));
  EXPECT_FALSE(std::filesystem::exists(folder / "taken.new"));
}

TEST(LentFile, GoesWithItsOwnerUnlessSomebodyElseWroteIt) {
  const Folder folder;
  {
    LentFile ours;
    LentFile theirs;
    ASSERT_TRUE(ours.write(folder / "ours", "a"));
    ASSERT_TRUE(theirs.write(folder / "theirs", "a"));
    EXPECT_EQ(*RealFiles().read(folder / "ours"), "a");
    ASSERT_TRUE(write_private_file(folder / "theirs", "b"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "ours"));
  EXPECT_EQ(*RealFiles().read(folder / "theirs"), "b");
}

TEST(RealFiles, MoreThanFourMebibytesAreRefused) {
  const Folder folder;
  std::ofstream(folder / "big") << std::string((std::size_t{4} << 20U) + 1, 'x');
  EXPECT_EQ(RealFiles().read(folder / "big").error().fault, Fault::invalid);
  EXPECT_EQ(RealFiles().read("/dev/zero").error().fault, Fault::invalid);
}

TEST(RealFiles, APipeWithoutAWriterDoesNotHang) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(*RealFiles().read(folder / "pipe"), "");
}

TEST(PrivateFolder, ATemporaryOneIsPrivateAndRemoved) {
  const Folder outer;
  std::string path;
  {
    PrivateFolder folder;
    ASSERT_TRUE(folder.open("", outer / ""));
    path = folder.path();
    ASSERT_TRUE(write_private_file(path + "/a", "x"));
    struct stat status{};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(PrivateFolder, ANamedOneStays) {
  const Folder outer;
  {
    PrivateFolder folder;
    ASSERT_TRUE(folder.open(outer / "kept", ""));
  }
  EXPECT_TRUE(std::filesystem::exists(outer / "kept"));
  EXPECT_FALSE(PrivateFolder().open(outer / "no/such", ""));
}

LogRecord record(std::string_view event) {
  return {WallTime{}, Level::info, event, {}, {}};
}

TEST(StderrLog, WritesALinePerRecord) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  StderrLog log(false, ends[1]);
  log.write(record("a"));
  log.write(record("b"));
  std::array<char, 200> buffer{};
  const auto n = ::read(ends[0], buffer.data(), buffer.size());
  EXPECT_EQ(std::string(buffer.data(), static_cast<std::size_t>(n)),
            format_text(record("a")) + "\n" + format_text(record("b")) + "\n");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(StderrLog, ALongLineIsCutButStaysJson) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  StderrLog log(true, ends[1]);
  const std::array<LogField, 1> fields{LogField{"body", std::string(100'000, 'x')}};
  log.write({WallTime{}, Level::warn, "too.long", {}, fields});
  std::array<char, 5000> buffer{};
  const auto n = ::read(ends[0], buffer.data(), buffer.size());
  const auto parsed = parse_json(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(string_at(*parsed, "event"), "too.long");
  EXPECT_GT(integer_at(&*parsed, "cut_bytes"), 100'000);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(StderrLog, AReaderThatIsSlowOrGoneCostsLinesOnly) {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  StderrLog log(true, ends[1]);
  for (int i = 0; i < 10'000; ++i) log.write(record("nobody.reads"));
  EXPECT_GT(log.dropped(), 0U);
  ::close(ends[0]);
  const auto before = log.dropped();
  log.write(record("reader.gone"));
  EXPECT_EQ(log.dropped(), before + 1);
  ::close(ends[1]);
}

}  // namespace
}  // namespace ferryman::app
