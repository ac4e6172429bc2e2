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

// The metrics of a server: besides decisions, how many requests were refused since their client had sent too many.
std::string served_metrics(const ServedRules& rules, uint64_t refused_requests);

}  // namespace caddis::replay
