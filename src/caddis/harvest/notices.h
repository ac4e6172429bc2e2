// Conditions of an archive that people are told of while nobody looks: jobs that have failed, harvests that stand still,
// harvesters that were not heard of again, files that are not as they should be. A condition is told once, whoever looks and
// whatever server, until it has been over.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

enum class NoticeKind : uint8_t {
  job,    // a job has failed, or its harvester was lost
  still,  // a harvest or a harvester does not go on
  file,   // files in a store are not as they should be
};

struct Notice {
  NoticeKind kind = NoticeKind::job;
  std::string text;
  std::string page;  // its path behind the # of the server's address: "/jobs/12"
};

struct NoticeRules {
  int64_t silence = 1800;  // seconds after which a harvester is lost
  int64_t since = 0;       // from when on harvesters could be heard; before it, silence does not count
  int64_t least_free = 0;  // bytes of a harvester's disk
  std::vector<std::string> stores;
};

// The conditions that have come about since the last look, and forgets those that are over. The first look at a database
// returns nothing: what stands then is no news.
Result<std::vector<Notice>> new_notices(sql::Connection& connection, const NoticeRules& rules, int64_t now);

}  // namespace caddis::harvest
