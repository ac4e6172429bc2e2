// Files of a real folder, read on a real loop.
#include "caddis/protocols/local_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "caddis/aio/nursery.h"
#include "caddis/base/fetch_status.h"
#include "caddis/io/files.h"
#include "caddis/protocols/ftp_listing.h"
#include "support/testdata.h"

namespace caddis::protocols {
namespace {

using namespace std::chrono_literals;
using Listing = http::Resource::Listing;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class LocalFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    put("site/a.html", "<a href=b.txt>b</a>");
    put("site/sub/b c.txt", "deeper");
    put("secret.txt", "outside");
  }
  std::string at(std::string_view name) const { return folder_ / name; }
  void put(std::string_view name, std::string_view bytes) {
    ASSERT_TRUE(io::real_files().make_dirs(io::parent_path(at(name))));
    std::filesystem::remove(at(name));
    ASSERT_TRUE((*io::real_files().open_append(at(name)))->append(bytes));
  }

  // `escaped` begins at the test's folder.
  TransferResult fetch(std::string_view escaped) {
    Transfer transfer;
    transfer.path = at(escaped);
    transfer.limits = limits_;
    transfer.ticket = 7;
    std::optional<TransferResult> result;
    aio::run_to_end(*loop_, keep(std::move(transfer), result));
    return *std::move(result);
  }

  static std::string content(TransferResult& result) {
    if (!result) return fmt::format("{} {}", result.error().status, result.error().error.message);
    return result->response.to_string(1 << 20).value();
  }

  testing::TempDir folder_;
  http::Limits limits_;
  std::vector<std::string> folders_ = {folder_ / "site"};
  const std::unique_ptr<aio::Loop> loop_ = aio::make_loop(system_clock());
  std::unique_ptr<aio::Network> network_ = aio::make_network(*loop_);
  io::SpoolFolder spools_{io::real_files(), folder_ / "spool"};
  Wires wires_{*loop_, *network_};
  LocalFiles files_{wires_, spools_};

 private:
  aio::Task<void> keep(Transfer transfer, std::optional<TransferResult>& into) {
    into = co_await files_.fetch(std::move(transfer), folders_);
  }
};

TEST_F(LocalFilesTest, ReadsADocument) {
  TransferResult got = fetch("site/a.html");
  EXPECT_EQ(content(got), "<a href=b.txt>b</a>");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->resource->protocol, "file");
  EXPECT_EQ(got->resource->status, kFileRead);
  EXPECT_EQ(got->resource->listing, Listing::none);
  EXPECT_THAT(got->resource->reply, ::testing::EndsWith("Z"));
  EXPECT_EQ(got->head.find("content-type"), "text/html");
  EXPECT_EQ(got->truncated, http::Truncated::none);
  EXPECT_EQ(got->problem, "");
  EXPECT_EQ(got->remote.address, "");
  EXPECT_EQ(wires_.received(), 19u);
}

TEST_F(LocalFilesTest, PathsAreThoseOfUrls) {
  TransferResult escaped = fetch("site/sub/b%20c.txt");
  EXPECT_EQ(content(escaped), "deeper");
  for (const char* path :
       {"site/sub/..%2Fa.html", "site/%2e%2e/secret.txt", "site/a%00.html", "site/sub%2Fb%20c.txt"}) {
    TransferResult none = fetch(path);
    EXPECT_EQ(content(none), "550 no file has such a name") << path;
  }
}

TEST_F(LocalFilesTest, RefusesWhatTheSettingDoesNotName) {
  TransferResult outside = fetch("secret.txt");
  EXPECT_EQ(content(outside), "-7 fetch.files does not allow it: it lies in none of the folders");
  std::filesystem::create_symlink("../secret.txt", at("site/link"));
  TransferResult link = fetch("site/link");
  EXPECT_EQ(content(link), "-7 fetch.files does not allow it: a link leads out of the folder");
  ASSERT_EQ(::mkfifo(at("site/pipe").c_str(), 0600), 0);
  TransferResult pipe = fetch("site/pipe");
  EXPECT_THAT(content(pipe), StartsWith("-7 it is neither a file nor a folder"));
  folders_.clear();
  TransferResult none = fetch("site/a.html");
  EXPECT_THAT(content(none), HasSubstr("only if the setting fetch.files names a folder"));
}

TEST_F(LocalFilesTest, TellsWhatIsNotThere) {
  TransferResult none = fetch("site/none.html");
  EXPECT_THAT(content(none), StartsWith("550 cannot find"));
  EXPECT_FALSE(none.error().is_transient);
}

// Sorted, with all bytes of the names, and as links that lead back to them.
TEST_F(LocalFilesTest, ListsAFolder) {
  put("site/\xff\xfe.txt", "no UTF-8");
  put("site/with#hash?.txt", "odd");
  put("site/two\nlines", "left out");
  std::filesystem::create_symlink("a.html", at("site/link"));
  TransferResult got = fetch("site/");
  const std::string listing = content(got);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->resource->listing, Listing::mlsd);
  EXPECT_EQ(got->head.find("content-type"), "text/plain");
  EXPECT_THAT(listing, ::testing::MatchesRegex("type=file;size=19;modify=[0-9]{14}; a.html\r\n"
                                               "type=OS.unix=symlink;modify=[0-9]{14}; link\r\n"
                                               "type=dir;modify=[0-9]{14}; sub\r\n"
                                               "type=file;size=3;modify=[0-9]{14}; with#hash\\?.txt\r\n"
                                               "type=file;size=8;modify=[0-9]{14}; \xff\xfe.txt\r\n"));
  EXPECT_EQ(got->problem, "1 with a line end in the name are not listed");
  const auto urls = listed_urls("file:///site/", read_listing(listing, Listing::mlsd));
  EXPECT_THAT(urls, ::testing::ElementsAre("file:///site/a.html", "file:///site/link", "file:///site/sub/",
                                           "file:///site/with%23hash%3F.txt", "file:///site/%FF%FE.txt"));
  TransferResult odd = fetch("site/%FF%FE.txt");
  EXPECT_EQ(content(odd), "no UTF-8");
  TransferResult without_slash = fetch("site/sub");
  EXPECT_THAT(content(without_slash), HasSubstr("b c.txt"));
}

// More than a piece of the listing, and of the file.
TEST_F(LocalFilesTest, ReadsInPieces) {
  for (int i = 0; i < 3000; ++i) put(fmt::format("site/many/{:060}", i), "");
  TransferResult listed = fetch("site/many/");
  const std::string listing = content(listed);
  EXPECT_EQ(read_listing(listing, Listing::mlsd).size(), 3000u);
  std::string large;
  for (int i = 0; i < 100'000; ++i) large += fmt::format("{} ", i);
  put("site/large.bin", large);
  TransferResult got = fetch("site/large.bin");
  EXPECT_TRUE(content(got) == large);
}

TEST_F(LocalFilesTest, KeepsTheLimits) {
  limits_.max_body = 5;
  TransferResult cut = fetch("site/a.html");
  EXPECT_EQ(content(cut), "<a hr");
  EXPECT_EQ(cut->truncated, http::Truncated::length);
  limits_ = {};
  limits_.wants_body = [](const http::ResponseHead&, int64_t length) { return length != 19; };
  TransferResult unwanted = fetch("site/a.html");
  EXPECT_EQ(unwanted->truncated, http::Truncated::unwanted);
  EXPECT_EQ(content(unwanted), "");
  limits_ = {};
  limits_.bandwidth = 40;
  const SteadyTime begun = system_clock().steady();
  TransferResult slow = fetch("site/a.html");
  EXPECT_EQ(content(slow).size(), 19u);
  EXPECT_GE(system_clock().steady() - begun, 200ms);
  limits_.bandwidth = 1;
  limits_.total = 100ms;
  TransferResult late = fetch("site/a.html");
  ASSERT_TRUE(late) << late.error().error.message;
  EXPECT_EQ(late->truncated, http::Truncated::time);
}

// Whoever writes meanwhile is found out, and less than there was is not passed for all.
TEST_F(LocalFilesTest, TellsThatAFileHasChanged) {
  limits_.bandwidth = 400;
  put("site/log", std::string(150, 'x'));
  bool is_longer = true;
  const auto change = [&] {
    if (is_longer)
      ASSERT_TRUE((*io::real_files().open_append(at("site/log")))->append("more"));
    else
      std::filesystem::resize_file(at("site/log"), 110);
  };
  loop_->post([&] { loop_->at(system_clock().steady() + 100ms, change); });
  TransferResult longer = fetch("site/log");
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->problem, "the file has changed while it was read");
  EXPECT_EQ(longer->truncated, http::Truncated::none);
  is_longer = false;
  loop_->post([&] { loop_->at(system_clock().steady() + 100ms, change); });
  TransferResult shorter = fetch("site/log");
  ASSERT_TRUE(shorter);
  EXPECT_EQ(shorter->problem, "the file has changed while it was read");
  EXPECT_EQ(shorter->truncated, http::Truncated::disconnect);
}

TEST_F(LocalFilesTest, IsEndedFromOutside) {
  limits_.bandwidth = 1;
  loop_->post([&] { loop_->at(system_clock().steady() + 50ms, [&] { wires_.end(7); }); });
  TransferResult ended = fetch("site/a.html");
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().error.code, ErrorCode::cancelled);
  wires_.abort();
  TransferResult refused = fetch("site/a.html");
  ASSERT_FALSE(refused);
}

TEST(CheckFilesFolder, WantsAnAbsolutePath) {
  for (const char* folder : {"/", "/srv/site", "/srv/site/", "/srv/.hidden"}) EXPECT_TRUE(check_files_folder(folder));
  for (const char* none : {"", "srv", "./srv", "/srv/../etc", "/srv/./x", "file:///srv"})
    EXPECT_FALSE(check_files_folder(none)) << none;
}

}  // namespace
}  // namespace caddis::protocols
