// The domains of a job: by which configuration each is in it, and within which limits. They are on record from the moment at
// which the job is made.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/expectation.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

struct JobMember {
  std::string domain, configuration;
  Limits limits;         // of the configuration when the job was made; those of the job hold besides
  int64_t expected = 0;  // objects
  std::string traps;     // of the domain, as they are now
};
// The first `limit` by domain and configuration behind `after`, which is "domain/configuration". ErrorCode::not_found if there
// is no such job.
Result<std::vector<JobMember>> members_of_job(sql::Connection& connection, int64_t job, std::string_view after,
                                              int64_t limit);

}  // namespace caddis::harvest
