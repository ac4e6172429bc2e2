// Compares what crawls have kept with what the world knows: reads WARC files record by record and crawl.log line by
// line, then walks through all that the oracle expects. Needs about 40 bytes of memory for a URL and crawl.
//
//   Verifier verifier(world, [](const Fault& fault) { ... });
//   TRY_VOID(verifier.add_archive(file, crawl));            // each of them; the crawl's name is that of its log, too
//   TRY_VOID(verifier.add_log(file, crawl));
//   TRY_VOID(verifier.add_outcomes(lines, crawl));          // if there are logs by protocol and by fate
//   verifier.finish();                                      // finds what is missing
//
// Each crawl is held against the oracle by itself: it must have everything, and a URL that it kept twice is a fault.
// What another crawl of the collection has kept makes no difference, with one exception: where the server answered 304,
// the payload may be in any of them. One thread.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/json_line.h"
#include "caddis/warc/reader.h"
#include "simweb/oracle/oracle.h"

namespace simweb {

enum class FaultKind : uint8_t {
  missing,    // must be there, and is not
  extra,      // no URL of this web
  altered,    // not the bytes or the status that were sent
  duplicate,  // kept twice
  forbidden,  // robots.txt forbids it
  unlogged,   // must be there, and is in none of the logs by protocol and by fate
  twice,      // in these logs twice, in one or in two of them
  protocol,   // came by another version of HTTP than its host speaks
};
inline constexpr int kFaultKinds = 8;
std::string_view to_string(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::missing;
  std::string url, reason;
  std::string crawl;
};

struct VerifyCounts {
  uint64_t crawls = 0;
  uint64_t expected = 0;   // URLs that must be there, in each crawl
  uint64_t captured = 0;   // of these, in the archive
  uint64_t on_record = 0;  // of these, only in crawl.log, as a failure that was to be
  uint64_t records = 0;    // responses and revisits read
  uint64_t revisits = 0;
  uint64_t traps = 0;  // records of traps
  std::array<uint64_t, kFaultKinds> faults{};
  uint64_t all_faults() const;
};

class Verifier {
 public:
  using FaultSink = std::function<void(const Fault&)>;
  Verifier(const World& world, FaultSink sink) : world_(world), sink_(std::move(sink)) {}

  caddis::Result<void> add_archive(const caddis::io::File& file, const std::string& crawl);
  caddis::Result<void> add_log(const caddis::io::File& file, const std::string& crawl);
  // A file of a log by protocol or by fate. If there is one of a crawl, all of them are added.
  caddis::Result<void> add_outcomes(caddis::io::TextLines& lines, const std::string& crawl);
  void finish();
  const VerifyCounts& counts() const { return counts_; }

 private:
  struct Seen {
    uint8_t kept = 0;
    bool unchanged = false;  // the server said so
    bool forbidden = false;  // reported as such
    int16_t logged = 0;      // last status in crawl.log
    uint8_t outcomes = 0;    // lines in the logs by protocol and by fate
  };
  struct Crawl {
    std::string name;
    bool has_outcomes = false;
    std::unordered_map<uint64_t, Seen> seen;  // by a hash of host and page
  };
  struct Place {
    HostFacts host;
    PageRef page;
    bool wildcard = false;  // of a subdomain that answers under any name
  };
  // Where a URL lies in the world; nothing where it is none of its own.
  std::optional<Place> locate(std::string_view url) const;
  Crawl& crawl_of(const std::string& name);
  void check_protocol(const Crawl& crawl, const HostFacts& host, std::string_view url, caddis::warc::Record& record);
  caddis::Result<void> add_record(Crawl& crawl, caddis::warc::Record& record);
  void add_log_line(Crawl& crawl, std::string_view line);
  void add_outcome(Crawl& crawl, const caddis::logs::JsonLine& line);
  void fault(const Crawl& crawl, FaultKind kind, std::string_view url, std::string reason);
  void check_missing(const Crawl& crawl, const HostFacts& host, const PageRef& page, const Expectation& expected);
  bool kept_by_any(uint64_t page) const;

  const World& world_;
  FaultSink sink_;
  VerifyCounts counts_;
  std::deque<Crawl> crawls_;
};

}  // namespace simweb
