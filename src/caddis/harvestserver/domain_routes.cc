#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/routes.h"

namespace caddis::harvestserver {
namespace {

using sql::Connection;

constexpr size_t kMostErrors = 1000;

Result<std::string> domain_json(Connection& c, const std::string& name) {
  TRY(const harvest::Domain domain, harvest::find_domain(c, name));
  TRY(const auto fields, harvest::values_of(c, "domain", domain.id));
  return to_json(domain, fields);
}

// The name in the path, in any of its forms.
Result<std::string> name_in(const Call& call) { return harvest::domain_name_of(call.segment("domain")); }

Answer list(const Call& call) {
  TRY(const int64_t limit, call.parameter("limit", 100));
  TRY(const auto lines, call.parts.database.read([&](Connection& c) {
    return harvest::list_domains(c, call.parameters.text("part"), call.parameters.text("after"), limit);
  }));
  std::vector<std::string> rows;
  for (const harvest::DomainLine& line : lines) rows.push_back(to_json(line));
  const bool has_more = static_cast<int64_t>(lines.size()) == limit;
  return json_answer(json_page("domains", rows, has_more ? lines.back().name : ""));
}

// A line each: names, and errors with the number of their line.
Answer upload(const Call& call) {
  std::vector<std::string> names, errors;
  std::set<std::string> seen;
  int64_t number = 0, wrong = 0;
  for (const std::string_view line : split(call.body(), '\n')) {
    ++number;
    const std::string_view text = trim(line.substr(0, line.find(',')));
    if (text.empty() || text.starts_with('#')) continue;
    auto name = harvest::domain_name_of(text);
    if (!name) {
      ++wrong;
      if (errors.size() < kMostErrors)
        errors.push_back(
            JsonObject().add("line", number).add("text", text).add("error", name.error().message).finish());
      continue;
    }
    if (seen.insert(*name).second) names.push_back(*std::move(name));
  }
  TRY(const uint64_t created, call.parts.database.write([&](Connection& c) {
    return harvest::create_domains(c, names, new_domain_rule(call.parts.settings), call.edit());
  }));
  return json_answer(JsonObject()
                         .add("created", created)
                         .add("existing", names.size() - created)
                         .add("wrong", wrong)
                         .add_raw("errors", json_array(errors))
                         .finish());
}

Answer tell(const Call& call) {
  TRY(const std::string name, name_in(call));
  TRY(std::string json, call.parts.database.read([&](Connection& c) { return domain_json(c, name); }));
  return json_answer(std::move(json));
}

Answer save(const Call& call) {
  TRY(const std::string name, name_in(call));
  TRY(GivenDomain given, read_domain(call.body()));
  given.domain.name = name;
  if (!given.domain.alias_of.empty()) {
    TRY(given.domain.alias_of, harvest::domain_name_of(given.domain.alias_of));
  }
  TRY(std::string json, call.parts.database.write([&](Connection& c) -> Result<std::string> {
    TRY_VOID(harvest::save_domain(c, given.domain, call.edit()));
    if (given.has_fields) {
      TRY(const auto id, harvest::find_domain_id(c, name));
      TRY_VOID(harvest::save_values(c, "domain", id.value_or(0), given.fields));
    }
    return domain_json(c, name);
  }));
  return json_answer(std::move(json));
}

Answer add_owner(const Call& call) {
  TRY(const std::string name, name_in(call));
  TRY(const std::string text, read_text(call.body(), "text"));
  if (trim(text).empty()) return fail(ErrorCode::config, "an owner is described by some words");
  TRY(std::string json, call.parts.database.write([&](Connection& c) -> Result<std::string> {
    TRY_VOID(harvest::add_owner(c, name, text, call.edit()));
    return domain_json(c, name);
  }));
  return json_answer(std::move(json));
}

Answer list_aliases(const Call& call) {
  TRY(std::string json, call.parts.database.read([&](Connection& c) -> Result<std::string> {
    std::vector<std::string> rows;
    TRY_VOID(
        c.each("SELECT a.name, d.name, a.alias_confirmed FROM domains a JOIN domains d ON d.id = a.alias_of_id "
               "ORDER BY d.name, a.name LIMIT 100000",
               sql::Values(), [&](const sql::Row& row) {
                 const auto validity =
                     std::chrono::duration_cast<std::chrono::seconds>(call.parts.settings.harvest.alias_validity);
                 rows.push_back(JsonObject()
                                    .add("alias", row.text(0))
                                    .add("domain", row.text(1))
                                    .add("confirmed", row.number(2))
                                    .add("expires", row.number(2) + validity.count())
                                    .finish());
               }));
    return json_page("aliases", rows, "");
  }));
  return json_answer(std::move(json));
}

// Domains by what follows the last dot, the most first.
Answer tell_statistics(const Call& call) {
  std::map<std::string, int64_t> suffixes;
  TRY_VOID(call.parts.database.ask([&](Connection& c) -> Result<void> {
    suffixes.clear();
    return c.each("SELECT name FROM domains", sql::Values(), [&](const sql::Row& row) {
      const std::string name = row.text(0);
      const std::string suffix = name.substr(name.rfind('.') + 1);
      ++suffixes[parse_int(suffix) ? "(addresses)" : suffix];
    });
  }));
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto& [suffix, count] : suffixes) sorted.emplace_back(-count, suffix);
  std::ranges::sort(sorted);
  std::vector<std::string> rows;
  for (const auto& [count, suffix] : sorted)
    if (rows.size() < kMostErrors) rows.push_back(JsonObject().add("suffix", suffix).add("domains", -count).finish());
  return json_answer(json_page("suffixes", rows, ""));
}

constexpr Route kRoutes[] = {
    {"GET", "/api/statistics", "", tell_statistics},
    {"GET", "/api/domains", "part after limit", list},
    {"POST", "/api/domains", "", upload},
    {"GET", "/api/aliases", "", list_aliases},
    {"GET", "/api/domains/{domain}", "", tell},
    {"PUT", "/api/domains/{domain}", "", save},
    {"POST", "/api/domains/{domain}/owners", "", add_owner},
};

}  // namespace

std::span<const Route> domain_routes() { return kRoutes; }

}  // namespace caddis::harvestserver
