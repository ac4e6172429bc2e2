// Compares what a crawl has kept with what the world knows: reads WARC files record by record and crawl.log line by
// line, then walks through all that the oracle expects. Needs about 40 bytes of memory for a URL.
//
//   Verifier verifier(world, [](const Fault& fault) { ... });
//   TRY_VOID(verifier.add_archive(file));                   // each of them
//   TRY_VOID(verifier.add_log(file));
//   verifier.finish();                                      // finds what is missing
//
// One thread. Everything is taken for one crawl: a URL kept twice is a fault.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/warc/reader.h"
#include "simweb/oracle/oracle.h"

namespace simweb {

enum class FaultKind : uint8_t {
  missing,    // must be there, and is not
  extra,      // no URL of this web
  altered,    // not the bytes or the status that were sent
  duplicate,  // kept twice
  forbidden,  // robots.txt forbids it
};
inline constexpr int kFaultKinds = 5;
std::string_view to_string(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::missing;
  std::string url, reason;
};

struct VerifyCounts {
  uint64_t expected = 0;   // URLs that must be there
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

  caddis::Result<void> add_archive(const caddis::io::File& file);
  caddis::Result<void> add_log(const caddis::io::File& file);
  void add_log_line(std::string_view line);
  void finish();
  const VerifyCounts& counts() const { return counts_; }

 private:
  struct Seen {
    uint8_t kept = 0;
    bool forbidden = false;  // reported as such
    int16_t logged = 0;      // last status in crawl.log
  };
  struct Place {
    HostFacts host;
    PageRef page;
    bool wildcard = false;  // of a subdomain that answers under any name
  };
  // Where a URL lies in the world; nothing where it is none of its own.
  std::optional<Place> locate(std::string_view url) const;
  caddis::Result<void> add_record(caddis::warc::Record& record);
  void fault(FaultKind kind, std::string_view url, std::string reason);
  void check_missing(const HostFacts& host, const PageRef& page, const Expectation& expected);

  const World& world_;
  FaultSink sink_;
  VerifyCounts counts_;
  std::unordered_map<uint64_t, Seen> seen_;  // by a hash of host and page
};

// Every archive file and crawl.log of a collection: archive/*.warc[.gz], or those in the folder itself, and
// crawls/*/logs/crawl.log.
struct CollectionFiles {
  std::vector<std::string> archives, logs;
};
caddis::Result<CollectionFiles> find_collection_files(caddis::io::Files& files, const std::string& folder);

}  // namespace simweb
