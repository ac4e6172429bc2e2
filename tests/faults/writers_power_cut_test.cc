// The promise of the commit protocol for all writers at once: whatever the power does, WARC files packed by zstd, ARC
// files in another folder and a mirror hold in the end what the site has served, once each.
#include <chrono>
#include <iterator>
#include <map>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "caddis/warc/reader.h"
#include "faults/campaign.h"

namespace caddis::testing {
namespace {

const std::string kCollection = SimCrawl::kCollection;

// The responses of ARC files in a folder, by URL.
std::multimap<std::string, std::string> responses_in(io::Files& files, const std::string& folder) {
  std::multimap<std::string, std::string> responses;
  for (const auto& entry : *files.list(folder)) {
    EXPECT_TRUE(entry.name.starts_with("OLD-") && entry.name.ends_with(".arc.gz")) << entry.name;
    const std::string bytes = *files.read_all(io::join_path(folder, entry.name));
    const warc::MemorySource source(bytes);
    warc::Reader reader(source);
    for (;;) {
      const auto record = reader.next();
      EXPECT_TRUE(record) << entry.name;
      if (!record || *record == nullptr) break;
      const std::string url((*record)->header().target_uri());
      const auto block = (*record)->read_all(1 << 20);
      EXPECT_TRUE(block) << entry.name;
      if (url.starts_with("http")) responses.emplace(url, *block);
    }
    for (const warc::Finding& finding : reader.take_findings())
      ADD_FAILURE() << entry.name << " at " << finding.offset << ": " << finding.message;
  }
  return responses;
}

// The places of mirrored documents, by URL, as the list has them.
std::map<std::string, std::string> mirrored(SimCrawl& crawl) {
  std::map<std::string, std::string> places;
  const auto launch = collection::latest_launch(crawl.disk.files, kCollection);
  const auto list = crawl.disk.files.read_all((*launch)->mirror_list());
  EXPECT_TRUE(list);
  for (const std::string_view line : split(list.value_or(""), '\n')) {
    const auto value = [&](const std::string& name) {
      const size_t begin = line.find("\"" + name + "\":\"") + name.size() + 4;
      return std::string(line.substr(begin, line.find('"', begin) - begin));
    };
    if (!line.empty()) places[value("url")] = value("path");
  }
  return places;
}

void verify_arcs(SimCrawl& crawl) {
  const auto copied = responses_in(crawl.disk.files, kCollection + "/arcs");
  for (const auto& [url, answer] : crawl.site.captures()) {
    const auto found = copied.equal_range(url);
    EXPECT_EQ(std::distance(found.first, found.second), 1) << url;
    if (found.first != found.second) EXPECT_TRUE(found.first->second == answer) << url << ": other bytes than served";
  }
  EXPECT_EQ(copied.size(), crawl.site.captures().size());
}

void verify_mirror(SimCrawl& crawl) {
  const auto places = mirrored(crawl);
  size_t compared = 0;
  for (const auto& [url, answer] : crawl.site.captures()) {
    if (answer.substr(9, 1) != "2" || answer.contains("-Encoding:")) continue;
    const auto place = places.find(url);
    ASSERT_NE(place, places.end()) << url << " is not mirrored";
    const auto document = crawl.disk.files.read_all(kCollection + "/mirror/" + place->second);
    ASSERT_TRUE(document) << url;
    EXPECT_TRUE(*document == answer.substr(answer.find("\r\n\r\n") + 4)) << url << " at " << place->second;
    ++compared;
  }
  EXPECT_GT(compared, 10u);
}

TEST(PowerCuts, AllWritersEndAsIfThereHadBeenNone) {
  const uint64_t moments = number_from("CADDIS_CRASH_MOMENTS", 400);
  Series series;
  for (uint64_t seed = first_seed(); series.moments < moments; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    crawl.settings.archive.writers = {"warc, packing zstd", "arc, folder arcs, prefix OLD", "mirror"};
    crawl.settings.archive.max_file_age = seed % 2 == 0 ? std::chrono::seconds(2) : std::chrono::seconds(0);
    crawl.settings.archive.own_file_above = seed % 3 == 0 ? 3'000 : 0;
    Random& random = crawl.disk.random;
    const uint64_t deaths = 4 + random.below(12);
    bool ended = false;
    while (!ended && crawl.disk.crashes() < deaths) ended = crawl.live(random_death(random));
    while (!ended && !::testing::Test::HasFailure()) ended = crawl.live({});
    crawl.verify();
    verify_arcs(crawl);
    verify_mirror(crawl);
    series.moments += crawl.disk.crashes();
    series.add(crawl);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace caddis::testing
