// Changes that people make in the crawl of a job that runs: URLs of its frontier, which can be looked at first, and scripts of its
// console. Its harvester does it, and answers; who has wanted it, and how much became of it, is on record. If it takes longer
// than a moment the answer can be looked for later.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

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
  std::string change;
  if (!order.dry) change = fmt::format("is to lose {} from its frontier", in_words(order));
  return ask_crawl(call, id, "delete", to_json(order), change);
}

Result<harvest::AskedQuestion> question_of(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY(const int64_t id, call.number("question"));
  TRY(auto asked,
      call.parts.database.read([&](sql::Connection& c) { return harvest::find_question(c, id, call.parts.now()); }));
  if (asked.job != job) return fail(ErrorCode::not_found, fmt::format("job {} has no question {}", job, id));
  if (asked.question.kind == "script" && call.identity.role < access::Role::admin)
    return fail(ErrorCode::denied, "the answer to a script of the console is for admins");
  return asked;
}

Answer tell_question(const Call& call) {
  TRY(const harvest::AskedQuestion asked, question_of(call));
  return json_answer(to_json(asked));
}

Answer list_questions(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY(const auto all,
      call.parts.database.read([&](sql::Connection& c) { return harvest::deletions_of(c, job, call.parts.now()); }));
  std::vector<std::string> rows;
  for (const harvest::AskedQuestion& one : all) rows.push_back(to_json(one));
  return json_answer(json_page("questions", rows, ""));
}

Answer give_up(const Call& call) {
  TRY(const harvest::AskedQuestion asked, question_of(call));
  TRY_VOID(call.parts.database.transact(
      [&](sql::Connection& c) { return harvest::give_up_question(c, asked.job, asked.question.id, call.edit()); }));
  return tell_question(call);
}

Answer run_script(const Call& call) {
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
    {"POST", "/api/jobs/{job}/console", "", run_script, access::Role::admin},
    {"GET", "/api/jobs/{job}/questions", "", list_questions},
    {"GET", "/api/jobs/{job}/questions/{question}", "", tell_question},
    {"POST", "/api/jobs/{job}/questions/{question}/give-up", "", give_up},
};

}  // namespace

std::span<const Route> frontier_routes() { return kRoutes; }

}  // namespace caddis::harvestserver
