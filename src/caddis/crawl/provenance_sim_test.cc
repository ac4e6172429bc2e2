// What a crawl puts on record of itself: the warcinfo record and the names of WARC files tell what is so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/io/gzip.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::SimCrawl;

struct Archived {
  std::vector<std::string> names;
  std::string warcinfo;  // of the first file
  std::string requests;
};

Archived crawl_with(const std::function<void(config::Settings&)>& change) {
  SimCrawl crawl(1);
  change(crawl.settings);
  Archived archived;
  crawl.site.on_request = [&](const std::string&, std::string_view head) { archived.requests += head; };
  EXPECT_TRUE(crawl.live({}));
  const std::string folder = crawl.collection + "/archive";
  for (const auto& entry : *crawl.disk.files.list(folder)) archived.names.push_back(entry.name);
  const auto bytes = crawl.disk.files.read_all(folder + "/" + archived.names.at(0));
  const std::string records = *io::gunzip_all(*bytes, 1 << 28);
  archived.warcinfo = records.substr(0, records.find("WARC/1.1", 1));
  return archived;
}

TEST(Provenance, TellsTheFromHeaderThatWasSent) {
  const Archived none = crawl_with([](config::Settings&) {});
  EXPECT_THAT(none.warcinfo, HasSubstr("\r\noperator: https://archive.test/\r\n"));
  EXPECT_THAT(none.warcinfo, Not(HasSubstr("http-header-from")));
  EXPECT_THAT(none.requests, Not(HasSubstr("\r\nFrom:")));
  const Archived some = crawl_with([](config::Settings& settings) {
    settings.fetch.from = "crawler@archive.test";
    settings.fetch.headers = {"User-Agent: other/1.0"};
  });
  EXPECT_THAT(some.warcinfo, HasSubstr("\r\nhttp-header-from: crawler@archive.test\r\n"));
  EXPECT_THAT(some.warcinfo, HasSubstr("\r\nhttp-header-user-agent: other/1.0\r\n"));
  EXPECT_THAT(some.requests, HasSubstr("\r\nFrom: crawler@archive.test\r\n"));
}

TEST(Provenance, NamesTheMachineAsTheOperatorDoes) {
  const Archived archived = crawl_with([](config::Settings& settings) {
    settings.archive.host_name = "crawler7.archive.test";
    settings.archive.name_template = "${prefix}-${serialno}~${heritrix.hostname}~${heritrix.port}";
  });
  EXPECT_THAT(archived.names, Each(EndsWith("~crawler7.archive.test~0.warc.gz")));
  EXPECT_THAT(archived.warcinfo, HasSubstr("\r\nhostname: crawler7.archive.test\r\n"));
}

}  // namespace
}  // namespace caddis::crawl
