#include "caddis/url/crawl_schemes.h"

#include <gtest/gtest.h>

namespace caddis::url {
namespace {

Url parsed(std::string_view text) { return Url::parse(text).value(); }

TEST(CrawlSchemes, AreThoseThatCanBeFetched) {
  for (const char* url :
       {"http://h/", "https://h/", "ftp://h/", "sftp://h/", "whois://h/q", "file:///a", "file://localhost/a"})
    EXPECT_TRUE(can_be_crawled(parsed(url))) << url;
  for (const char* url : {"file://server/share", "gopher://h/", "mailto:a@b", "sftp:///a", "data:,x", "blob:file:///a"})
    EXPECT_FALSE(can_be_crawled(parsed(url))) << url;
}

TEST(CrawlSchemes, FilesAreLedToByFiles) {
  EXPECT_TRUE(may_lead_to(parsed("file:///a"), parsed("file:///b")));
  EXPECT_TRUE(may_lead_to(parsed("file:///a"), parsed("http://h/")));
  for (const char* url : {"http://h/", "https://h/", "ftp://h/", "whois://h/q"})
    EXPECT_FALSE(may_lead_to(parsed(url), parsed("file:///b"))) << url;
}

TEST(CrawlSchemes, FilesHaveAHostOfTheirOwn) {
  EXPECT_EQ(crawl_host(parsed("file:///a")), "file:");
  EXPECT_EQ(crawl_host(parsed("http://file/")), "file");
  EXPECT_EQ(crawl_host(parsed("ftp://h:21/x")), "h");
  EXPECT_EQ(crawl_host(parsed("http://[::1]:80/")), "[::1]");
}

}  // namespace
}  // namespace caddis::url
