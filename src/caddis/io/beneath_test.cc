// Real files in a real folder: links, races and special files are the system's.
#include "caddis/io/beneath.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <thread>

#include "caddis/io/files.h"
#include "support/testdata.h"

namespace caddis::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BeneathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    put("site/a.txt", "inside");
    put("site/sub/b.txt", "deeper");
    put("site-too/c.txt", "a neighbour");
    put("secret.txt", "outside");
  }
  std::string at(std::string_view name) const { return folder_ / name; }
  void put(std::string_view name, std::string_view bytes) {
    ASSERT_TRUE(real_files().make_dirs(parent_path(at(name))));
    ASSERT_TRUE(real_files().write_atomically(at(name), bytes));
  }
  void link(const std::string& target, std::string_view name) { std::filesystem::create_symlink(target, at(name)); }

  // The content, or the names of a folder, or "code: message".
  std::string found(std::string_view name) const {
    auto opened = open_beneath({at("site"), at("other")}, at(name));
    if (!opened) return std::string(to_string(opened.error().code)) + ": " + opened.error().message;
    if (opened->facts().is_folder) {
      std::string all;
      for (const std::string& each : opened->names(100).value()) all += each + " ";
      return all;
    }
    std::array<char, 100> buffer;
    return std::string(buffer.data(), opened->read_at(0, buffer.data(), buffer.size()).value());
  }

 private:
  testing::TempDir folder_;
};

TEST_F(BeneathTest, OpensWhatLiesInAFolder) {
  EXPECT_EQ(found("site/a.txt"), "inside");
  EXPECT_EQ(found("site/sub/b.txt"), "deeper");
  EXPECT_EQ(found("site"), "a.txt sub ");
  EXPECT_EQ(found("site/"), "a.txt sub ");
  EXPECT_EQ(found("site/sub/"), "b.txt ");
}

TEST_F(BeneathTest, OpensNothingElse) {
  const std::string none = "config: it lies in none of the folders";
  EXPECT_EQ(found("secret.txt"), none);
  EXPECT_EQ(found("site-too/c.txt"), none);
  EXPECT_EQ(found(""), none);
  EXPECT_EQ(found("site/../secret.txt"), "config: a link leads out of the folder");
  EXPECT_THAT(found("site/none.txt"), HasSubstr("No such file"));
  EXPECT_THAT(found("site/a.txt/"), ::testing::StartsWith("not-found"));
  EXPECT_THAT(found("other/x"), ::testing::StartsWith("not-found"));
}

TEST_F(BeneathTest, LinksStayInside) {
  link(at("secret.txt"), "site/absolute");
  link("../secret.txt", "site/relative");
  link("..", "site/up");
  link(at("site/a.txt"), "site/sub/own");
  link("sub", "site/again");
  const std::string out = "config: a link leads out of the folder";
  EXPECT_EQ(found("site/absolute"), out);
  EXPECT_EQ(found("site/relative"), out);
  EXPECT_EQ(found("site/up/secret.txt"), out);
  EXPECT_EQ(found("site/sub/own"), "inside");
  EXPECT_EQ(found("site/again/b.txt"), "deeper");
  EXPECT_EQ(found("site/again"), "b.txt own ");
}

TEST_F(BeneathTest, TheFolderItselfMayBeALink) {
  link("site-too", "other");
  EXPECT_EQ(found("other/c.txt"), "a neighbour");
}

TEST_F(BeneathTest, RefusesLinksThatGoRound) {
  link(".", "site/here");
  link("../..", "site/sub/above");
  link("..", "site/sub/up");
  const std::string round = "config: a link leads back into a folder above it";
  EXPECT_EQ(found("site/here"), round);
  EXPECT_EQ(found("site/sub/up"), round);
  EXPECT_EQ(found("site/sub/above"), "config: a link leads out of the folder");
  EXPECT_EQ(found("site/sub/up/a.txt"), "inside");
}

TEST_F(BeneathTest, NeverOpensSpecialFiles) {
  ASSERT_EQ(::mkfifo(at("site/pipe").c_str(), 0600), 0);
  const std::string no = "unsupported: it is neither a file nor a folder, but a device, a pipe or a socket";
  EXPECT_EQ(found("site/pipe"), no);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = at("site/socket");
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(found("site/socket"), no);
  ::close(listener);
  const auto device = open_beneath({"/dev"}, "/dev/zero");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().code, ErrorCode::unsupported);
}

TEST_F(BeneathTest, TellsWhatHasChanged) {
  const auto opened = open_beneath({at("site")}, at("site/a.txt"));
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->facts().size, 6);
  EXPECT_TRUE(opened->facts_now().value() == opened->facts());
  ASSERT_TRUE((*real_files().open_append(at("site/a.txt")))->append(" and more"));
  EXPECT_FALSE(opened->facts_now().value() == opened->facts());
}

TEST_F(BeneathTest, LooksAtNames) {
  link("nowhere", "site/link");
  ASSERT_EQ(::mkfifo(at("site/pipe").c_str(), 0600), 0);
  const auto folder = open_beneath({at("site")}, at("site"));
  ASSERT_TRUE(folder);
  using Kind = FoundBeneath::Kind;
  EXPECT_EQ(folder->look_at("a.txt")->kind, Kind::file);
  EXPECT_EQ(folder->look_at("a.txt")->size, 6);
  EXPECT_EQ(folder->look_at("sub")->kind, Kind::folder);
  EXPECT_EQ(folder->look_at("link")->kind, Kind::link);
  EXPECT_EQ(folder->look_at("pipe")->kind, Kind::special);
  EXPECT_EQ(folder->look_at("gone").error().code, ErrorCode::not_found);
  EXPECT_EQ(folder->names(2).error().code, ErrorCode::limit);
}

// Somebody turns a file into a link and back while it is opened.
TEST_F(BeneathTest, ARaceLeadsNowhere) {
  std::atomic<bool> is_over = false;
  const std::string swapped = at("site/swapped"), kept = at("site/kept"), bait = at("site/bait");
  put("site/kept", "inside");
  link(at("secret.txt"), "site/bait");
  std::thread swapper([&] {
    while (!is_over) {
      std::error_code error;
      std::filesystem::remove(swapped, error);
      std::filesystem::create_hard_link(kept, swapped, error);
      std::filesystem::rename(bait, swapped, error);
      std::filesystem::create_symlink(at("secret.txt"), bait, error);
    }
  });
  size_t inside = 0;
  for (int i = 0; i < 3000 || (inside == 0 && i < 1'000'000); ++i) {  // the other thread may sleep for long
    const std::string content = found("site/swapped");
    EXPECT_NE(content, "outside");
    inside += content == "inside" ? 1 : 0;
  }
  is_over = true;
  swapper.join();
  EXPECT_GT(inside, 0);
}

TEST(FolderOf, TakesTheLongest) {
  const std::vector<std::string> folders = {"/srv", "/srv/site/", "/data"};
  EXPECT_EQ(folder_of(folders, "/srv/site/a"), &folders[1]);
  EXPECT_EQ(folder_of(folders, "/srv/site"), &folders[1]);
  EXPECT_EQ(folder_of(folders, "/srv/sites"), &folders[0]);
  EXPECT_EQ(folder_of(folders, "/dataset"), nullptr);
  const std::vector<std::string> root = {"/"};
  EXPECT_EQ(folder_of(root, "/x"), root.data());
}

}  // namespace
}  // namespace caddis::io
