// How much of what it fetches a crawl reads for links, and what it says where that is not all.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/strings.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::SimCrawl;

constexpr size_t kRead = 64 * 1024;

class ReadingTest : public ::testing::Test {
 protected:
  ReadingTest() {
    crawl_.settings.extract.max_length = kRead;
    crawl_.settings.crawl.seeds.assign(1, "http://a.test/p0");
  }

  // A page or list whose only link stands behind what is read of it.
  static std::string answer(std::string_view status, std::string_view type, std::string_view begin,
                            std::string_view end, size_t filled = 2 * kRead) {
    const std::string body = std::string(begin) + std::string(filled, ' ') + std::string(end);
    return fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}", status, type, body.size(),
                       body);
  }

  // Lets the seeds lead to `url`, too, and gives the lines of crawl.log after the crawl.
  std::string log_of(const std::string& url, std::string bytes) {
    crawl_.settings.crawl.seeds.push_back(url);
    crawl_.site.add(url, std::move(bytes));
    EXPECT_TRUE(crawl_.live({}));
    return file("logs/crawl.log");
  }

  // Of the only launch.
  std::string file(const std::string& name) {
    const std::string crawls = crawl_.collection + "/crawls";
    const auto launches = crawl_.disk.files.list(crawls);
    return crawl_.disk.files.read_all(crawls + "/" + launches->at(0).name + "/" + name).value_or("");
  }

  static std::string line_of(const std::string& log, const std::string& url) {
    for (const std::string_view line : split(log, '\n'))
      if (line.contains(" " + url + " ")) return std::string(line);
    return {};
  }

  SimCrawl crawl_{1};
};

TEST_F(ReadingTest, LinksBehindTheLimitAreNotLostInSilence) {
  const std::string url = "http://a.test/long";
  const std::string log = log_of(url, answer("200 OK", "text/html", "<p>", "<a href=/behind>"));
  EXPECT_THAT(line_of(log, url), HasSubstr("readTrunc"));
  EXPECT_EQ(line_of(log, "http://a.test/behind"), "");
  EXPECT_THAT(file("reports/crawl-report.txt"), HasSubstr("\ndocuments read in part for links: 1\n"));
}

TEST_F(ReadingTest, WholePagesSayNothing) {
  const std::string url = "http://a.test/short";
  const std::string log = log_of(url, answer("200 OK", "text/html", "<p>", "<a href=/behind>", kRead / 2));
  EXPECT_THAT(line_of(log, url), Not(HasSubstr("readTrunc")));
  EXPECT_NE(line_of(log, "http://a.test/behind"), "");
}

TEST_F(ReadingTest, SitemapsAreReadFurther) {
  const std::string url = "http://a.test/sitemap.xml";
  const std::string log = log_of(url, answer("200 OK", "text/xml", "<?xml version='1.0'?><urlset>",
                                             "<url><loc>http://a.test/behind</loc></url></urlset>"));
  EXPECT_THAT(line_of(log, url), Not(HasSubstr("readTrunc")));
  EXPECT_NE(line_of(log, "http://a.test/behind"), "");
}

TEST_F(ReadingTest, PagesThatAreNotFoundHaveLinksBySetting) {
  const std::string url = "http://a.test/gone";
  const std::string bytes = answer("404 Not Found", "text/html", "<p>", "<a href=/behind>", 1);
  EXPECT_NE(line_of(log_of(url, bytes), "http://a.test/behind"), "");
  SimCrawl without(1);
  without.settings.extract.not_found_pages = false;
  without.settings.crawl.seeds.push_back(url);
  without.site.add(url, bytes);
  bool was_asked = false;
  without.site.on_request = [&](const std::string& asked, std::string_view) {
    was_asked |= asked.ends_with("/behind");
  };
  EXPECT_TRUE(without.live({}));
  EXPECT_FALSE(was_asked);
}

}  // namespace
}  // namespace caddis::crawl
