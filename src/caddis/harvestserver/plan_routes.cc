#include <fmt/format.h>

#include <vector>

#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/routes.h"

namespace caddis::harvestserver {
namespace {

using sql::Connection;

template <class Item>
Answer page_of(std::string_view name, const Result<std::vector<Item>>& items) {
  if (!items) return std::unexpected(items.error());
  std::vector<std::string> rows;
  for (const Item& item : *items) rows.push_back(to_json(item));
  return json_answer(json_page(name, rows, ""));
}

template <class Item>
Answer save(const Call& call, const Result<Item>& given,
            Result<void> (*save_one)(Connection&, const Item&, const harvest::Edit&)) {
  if (!given) return std::unexpected(given.error());
  TRY_VOID(call.parts.database.transact([&](Connection& c) { return save_one(c, *given, call.edit()); }));
  return json_answer("{}");
}

Answer remove(const Call& call, std::string_view kind) {
  TRY_VOID(call.parts.database.transact(
      [&](Connection& c) { return harvest::remove_plan(c, kind, call.segment("name"), call.edit()); }));
  return json_answer("{}");
}

Answer list_schedules(const Call& call) {
  return page_of("schedules", call.parts.database.read(harvest::list_schedules));
}
Answer save_schedule(const Call& call) { return save(call, read_schedule(call.body()), harvest::save_schedule); }
Answer remove_schedule(const Call& call) { return remove(call, "schedule"); }
Answer list_channels(const Call& call) { return page_of("channels", call.parts.database.read(harvest::list_channels)); }
Answer save_channel(const Call& call) { return save(call, read_channel(call.body()), harvest::save_channel); }
Answer remove_channel(const Call& call) { return remove(call, "channel"); }
Answer list_traps(const Call& call) { return page_of("traps", call.parts.database.read(harvest::list_trap_lists)); }
Answer save_traps(const Call& call) { return save(call, read_trap_list(call.body()), harvest::save_trap_list); }
Answer remove_traps(const Call& call) { return remove(call, "list of traps"); }
Answer save_field(const Call& call) { return save(call, read_field(call.body()), harvest::save_field); }
Answer remove_field(const Call& call) {
  TRY_VOID(call.parts.database.transact([&](Connection& c) {
    return harvest::remove_plan(c, "field", call.segment("name"), call.edit(), call.parameters.text("target"));
  }));
  return json_answer("{}");
}
Answer remove_template(const Call& call) { return remove(call, "template"); }

Answer list_fields(const Call& call) {
  const std::string target = call.parameters.text("target");
  return page_of("fields", call.parts.database.read([&](Connection& c) { return harvest::list_fields(c, target); }));
}

Answer list_templates(const Call& call) {
  TRY(const auto all, call.parts.database.read(harvest::list_templates));
  std::vector<std::string> rows;
  for (const harvest::Template& one : all) rows.push_back(to_json(one, false));
  return json_answer(json_page("templates", rows, ""));
}

Answer tell_template(const Call& call) {
  TRY(const auto one,
      call.parts.database.read([&](Connection& c) { return harvest::find_template(c, call.segment("name")); }));
  return json_answer(to_json(one, true));
}

Answer save_template(const Call& call) {
  TRY(const harvest::Template given, read_template_json(call.body()));
  TRY_VOID(call.parts.database.transact([&](Connection& c) { return harvest::save_template(c, given, call.edit()); }));
  TRY(const auto one, call.parts.database.read([&](Connection& c) { return harvest::find_template(c, given.name); }));
  return json_answer(to_json(one, true));
}

constexpr Route kRoutes[] = {
    {"GET", "/api/schedules", "", list_schedules},
    {"POST", "/api/schedules", "", save_schedule, access::Role::curator},
    {"DELETE", "/api/schedules/{name}", "", remove_schedule, access::Role::curator},
    {"GET", "/api/channels", "", list_channels},
    {"POST", "/api/channels", "", save_channel},
    {"DELETE", "/api/channels/{name}", "", remove_channel},
    {"GET", "/api/traps", "", list_traps},
    {"POST", "/api/traps", "", save_traps, access::Role::curator},
    {"DELETE", "/api/traps/{name}", "", remove_traps, access::Role::curator},
    {"GET", "/api/fields", "target", list_fields},
    {"POST", "/api/fields", "", save_field},
    {"DELETE", "/api/fields/{name}", "target", remove_field},
    {"GET", "/api/templates", "", list_templates},
    {"POST", "/api/templates", "", save_template},
    {"GET", "/api/templates/{name}", "", tell_template, access::Role::manager},
    {"DELETE", "/api/templates/{name}", "", remove_template},
};

}  // namespace

std::span<const Route> plan_routes() { return kRoutes; }

}  // namespace caddis::harvestserver
