// What every Files must do, asked of the real ones and of those in RAM; what only one of them can show stands below.
#include "caddis/io/files.h"
#include "caddis/io/stream.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>

#include "caddis/io/memory_files.h"
#include "support/testdata.h"

namespace caddis::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AnyFiles : public ::testing::TestWithParam<bool> {
 protected:
  Files& files() { return GetParam() ? real_files() : memory_; }
  std::string at(std::string_view name) { return GetParam() ? folder_ / name : join_path("/w", name); }
  void SetUp() override {
    if (!GetParam()) ASSERT_TRUE(memory_.make_dirs("/w"));
  }
  std::string content(std::string_view name) {
    auto bytes = files().read_all(at(name));
    return bytes ? *bytes : "error: " + bytes.error().message;
  }
  void put(std::string_view name, std::string_view bytes) {
    auto file = files().open_append(at(name));
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE((*file)->append(bytes));
  }

 private:
  testing::TempDir folder_;
  MemoryFiles memory_;
};

TEST_P(AnyFiles, AppendsReadsAndCuts) {
  auto file = files().open_append(at("a"));
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->append("hello "));
  ASSERT_TRUE((*file)->append("world"));
  ASSERT_TRUE((*file)->sync());
  EXPECT_EQ((*file)->size(), 11u);
  char buffer[32];
  EXPECT_EQ((*file)->read_at(6, buffer, sizeof buffer), 5u);
  EXPECT_EQ(std::string_view(buffer, 5), "world");
  EXPECT_EQ((*file)->read_at(11, buffer, sizeof buffer), 0u);
  EXPECT_EQ((*file)->read_at(99, buffer, sizeof buffer), 0u);
  ASSERT_TRUE((*file)->truncate(5));
  ASSERT_TRUE((*file)->append("!"));
  EXPECT_EQ(content("a"), "hello!");
}

TEST_P(AnyFiles, AppendsToWhatIsThere) {
  put("a", "one");
  put("a", "two");
  EXPECT_EQ(content("a"), "onetwo");
}

TEST_P(AnyFiles, ListsSorted) {
  put("b", "12");
  put("a", "");
  ASSERT_TRUE(files().make_dirs(at("c/d")));
  ASSERT_TRUE(files().make_dirs(at("c/d")));
  auto entries = files().list(at(""));
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ((*entries)[0].name, "a");
  EXPECT_EQ((*entries)[1].name, "b");
  EXPECT_EQ((*entries)[1].size, 2u);
  EXPECT_TRUE((*entries)[2].is_directory);
  EXPECT_TRUE(files().is_directory(at("c/d")));
  EXPECT_FALSE(files().is_directory(at("a")));
}

TEST_P(AnyFiles, RenamesOverAndLinks) {
  put("a", "new");
  put("b", "old");
  ASSERT_TRUE(files().rename(at("a"), at("b")));
  EXPECT_FALSE(files().exists(at("a")));
  EXPECT_EQ(content("b"), "new");
  ASSERT_TRUE(files().link(at("b"), at("c")));
  ASSERT_FALSE(files().link(at("b"), at("c")));
  ASSERT_TRUE(files().remove(at("b")));
  EXPECT_EQ(content("c"), "new");
}

TEST_P(AnyFiles, RemovedFilesStayReadableWhileOpen) {
  auto file = files().open_append(at("a"));
  ASSERT_TRUE(files().remove(at("a")));
  ASSERT_TRUE((*file)->append("still"));
  char buffer[8];
  EXPECT_EQ((*file)->read_at(0, buffer, sizeof buffer), 5u);
  EXPECT_FALSE(files().exists(at("a")));
}

TEST_P(AnyFiles, ErrorsNameThePath) {
  auto missing = files().open_read(at("nothing"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_THAT(missing.error().message, HasSubstr(at("nothing")));
  EXPECT_FALSE(files().open_append(at("no/folder")));
  EXPECT_FALSE(files().rename(at("nothing"), at("a")));
  EXPECT_FALSE(files().remove(at("nothing")));
  EXPECT_FALSE(files().list(at("nothing")));
  EXPECT_FALSE(files().sync_dir(at("nothing")));
  put("plain", "");
  EXPECT_FALSE(files().make_dirs(at("plain/x")));
  ASSERT_TRUE(files().make_dirs(at("full/x")));
  EXPECT_FALSE(files().remove(at("full")));
  EXPECT_TRUE(files().remove(at("full/x")));
}

TEST_P(AnyFiles, LocksExcludeAndSayWho) {
  auto first = files().lock(at("lock"), "pid 1 on earth");
  ASSERT_TRUE(first) << first.error().message;
  auto second = files().lock(at("lock"), "pid 2");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::conflict);
  EXPECT_THAT(second.error().message, HasSubstr("pid 1 on earth"));
  first->reset();
  EXPECT_TRUE(files().lock(at("lock"), "pid 3"));
  EXPECT_EQ(content("lock"), "pid 3");
}

TEST(RealFiles, PrivateFilesAreTheirOwners) {
  const testing::TempDir folder;
  ASSERT_TRUE(real_files().write_atomically_private(folder / "secret", "first"));
  ASSERT_TRUE(real_files().write_atomically_private(folder / "secret", "second"));
  EXPECT_EQ(*real_files().read_all(folder / "secret"), "second");
  EXPECT_EQ(std::filesystem::status(folder / "secret").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

mode_t mode_of(const std::string& path) {
  return static_cast<mode_t>(std::filesystem::symlink_status(path).permissions());
}

TEST(RealFiles, APrivateFolderIsItsOwners) {
  const testing::TempDir folder;
  Files& files = real_files();
  ASSERT_TRUE(files.make_dirs(folder / "launch/logs"));
  EXPECT_EQ(mode_of(folder / "launch"), 0755u);
  // Not there yet.
  ASSERT_TRUE(files.keep_private(folder / "launch/state"));
  ASSERT_TRUE(files.make_dirs(folder / "launch/state/db"));
  ASSERT_TRUE(files.write_atomically(folder / "launch//state/./db/a", "a"));
  ASSERT_TRUE(files.lock(folder / "launch/state/lock", "me"));
  EXPECT_EQ(mode_of(folder / "launch/state"), 0700u);
  EXPECT_EQ(mode_of(folder / "launch/state/db"), 0700u);
  EXPECT_EQ(mode_of(folder / "launch/state/db/a"), 0600u);
  EXPECT_EQ(mode_of(folder / "launch/state/lock"), 0600u);
  ASSERT_TRUE(files.write_atomically(folder / "launch/state-of-things", "b"));
  EXPECT_EQ(mode_of(folder / "launch/state-of-things"), 0644u);
  EXPECT_EQ(mode_of(folder / "launch"), 0755u);
}

TEST(RealFiles, AFolderIsMadePrivateWithAllThatItHolds) {
  const testing::TempDir folder;
  Files& files = real_files();
  ASSERT_TRUE(files.make_dirs(folder / "old/db"));
  for (const char* file : {"old/a", "old/db/b", "outside"}) ASSERT_TRUE(files.write_atomically(folder / file, "x"));
  std::filesystem::create_symlink(folder / "outside", folder / "old/link");
  ASSERT_TRUE(files.keep_private(folder / "old"));
  EXPECT_EQ(mode_of(folder / "old"), 0700u);
  EXPECT_EQ(mode_of(folder / "old/db"), 0700u);
  EXPECT_EQ(mode_of(folder / "old/a"), 0600u);
  EXPECT_EQ(mode_of(folder / "old/db/b"), 0600u);
  EXPECT_EQ(mode_of(folder / "outside"), 0644u) << "a link is not followed";
}

TEST(RealFiles, AFileIsMadePrivateToo) {
  const testing::TempDir folder;
  Files& files = real_files();
  for (const char* file : {"old", "other"}) ASSERT_TRUE(files.write_atomically(folder / file, "x"));
  for (const char* file : {"old", "new"}) ASSERT_TRUE(files.keep_private(folder / file));
  ASSERT_TRUE(files.open_append(folder / "new"));
  EXPECT_EQ(mode_of(folder / "old"), 0600u);
  EXPECT_EQ(mode_of(folder / "new"), 0600u);
  EXPECT_EQ(mode_of(folder / "other"), 0644u);
}

TEST(RealFiles, WhatOthersPutThereIsAFileOrNotRead) {
  const testing::TempDir folder;
  Files& files = real_files();
  ASSERT_TRUE(files.write_atomically(folder / "file", "bytes"));
  std::filesystem::create_symlink(folder / "file", folder / "link");
  std::filesystem::create_symlink(folder / "nowhere", folder / "dangling");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(files.open_read_foreign(folder / "file"));
  for (const char* name : {"link", "dangling", "pipe", ""})
    EXPECT_EQ(files.open_read_foreign(folder / name).error().code, ErrorCode::unsupported) << name;
  EXPECT_EQ(files.open_read_foreign(folder / "none").error().code, ErrorCode::not_found);
  const auto entries = files.list(folder / "");
  ASSERT_TRUE(entries);
  for (const DirectoryEntry& entry : *entries)
    EXPECT_EQ(entry.is_link, entry.name == "link" || entry.name == "dangling") << entry.name;
}

TEST_P(AnyFiles, WholeFiles) {
  ASSERT_TRUE(files().write_atomically(at("a"), "first"));
  put("a.tmp", "left by a process that died");
  ASSERT_TRUE(files().write_atomically(at("a"), "second"));
  EXPECT_EQ(content("a"), "second");
  EXPECT_FALSE(files().exists(at("a.tmp")));
  EXPECT_EQ(files().read_all(at("a"), 6), "second");
  EXPECT_EQ(files().read_all(at("a"), 5).error().code, ErrorCode::limit);
}

TEST_P(AnyFiles, KnowsFreeSpace) {
  EXPECT_GT(*files().free_space(at("")), 1000u);
  EXPECT_GT(*files().free_space(at("not/there/yet")), 1000u);
}

INSTANTIATE_TEST_SUITE_P(Real, AnyFiles, ::testing::Values(true));
INSTANTIATE_TEST_SUITE_P(Memory, AnyFiles, ::testing::Values(false));

TEST(RealFiles, ReadsFilesWithoutASize) {
  auto bytes = real_files().read_all("/proc/self/status");
  ASSERT_TRUE(bytes);
  EXPECT_THAT(*bytes, HasSubstr("Pid:"));
}

TEST(RealFiles, FullDiskSaysWhatToDo) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "/dev/full is not here";
  auto file = real_files().open_append("/dev/full");
  ASSERT_TRUE(file);
  auto written = (*file)->append("x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::no_space);
  EXPECT_THAT(written.error().message, HasSubstr("/dev/full: No space left on device (make room on its disk"));
}

// What would hold up who reads it for ever, or never ends.
TEST(RealFiles, OnlyRegularFilesAreRead) {
  const testing::TempDir folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto refusal = [](const std::string& path) {
    const auto read = real_files().read_all(path);
    return read ? "" : fmt::format("{} {}", to_string(read.error().code), read.error().message);
  };
  EXPECT_EQ(refusal(pipe), "unsupported " + pipe + " is a pipe, not a file: only regular files are read here");
  EXPECT_THAT(refusal("/dev/zero"), HasSubstr("/dev/zero is a device"));
  EXPECT_THAT(refusal(folder / ""), HasSubstr("is a folder"));
  EXPECT_THAT(refusal(folder / "none"), HasSubstr("not-found"));
  ASSERT_EQ(::symlink("pipe", (folder / "link").c_str()), 0);
  EXPECT_THAT(refusal(folder / "link"), HasSubstr("is a pipe"));
  EXPECT_EQ(refusal("/proc/self/stat"), "");
}

TEST(RealFiles, StreamsAreReadToTheirEnd) {
  const auto all = [](const std::string& path) -> Result<std::string> {
    TRY(const auto stream, InputStream::open(path));
    for (std::string text;;) {
      TRY(const std::string bytes, stream->read());
      if (bytes.empty()) return text;
      text += bytes;
    }
  };
  const testing::TempDir folder;
  const std::string large(1'000'000, 'x');
  ASSERT_TRUE(real_files().write_atomically(folder / "file", large));
  EXPECT_EQ(all(folder / "file").value(), large);
  EXPECT_EQ(all(folder / "none").error().code, ErrorCode::not_found);
  EXPECT_FALSE(all(folder / ""));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "from a pipe", 11), 11);
  ::close(ends[1]);
  EXPECT_EQ(all(fmt::format("/dev/fd/{}", ends[0])).value(), "from a pipe");
  ::close(ends[0]);
}

TEST(RealFiles, AFileAtTheLimitOfTheProcessSaysSo) {
  const auto write = [] {
    const testing::TempDir folder;
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto file = real_files().open_append(folder / "file");
    const auto written = (*file)->append(std::string(2000, 'x'));
    std::fprintf(stderr, "%s", written ? "written" : written.error().message.c_str());
    std::_Exit(!written && written.error().code == ErrorCode::limit ? 0 : 1);
  };
  EXPECT_EXIT(write(), ::testing::ExitedWithCode(0), "File too large .*ulimit -f");
}

TEST(Paths, JoinParentAndName) {
  EXPECT_EQ(join_path("a/b", "c"), "a/b/c");
  EXPECT_EQ(join_path("a/", "c"), "a/c");
  EXPECT_EQ(join_path("/", "c"), "/c");
  EXPECT_EQ(join_path("", "c"), "c");
  EXPECT_EQ(parent_path("a/b/c"), "a/b");
  EXPECT_EQ(parent_path("a/b/"), "a");
  EXPECT_EQ(parent_path("/c"), "/");
  EXPECT_EQ(parent_path("/"), "/");
  EXPECT_EQ(parent_path("c"), ".");
  EXPECT_EQ(base_name("a/b/c"), "c");
  EXPECT_EQ(base_name("a/b/"), "b");
  EXPECT_EQ(base_name("c"), "c");
  EXPECT_EQ(base_name("/"), "/");
}

}  // namespace
}  // namespace caddis::io
