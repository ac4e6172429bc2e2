// The result of a visit, for the committer: everything that follows from it, in one piece, so that it is committed as
// one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/archive/capture.h"
#include "caddis/base/clock.h"
#include "caddis/config/log_settings.h"
#include "caddis/cookies/cookie_jar.h"
#include "caddis/extract/extract.h"
#include "caddis/frontier/frontier.h"
#include "caddis/visit/feed_read.h"
#include "caddis/visit/log_entry.h"

namespace caddis::visit {

// A capture as one writer is to write it.
struct Written {
  explicit Written(io::Spool spool) : records{std::move(spool)} {}
  archive::Records records;
  size_t writer = 0;            // its place in the chain
  bool has_dictionary = false;  // records are packed with the dictionary of the crawl
  std::string path;             // of a mirror: where the document stands
};

// The place of a capture's records, known when they are written: on the worker of their group, and not before.
struct WrittenAt {
  std::string file;  // its name, without a folder; empty: no records were written
  uint64_t offset = 0;
};

// Records to append, and what the index says of them.
struct Capture {
  explicit Capture(io::Spool spool) : records{std::move(spool)} {}
  archive::Records records;  // of the first writer that keeps records; empty if there is none
  size_t writer = 0;
  bool has_dictionary = false;
  std::vector<Written> copies;  // of the other writers
  std::string prefix;           // of the names of files
  std::string url, mime, digest;
  std::string method, request_body;  // of another request than a GET, as indexes have it (cdx::CaptureFields)
  // The row by which later visits find its payload (dedup/original_row.h), if they may.
  std::optional<std::pair<std::string, std::string>> original;
  WallTime date;
  int status = 0;
  std::shared_ptr<WrittenAt> place;  // for whoever waits for it; may be null
};

// One outcome for the logs, with what statistics want to know of it.
struct LoggedVisit {
  LogEntry entry;
  std::string host;
  bool is_prerequisite = false;
  bool is_seed = false;
  std::string redirect;                            // where it leads, if it redirects
  std::shared_ptr<WrittenAt> place;                // of its capture; null if it has none
  std::shared_ptr<const FeedRead> feed = nullptr;  // of a feed that is polled, if it was answered
};

// A link that the scope rejects, as not-crawled.jsonl has it, and the mark by which the URL is known again.
struct RejectedLink {
  uint64_t mark = 0;
  std::string line;
};

struct VisitResult {
  frontier::Disposition disposition;
  // Redirects of robots.txt and chains that were left come first, the lease's own URL last.
  std::vector<LoggedVisit> visited;
  std::vector<Capture> captures;
  std::string page_line;                      // for pages.jsonl, with line end; empty if it is no page
  std::string outlink_lines;                  // for outlinks.jsonl, each with line end; empty if they are not wanted
  std::vector<frontier::ScheduledUrl> links;  // without those that the lane handed over lately
  std::vector<std::pair<std::string_view, uint64_t>> rejected;  // links by rule
  config::LinkLogs link_logs;                                   // by which it was judged, and the next two written
  std::string scope_lines;                                      // for scope.jsonl, with line ends; by setting
  std::vector<RejectedLink> rejected_links;                     // by setting; not those that the lane told lately
  std::vector<extract::BadLink> bad_links;                      // that stand in the document, and are none
  std::vector<std::string> new_seeds;                           // targets of seeds that redirect
  std::vector<std::string> new_ranges;                          // of addresses, that a seed's look-up allows
  cookies::Changes cookies;                                     // rows of the jar that it has changed
  std::string reason;                                           // why the try failed, in words

  // Bytes that it holds in memory until it is committed.
  uint64_t memory() const {
    uint64_t bytes = 4096 + scope_lines.size() + outlink_lines.size() + links.size() * 256 +
                     disposition.links.size() * sizeof(uint64_t);
    for (const RejectedLink& link : rejected_links) bytes += sizeof link + link.line.size();
    for (const extract::BadLink& link : bad_links) bytes += link.written.size() + link.why.size();
    for (const Capture& capture : captures) {
      bytes += capture.records.bytes.memory_view().size();
      for (const Written& copy : capture.copies) bytes += copy.records.bytes.memory_view().size();
    }
    return bytes;
  }
};

}  // namespace caddis::visit
