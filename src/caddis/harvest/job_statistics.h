// The yield of a crawl for each domain of its job, from its logs and its report of seeds.
//
// An object is a document that a server has answered for: a line of http.jsonl, ftp.jsonl, sftp.jsonl or whois.jsonl, whatever
// its status; robots.txt and other prerequisites are none. Bytes are those received, of prerequisites, too. Both count for
// the domain of the seed that led there, as quotas do, wherever they lie. A domain has reached a limit if something was
// left out for it (not-crawled.jsonl).
//
// Reads files of any size line by line; memory is that of the domains. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/harvest/jobs.h"
#include "caddis/harvest/outcome.h"
#include "caddis/io/files.h"

namespace caddis::harvest {

// How a crawl that has ended so leaves domains that have reached no limit, and of which something waits. `exit`: a name of the
// engine's ("FINISHED").
StopReason reason_of_exit(std::string_view exit);

struct JobStatistics {
  std::vector<DomainResult> domains;  // by name
  int64_t strange_lines = 0;          // that were none of a log, and are not counted
};
// Reasons are object_limit or size_limit for domains that have reached one, completed for those of whose seeds nothing waits,
// by seeds-report; else that of the exit. A domain of a seed is there also if it has brought nothing.
Result<JobStatistics> read_job_statistics(io::Files& files, const collection::Launch& launch, std::string_view exit);

}  // namespace caddis::harvest
