// The records of a job's metadata file (metadata_file.h): which there are, the text of one, lines of logs that a pattern finds,
// and the URLs that the job has missed. All of it is asked of a file that has been unpacked (unpacked_job.h); a call reads
// no more than its answer and its limits need, whatever the size of the logs.
//
// Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/unpacked_job.h"
#include "caddis/io/files.h"

namespace caddis::harvest {

struct JobRecord {
  std::string kind;  // "setup", "reports", "logs", "index"
  std::string name;  // "crawl.log"; of an index that of the archive file
  uint64_t bytes = 0;
  uint64_t offset = 0;   // in the metadata file
  std::string unpacked;  // the path of a log, unpacked; empty for others
};
Result<std::vector<JobRecord>> list_records(io::Files& files, const UnpackedJob& job);
// ErrorCode::not_found if there is none of that name.
Result<JobRecord> find_record(io::Files& files, const UnpackedJob& job, std::string_view kind, std::string_view name);
// As it is in the metadata file. ErrorCode::limit if it is longer than `most` bytes.
Result<std::string> read_job_record(io::Files& files, const UnpackedJob& job, const JobRecord& record, uint64_t most);

struct LineQuery {
  std::string match;   // RE2, found anywhere in a line; empty: every line
  uint64_t after = 0;  // lines of the log that are passed over
  size_t limit = 100;
  uint64_t most_bytes =
      uint64_t{64} << 20;  // of the log are looked through: a page may have fewer lines, and a next one
};
struct LinePage {
  std::vector<std::string> lines;
  std::optional<uint64_t> next;  // the `after` of what follows; nothing: there is no more
};
// ErrorCode::parse for a pattern that is none, ErrorCode::not_found for a log that is not there.
Result<LinePage> search_log(io::Files& files, const UnpackedJob& job, std::string_view log, const LineQuery& query);

// A URL that belongs to a page and was not captured well.
struct MissedUrl {
  std::string url, via;
  int64_t status = 0;  // as in crawl.log: 404, -5003, …
  std::string hops;    // how the crawl came to it
};
struct MissedQuery {
  bool with_links = false;  // what pages link to, too, and not what they embed alone
  std::string after;        // the URL behind which it begins; empty: the first
  size_t limit = 1000;
};
struct MissedPage {
  std::vector<MissedUrl> urls;  // in the order of their bytes
  bool has_more = false;
};
// URLs that were captured at another try, before or after, are not among them.
Result<MissedPage> missed_urls(io::Files& files, const UnpackedJob& job, const MissedQuery& query);

}  // namespace caddis::harvest
