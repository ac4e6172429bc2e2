// The API for those who run a server with access rules, and its metrics. Who may ask is decided before (access/gate.h).
//
//   GET    /api/access/rules?collection=NAME       the rules; without a collection, those of the server
//   POST   /api/access/rules?collection=NAME       a rule as JSON (names as in the file): {"id": …}
//   DELETE /api/access/rules/ID?collection=NAME
//   GET    /api/access/check?url=&time=&user=&role=&from=&collection=   the decision, with its reasons
//   GET    /metrics                                for Prometheus
//
// Any thread; it reads and writes files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/http/server.h"
#include "caddis/replay/served_rules.h"

namespace caddis::replay {

bool is_rules_path(std::string_view path);

struct RulesCaller {
  std::string user;  // who is recorded
  std::string address;
};

http::ServerResponse answer_rules(ServedRules& rules, const Clock& clock, const http::ServerRequest& request,
                                  const RulesCaller& caller);

// Counts of a server since it began.
struct ServedCounts {
  uint64_t refused_requests = 0;  // since their client had sent too many
  uint64_t broken_lines = 0;      // of index files (cdx/broken_lines.h)
};
// The metrics of a server: besides decisions, its counts.
std::string served_metrics(const ServedRules& rules, const ServedCounts& counts);

}  // namespace caddis::replay
