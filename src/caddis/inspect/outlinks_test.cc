#include "caddis/inspect/outlinks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace caddis::inspect {
namespace {

using ::testing::ElementsAre;

std::string record(std::string_view type, std::string_view url, std::string_view block) {
  return "WARC/1.1\r\nWARC-Type: " + std::string(type) +
         "\r\nWARC-Record-ID: <urn:uuid:0>\r\nWARC-Target-URI: " + std::string(url) +
         "\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/warc-fields\r\nContent-Length: " +
         std::to_string(block.size()) + "\r\n\r\n" + std::string(block) + "\r\n\r\n";
}

std::vector<std::string> links_of(const std::string& bytes, size_t most = 100) {
  std::vector<std::string> found;
  const auto done = each_outlink(warc::MemorySource(bytes), [&](const Outlink& link) {
    found.push_back(std::string(link.page) + " " + std::string(link.url) + " " + std::string(link.hop) + " " +
                    std::string(link.context));
    return found.size() < most;
  });
  EXPECT_TRUE(done);
  return found;
}

TEST(Outlinks, AreThoseOfMetadataRecords) {
  const std::string bytes =
      record("response", "http://a/", "outlink: http://no/ L a/@href\r\n") +
      record("metadata", "http://a/", "via: http://v/\r\noutlink: http://b/ L a/@href\r\noutlink: http://c/ E\r\n") +
      record("metadata", "http://d/",
             "outlink: \r\nsomething outlink: http://x/\r\noutlink: http://e/ X script with blanks");
  EXPECT_THAT(links_of(bytes), ElementsAre("http://a/ http://b/ L a/@href", "http://a/ http://c/ E ",
                                           "http://d/ http://e/ X script with blanks"));
  EXPECT_EQ(links_of(bytes, 2).size(), 2u);
}

}  // namespace
}  // namespace caddis::inspect
