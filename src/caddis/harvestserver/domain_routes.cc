#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/harvest/curator_settings.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/templates.h"
#include "caddis/harvestserver/domain_list.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/routes.h"

namespace caddis::harvestserver {
namespace {

using sql::Connection;

constexpr size_t kMostErrors = 1000;

bool sees_secrets(const Call& call) { return call.identity.role >= access::Role::manager; }

Result<std::string> domain_json(const Call& call, Connection& c, const std::string& name) {
  TRY(harvest::Domain domain, harvest::find_domain(c, name));
  if (!sees_secrets(call))
    for (harvest::Configuration& one : domain.configurations) one.overrides = harvest::shown_settings(one.overrides);
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

// Lays what a line says besides the name over a domain that is new.
Result<void> lay_over(Connection& c, const ListedDomain& listed, const harvest::Edit& edit) {
  TRY(harvest::Domain domain, harvest::find_domain(c, listed.name));
  harvest::Configuration& one = domain.configurations.front();
  if (!listed.seeds.empty()) domain.seed_lists.front().seeds = listed.seeds;
  if (!listed.template_name.empty()) one.template_name = listed.template_name;
  one.limits.bytes = listed.max_bytes.value_or(one.limits.bytes);
  one.limits.objects = listed.max_objects.value_or(one.limits.objects);
  domain.comments = listed.comments;
  return harvest::save_domain(c, domain, edit);
}

Result<uint64_t> create_listed(const Call& call, Connection& c, const DomainList& list) {
  std::vector<std::string> names;
  std::vector<const ListedDomain*> with_more;
  for (const ListedDomain& one : list.domains) {
    names.push_back(one.name);
    if (!one.has_more()) continue;
    TRY(const auto id, harvest::find_domain_id(c, one.name));
    if (!id) with_more.push_back(&one);
  }
  TRY(const uint64_t created, harvest::create_domains(c, names, new_domain_rule(call.parts.settings), call.edit()));
  for (const ListedDomain* one : with_more) TRY_VOID(lay_over(c, *one, call.edit()));
  return created;
}

Result<void> check_templates(const Call& call, DomainList& list) {
  TRY(const auto known, call.parts.database.read(harvest::list_templates));
  std::erase_if(list.domains, [&](const ListedDomain& one) {
    if (one.template_name.empty()) return false;
    if (std::ranges::find(known, one.template_name, &harvest::Template::name) != known.end()) return false;
    list.wrong.push_back({one.line, one.given, fmt::format("there is no template '{}'", one.template_name)});
    return true;
  });
  std::ranges::sort(list.wrong, {}, &WrongLine::line);
  return {};
}

Answer upload(const Call& call) {
  TRY(DomainList list, read_domain_list(call.body()));
  TRY_VOID(check_templates(call, list));
  TRY(const uint64_t created, call.parts.database.write([&](Connection& c) { return create_listed(call, c, list); }));
  std::vector<std::string> errors;
  for (const WrongLine& one : list.wrong)
    if (errors.size() < kMostErrors)
      errors.push_back(JsonObject().add("line", one.line).add("text", one.text).add("error", one.why).finish());
  return json_answer(JsonObject()
                         .add("created", created)
                         .add("existing", list.domains.size() - created)
                         .add("wrong", list.wrong.size())
                         .add_raw("errors", json_array(errors))
                         .finish());
}

Answer tell(const Call& call) {
  TRY(const std::string name, name_in(call));
  TRY(std::string json, call.parts.database.read([&](Connection& c) { return domain_json(call, c, name); }));
  return json_answer(std::move(json));
}

// Settings that were hidden stay; others are those that curators may set.
Result<void> guard_settings(const Call& call, Connection& c, harvest::Domain& given) {
  if (sees_secrets(call)) return {};
  TRY(const harvest::Domain known, harvest::find_domain(c, given.name));
  for (harvest::Configuration& one : given.configurations) {
    const std::string& was = one.was.empty() ? one.name : one.was;
    const auto before = std::ranges::find(known.configurations, was, &harvest::Configuration::name);
    if (before != known.configurations.end() && trim(one.overrides) == trim(harvest::shown_settings(before->overrides)))
      one.overrides = before->overrides;
    else if (auto good = harvest::check_settings_of_curators(one.overrides); !good)
      return pass(std::move(good.error()), fmt::format("configuration '{}'", one.name));
  }
  return {};
}

Answer save(const Call& call) {
  TRY(const std::string name, name_in(call));
  TRY(GivenDomain given, read_domain(call.body()));
  given.domain.name = name;
  if (!given.domain.alias_of.empty()) {
    TRY(given.domain.alias_of, harvest::domain_name_of(given.domain.alias_of));
  }
  TRY(std::string json, call.parts.database.write([&](Connection& c) -> Result<std::string> {
    TRY_VOID(guard_settings(call, c, given.domain));
    TRY_VOID(harvest::save_domain(c, given.domain, call.edit()));
    if (given.has_fields) {
      TRY(const auto id, harvest::find_domain_id(c, name));
      TRY_VOID(harvest::save_values(c, "domain", id.value_or(0), name, given.fields, call.edit()));
    }
    return domain_json(call, c, name);
  }));
  return json_answer(std::move(json));
}

Answer add_owner(const Call& call) {
  TRY(const std::string name, name_in(call));
  TRY(const std::string text, read_text(call.body(), "text"));
  if (trim(text).empty()) return fail(ErrorCode::config, "an owner is described by some words");
  TRY(std::string json, call.parts.database.write([&](Connection& c) -> Result<std::string> {
    TRY_VOID(harvest::add_owner(c, name, text, call.edit()));
    return domain_json(call, c, name);
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
                                    .add("shown_alias", harvest::shown_domain(row.text(0)))
                                    .add("domain", row.text(1))
                                    .add("shown", harvest::shown_domain(row.text(1)))
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
    {"POST", "/api/domains", "", upload, access::Role::curator},
    {"GET", "/api/aliases", "", list_aliases},
    {"GET", "/api/domains/{domain}", "", tell},
    {"PUT", "/api/domains/{domain}", "", save, access::Role::curator},
    {"POST", "/api/domains/{domain}/owners", "", add_owner, access::Role::curator},
};

}  // namespace

std::span<const Route> domain_routes() { return kRoutes; }

}  // namespace caddis::harvestserver
