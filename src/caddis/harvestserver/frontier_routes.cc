// Changes that people make in the crawl of a job that runs: URLs of its frontier, which can be looked at first, and scripts of its
// console. Its harvester does it, and answers; who has wanted it, and how much became of it, is on record.

#include <fmt/format.h>

#include <algorithm>

#include "caddis/control/asked_crawl.h"
#include "caddis/harvest/questions.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/routes.h"

namespace caddis::harvestserver {
namespace {

constexpr size_t kMostScript = 64 << 10;

Answer list_waiting(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const int64_t limit, call.parameter("limit", 100));
  const std::string query = control::query_of({{"host", call.parameters.text("host")},
                                               {"regex", call.parameters.text("regex")},
                                               {"marker", call.parameters.text("marker")},
                                               {"limit", std::to_string(std::min<int64_t>(limit, 1000))},
                                               {"nearest", "1"}});
  return ask_crawl(call, id, "report", to_json(ReportQuestion{"/urls?" + query}));
}

Answer delete_waiting(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(DeletionOrder order, read_deletion(call.body()));
  if (order.host.empty() && order.regex.empty())
    return fail(ErrorCode::parse, "say what is to be deleted: host, regex, or both");
  order.actor = call.identity.name;
  return ask_crawl(call, id, "delete", to_json(order));
}

Answer run_script(const Call& call) {
  // It may do anything, and the gate goes by how a path ends.
  if (call.identity.role < access::Role::admin)
    return fail(ErrorCode::denied, "a script of the console needs an admin");
  TRY(const int64_t id, call.number("job"));
  TRY(ScriptOrder order, read_script(call.body()));
  if (order.script.empty() || order.script.size() > kMostScript)
    return fail(ErrorCode::parse, fmt::format("a script has 1 to {} bytes", kMostScript));
  order.actor = call.identity.name;
  if (order.script.contains('\0')) return fail(ErrorCode::parse, "a script is a text: it has no NUL");
  return ask_crawl(call, id, "script", to_json(order), fmt::format("runs a script in its crawl: {}", order.script));
}

constexpr Route kRoutes[] = {
    {"GET", "/api/jobs/{job}/frontier", "host regex marker limit", list_waiting},
    {"POST", "/api/jobs/{job}/frontier/delete", "", delete_waiting},
    {"POST", "/api/jobs/{job}/console", "", run_script},
};

}  // namespace

std::span<const Route> frontier_routes() { return kRoutes; }

}  // namespace caddis::harvestserver
