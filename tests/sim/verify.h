// What must hold when a simulated crawl has ended, whatever it went through. Included by sim/crawl.h.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "caddis/base/fetch_status.h"
#include "caddis/base/status_word.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"
#include "caddis/io/gzip.h"
#include "caddis/warc/check.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/views.h"
#include "sim/crawl.h"

namespace caddis::testing {

// Reads an ended crawl back from its disk, and compares it with the site.
class SimVerifier {
 public:
  SimVerifier(SimCrawl& crawl, const Leniency& leniency)
      : files_(crawl.disk.files),
        site_(crawl.site),
        collection_(crawl.collection),
        before_(crawl.launch_before),
        done_(crawl.done),
        lenient_(leniency),
        lists_unqueued_(crawl.settings.logs.rejected_links),
        damage_(crawl.damage) {}

  void verify() {
    read_archive();
    verify_captures();
    verify_log();
    verify_outcomes();
    verify_index();
    verify_pages();
    verify_folders();
  }

 private:
  struct Difference {
    size_t missing = 0, surplus = 0;
  };
  // Names only what differs.
  Difference compare(std::string_view what, const std::multiset<std::string>& found,
                     const std::multiset<std::string>& expected) const {
    std::vector<std::string> missing, surplus;
    std::ranges::set_difference(expected, found, std::back_inserter(missing));
    std::ranges::set_difference(found, expected, std::back_inserter(surplus));
    const auto allows = [&](const Leniency::Judge& judge, const std::string& line) {
      return judge && judge(what, std::string_view(line).substr(0, line.find(' ')));
    };
    std::erase_if(missing, [&](const std::string& line) { return allows(lenient_.may_miss, line); });
    std::erase_if(surplus, [&](const std::string& line) {
      return (expected.contains(line) && allows(lenient_.may_repeat, line)) || allows(lenient_.may_appear, line);
    });
    EXPECT_THAT(missing, ::testing::IsEmpty()) << what;
    EXPECT_THAT(surplus, ::testing::IsEmpty()) << what;
    return {missing.size(), surplus.size()};
  }

  std::vector<std::string> names(const std::string& folder) {
    std::vector<std::string> names;
    const auto entries = files_.list(folder);
    EXPECT_TRUE(entries) << folder;
    if (entries)
      for (const auto& entry : *entries) names.push_back(entry.name);
    return names;
  }
  std::string launch() {
    std::string found;
    for (const std::string& name : names(collection_ + "/crawls")) {
      if (name == "lock" || name == before_ || !files_.exists(collection_ + "/crawls/" + name + "/crawl.yaml"))
        continue;
      EXPECT_TRUE(found.empty()) << "two launches: " << found << ", " << name;
      found = name;
    }
    EXPECT_FALSE(found.empty());
    return found;
  }
  // A stream whose file had to be given up goes on in "path.2" and so on.
  std::string read_parts(const std::string& path) {
    std::string all;
    for (int part = 1;; ++part) {
      const std::string name = part == 1 ? path : path + "." + std::to_string(part);
      // While it is packed, and for a while after that, both forms of a part are there.
      const bool is_packed = !files_.exists(name) && files_.exists(name + ".gz");
      if (!files_.exists(name) && !is_packed) return all;
      auto bytes = files_.read_all(is_packed ? name + ".gz" : name);
      if (bytes && is_packed) bytes = io::gunzip_all(*bytes, 1 << 30);
      EXPECT_TRUE(bytes) << name;
      if (bytes) all += *bytes;
    }
  }

  void read_archive() {
    for (const std::string& name : names(collection_ + "/archive")) {
      if (name.starts_with("after-")) continue;  // what is newer than a checkpoint that it went back to
      EXPECT_TRUE(name.ends_with(".warc.gz") || name.ends_with(".warc.zst")) << name;
      const auto bytes = files_.read_all(collection_ + "/archive/" + name);
      ASSERT_TRUE(bytes);
      const warc::MemorySource source(*bytes);
      const auto summary = warc::check_file(source, [&](const warc::Finding& finding) {
        ++damage_.invalid;
        ADD_FAILURE() << name << " at " << finding.offset << ": " << finding.code << ": " << finding.message;
      });
      ASSERT_TRUE(summary);
      read_file(name, source);
    }
  }
  void read_file(const std::string& name, const warc::ByteSource& source) {
    warc::Reader reader(source);
    bool is_of_before = false;
    for (bool first = true;; first = false) {
      const auto next = reader.next();
      ASSERT_TRUE(next) << next.error().message;
      warc::Record* record = *next;
      if (record == nullptr) return;
      EXPECT_EQ(first, record->type() == warc::RecordType::warcinfo) << name;
      const std::string url(record->header().target_uri());
      const auto block = record->read_all(1 << 20);
      ASSERT_TRUE(block);
      EXPECT_TRUE(ids_.insert(std::string(record->header().id())).second) << "an id twice";
      if (first) is_of_before = !before_.empty() && block->contains("caddis-crawl: " + before_);
      if (record->type() == warc::RecordType::response) {
        if (!is_of_before) responses_.emplace(url, *block);
        originals_[std::string(record->header().get("WARC-Record-ID"))] = {
            url, std::string(record->header().get("WARC-Date")), *block,
            std::string(record->header().payload_digest())};
      }
      if (is_of_before) continue;
      if (record->type() == warc::RecordType::revisit) revisits_.push_back({url, record->header(), *block});
      if (record->type() == warc::RecordType::resource) lookups_.insert(url);
      if (record->type() == warc::RecordType::request) requests_.insert(url);
      if (record->type() == warc::RecordType::metadata) metadata_.insert(url);
      if (record->type() == warc::RecordType::request || record->type() == warc::RecordType::metadata) continue;
      if (record->type() == warc::RecordType::warcinfo) continue;
      ASSERT_TRUE(record->finish());
      places_.insert(fmt::format("{} {} {}+{}", url, name, record->offset(), record->length()));
      place_starts_.insert(fmt::format("{} {} {}", url, name, record->offset()));
    }
  }

  // Each revisit names a response that is there, and stands for it with a head of its own.
  void resolve_revisits() {
    for (const RevisitRecord& revisit : revisits_) {
      const auto original = originals_.find(revisit.header.get("WARC-Refers-To"));
      ASSERT_NE(original, originals_.end()) << revisit.url << " refers to a record that is not there";
      const warc::Revisit fields(revisit.header);
      EXPECT_EQ(fields.refers_to_target_uri(), original->second.url);
      EXPECT_EQ(fields.refers_to_date(), parse_w3c_date(original->second.date).value());
      EXPECT_EQ(fields.payload_digest(), original->second.digest);
      EXPECT_EQ(fields.profile(), warc::Revisit::Profile::identical_payload_digest);
      const std::string& block = original->second.block;
      responses_.emplace(revisit.url, revisit.head + block.substr(block.find("\r\n\r\n") + 4));
    }
  }

  void verify_captures() {
    resolve_revisits();
    std::multiset<std::string> expected, found, looked_up;
    for (const auto& [url, bytes] : site_.captures())
      if (!done_.contains(url)) expected.insert(url);
    for (const auto& [url, block] : responses_) {
      found.insert(url);
      const auto known = site_.captures().find(url);
      if (known != site_.captures().end())
        EXPECT_EQ(block == known->second, true) << url << ": other bytes than served";
    }
    const Difference responses = compare("responses", found, expected);
    if (!before_.empty()) EXPECT_GT(revisits_.size(), expected.size() / 2) << "what is stored is not stored again";
    damage_.lost += responses.missing;
    damage_.twice += responses.surplus;
    compare("requests", requests_, expected);
    for (const auto& [host, addresses] : SimSite::addresses())
      if (!done_.contains("dns:" + host)) looked_up.insert("dns:" + host);
    compare("lookups", lookups_, looked_up);
    for (const std::string& url : metadata_) EXPECT_TRUE(found.contains(url) || looked_up.contains(url)) << url;
  }

  void verify_log() {
    const std::string log = read_parts(collection_ + "/crawls/" + launch() + "/logs/crawl.log");
    EXPECT_TRUE(log.ends_with('\n'));
    std::multiset<std::string> lines, expected;
    for (const std::string_view line : split(log, '\n')) {
      if (line.empty()) continue;
      std::vector<std::string_view> fields;
      for (const std::string_view field : split(line, ' '))
        if (!field.empty()) fields.push_back(field);
      // An object of JSON may stand behind them.
      const bool has_extra = fields.back().starts_with('{');
      ASSERT_EQ(fields.size(), has_extra ? 13u : 12u) << line;
      if (has_extra) verify_extra(fields[3], fields.back());
      lines.insert(fmt::format("{} {}", fields[3], fields[1]));
    }
    for (const auto& [url, status] : site_.log())
      if (!done_.contains(url)) expected.insert(fmt::format("{} {}", url, status));
    const Difference differs = compare("crawl.log", lines, expected);
    damage_.log += differs.missing + differs.surplus;
  }

  // The logs by protocol and by fate tell the same as crawl.log, each outcome in one of them; and where its records are.
  // If links that are not queued are on record, each is there once, and nowhere else.
  void verify_outcomes() {
    std::multiset<std::string> lines, expected, unqueued;
    for (const std::string name : {"http", "dns", "failures", "not-crawled"}) {
      const std::string path = collection_ + "/crawls/" + launch() + "/logs/" + name + ".jsonl";
      if (!files_.exists(path) && !files_.exists(path + ".gz")) continue;
      const std::string log = read_parts(path);
      ASSERT_TRUE(log.starts_with("{\"log\":\"" + name + "\",\"version\":1,")) << log.substr(0, 100);
      EXPECT_TRUE(log.ends_with("}\n"));
      for (const std::string_view line : split(log, '\n'))
        if (!line.empty() && !line.starts_with("{\"log\":")) read_outcome(name, line, lines);
    }
    for (const auto& [url, status] : site_.log())
      if (!done_.contains(url)) expected.insert(fmt::format("{} {}", url, status));
    compare("crawl.log", lines, expected);
    for (const auto& [url, word] : SimSite::unqueued()) {
      if (!lists_unqueued_ || done_.contains(url)) continue;
      EXPECT_FALSE(site_.log().contains(url));
      unqueued.insert(fmt::format("{} {}", url, word));
    }
    compare("links that are not queued", unqueued_, unqueued);
  }
  // The value of a member, without quotes; empty if there is none.
  static std::string_view member(std::string_view line, std::string_view name) {
    const std::string key = fmt::format("\"{}\":", name);
    const size_t at = line.find(key);
    if (at == std::string_view::npos) return {};
    std::string_view value = line.substr(at + key.size());
    if (!value.starts_with('"')) return value.substr(0, value.find_first_of(",}"));
    value.remove_prefix(1);
    return value.substr(0, value.find('"'));
  }
  void read_outcome(const std::string& log, std::string_view line, std::multiset<std::string>& lines) {
    const std::string_view word = member(line, "status");
    const bool is_answer = log == "http" || log == "dns";
    if (word == "rejected" || word == "duplicate") {
      EXPECT_EQ(log, "not-crawled") << line;
      EXPECT_EQ(member(line, word == "rejected" ? "rule" : "key").empty(), false) << line;
      unqueued_.insert(fmt::format("{} {}", member(line, "url"), word));
      return;
    }
    std::optional<FetchStatus> status = log == "dns" ? status::kDnsOk : status_of_word(word);
    if (log == "http") status = static_cast<FetchStatus>(parse_int(word).value_or(0));
    ASSERT_TRUE(status) << line;
    EXPECT_EQ(is_success(*status), is_answer) << line;
    if (!is_answer) EXPECT_EQ(is_disregarded(*status), log == "not-crawled") << line;
    lines.insert(fmt::format("{} {}", member(line, "url"), *status));
    if (is_answer && member(line, "warc").ends_with(".warc.gz"))
      EXPECT_TRUE(place_starts_.contains(
                      fmt::format("{} {} {}", member(line, "url"), member(line, "warc"), member(line, "offset"))) ||
                  lenient_.may_miss)
          << line;
  }
  // The place that it names of a capture is what the records say.
  void verify_extra(std::string_view url, std::string_view json) {
    constexpr std::string_view kFile = "\"warcFilename\":\"", kOffset = "\",\"warcFileOffset\":";
    const size_t file = json.find(kFile), offset = json.find(kOffset);
    if (file == std::string_view::npos) return;
    ASSERT_NE(offset, std::string_view::npos) << json;
    std::string_view number = json.substr(offset + kOffset.size());
    number.remove_suffix(1);
    const size_t begin = file + kFile.size();
    const std::string place = fmt::format("{} {} {}+", url, json.substr(begin, offset - begin), number);
    const auto found = places_.lower_bound(place);
    if (!lenient_.may_miss) EXPECT_TRUE(found != places_.end() && found->starts_with(place)) << place;
  }

  void verify_index() {
    const std::string index = read_parts(collection_ + "/indexes/" + launch() + ".cdxj");
    std::multiset<std::string> indexed;
    for (const std::string_view line : split(index, '\n')) {
      if (line.empty()) continue;
      const auto capture = cdx::parse_line(line);
      ASSERT_TRUE(capture) << line;
      indexed.insert(fmt::format("{} {} {}+{}", capture->url, capture->filename, capture->offset, capture->length));
    }
    compare("index", indexed, places_);
  }

  void verify_pages() {
    const auto pages = files_.read_all(collection_ + "/pages/pages.jsonl");
    ASSERT_TRUE(pages);
    std::multiset<std::string> found, expected;
    for (const std::string_view line : split(*pages, '\n')) {
      const size_t at = line.find("\"url\":\"");
      if (at != std::string_view::npos) found.emplace(line.substr(at + 7, line.find('"', at + 7) - at - 7));
    }
    for (const auto& [url, bytes] : site_.captures())
      if (!done_.contains(url) && bytes.starts_with("HTTP/1.1 200") && bytes.contains("text/html") &&
          !url.ends_with("/robots.txt"))
        expected.insert(url);
    const std::multiset<std::string> once = expected;
    if (!before_.empty()) expected.insert(once.begin(), once.end());  // the pages of both
    compare("pages", found, expected);
  }

  // No file but those that belong there.
  void verify_folders() {
    std::vector<std::string> folders = names(collection_);
    for (const char* const of_writers : {"arcs", "mirror", "archive-folders.txt"}) std::erase(folders, of_writers);
    EXPECT_THAT(folders, ::testing::UnorderedElementsAre("archive", "crawls", "indexes", "pages"));
    EXPECT_THAT(names(collection_ + "/pages"), ::testing::ElementsAre("pages.jsonl"));
    const std::string name = launch();
    std::vector<std::string> indexes = names(collection_ + "/indexes");
    std::erase(indexes, name + ".digests");  // a repair leaves none
    std::erase_if(indexes,
                  [&](const std::string& file) { return !before_.empty() && file.starts_with(before_ + "."); });
    EXPECT_THAT(indexes, ::testing::UnorderedElementsAre(name + ".cdxj", name + ".cdxj.meta"));
    const std::string folder = collection_ + "/crawls/" + name;
    EXPECT_THAT(names(folder), ::testing::UnorderedElementsAre("action", "crawl.yaml", "logs", "reports", "state"));
    const std::set<std::string> logs = {"crawl.log",      "nonfatal-errors.log", "progress-statistics.log",
                                        "uri-errors.log", "runtime-errors.log",  "alerts.log",
                                        "job.log",        "pages.jsonl",         "frontier.recover.gz",
                                        "mirror.jsonl",   "http.jsonl",          "dns.jsonl",
                                        "failures.jsonl", "not-crawled.jsonl"};
    const std::set<std::string> state = {"seen",  "seen-runs", "cdx-journal",         "orphans",
                                         "spool", "db",        "secrets.yaml",        "checkpoints",
                                         "seeds", "known",     "cdx-journal.segments"};
    // The index has what was in them.
    if (const std::string segments = folder + "/state/cdx-journal.segments"; files_.is_directory(segments)) {
      EXPECT_THAT(names(segments), ::testing::IsEmpty());
    }
    for (const std::string& file : names(folder + "/logs")) EXPECT_TRUE(logs.contains(without_part(file))) << file;
    for (const std::string& file : names(folder + "/state"))
      EXPECT_TRUE(state.contains(without_part(file)) || file.starts_with("after-")) << file;
  }
  static std::string without_part(std::string name) {
    if ((name.contains(".log") || name.contains(".jsonl")) && name.ends_with(".gz")) name.resize(name.size() - 3);
    const size_t dot = name.rfind('.');
    return dot != std::string::npos && parse_int(name.substr(dot + 1)) ? name.substr(0, dot) : name;
  }

  io::MemoryFiles& files_;
  const SimSite& site_;
  const std::string collection_;
  const std::string before_;  // the launch before, if there was one
  const std::set<std::string, std::less<>>& done_;
  const Leniency& lenient_;
  const bool lists_unqueued_;
  SimCrawl::Damage& damage_;
  struct OriginalRecord {
    std::string url, date, block, digest;
  };
  struct RevisitRecord {
    std::string url;
    warc::Header header;
    std::string head;
  };
  std::multimap<std::string, std::string> responses_;
  std::map<std::string, OriginalRecord, std::less<>> originals_;  // by id
  std::vector<RevisitRecord> revisits_;
  std::multiset<std::string> lookups_, requests_, metadata_, unqueued_;
  std::set<std::string> ids_;
  std::multiset<std::string> places_;
  std::set<std::string> place_starts_;  // URL, file and offset of each
};

inline void SimCrawl::verify(const Leniency& leniency) { SimVerifier(*this, leniency).verify(); }

}  // namespace caddis::testing
