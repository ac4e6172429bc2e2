// The stores of the archive, what is not as it should be in them, checks and repairs.

#include <fmt/format.h>

#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/harvest/copies.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/keeper.h"
#include "caddis/harvestserver/routes.h"

namespace caddis::harvestserver {
namespace {

using sql::Connection;

Result<std::string> store_in(const Call& call) {
  const std::string& name = call.segment("store");
  if (call.parts.keeper != nullptr && call.parts.keeper->has(name)) return name;
  return fail(ErrorCode::not_found, fmt::format("there is no store '{}'", name));
}

std::string to_json(const Keeper& keeper, const harvest::StoreTotals& totals) {
  return JsonObject()
      .add("name", totals.name)
      .add("place", keeper.words_of(totals.name))
      .add("stored", totals.stored)
      .add("bytes", totals.bytes)
      .add("wanted", totals.wanted)
      .add("missing", totals.missing)
      .add("wrong", totals.wrong)
      .add("oldest_check", totals.oldest_check)
      .finish();
}

std::string to_json(const harvest::Copy& copy) {
  return JsonObject()
      .add("file", copy.file)
      .add("job", copy.job)
      .add("name", copy.name)
      .add("kind", copy.kind)
      .add("state", copy.state)
      .add("bytes", copy.bytes)
      .add("sha256", copy.sha256)
      .add("found", copy.found)
      .add("checked", copy.checked)
      .add("problem", copy.problem)
      .finish();
}

Answer list(const Call& call) {
  std::vector<std::string> rows;
  if (call.parts.keeper != nullptr) {
    for (const std::string& name : call.parts.keeper->names()) {
      TRY(const auto totals, call.parts.database.read([&](Connection& c) { return harvest::totals_of(c, name); }));
      rows.push_back(to_json(*call.parts.keeper, totals));
    }
  }
  return json_answer(json_page("stores", rows, ""));
}

Answer list_files(const Call& call) {
  TRY(const std::string store, store_in(call));
  TRY(const int64_t limit, call.parameter("limit", 100));
  const std::string after_text = call.parameters.text("after");
  const int64_t after = after_text.empty() ? 0 : parse_int(after_text).value_or(0);
  TRY(const auto copies, call.parts.database.read([&](Connection& c) {
    return harvest::list_copies(c, store, call.parameters.text("state"), after, limit);
  }));
  std::vector<std::string> rows;
  for (const harvest::Copy& copy : copies) rows.push_back(to_json(copy));
  const bool has_more = static_cast<int64_t>(copies.size()) == limit;
  return json_answer(json_page("files", rows, has_more ? std::to_string(copies.back().file) : ""));
}

Answer check(const Call& call) {
  TRY(const std::string store, store_in(call));
  TRY(const int64_t count,
      call.parts.database.write([&](Connection& c) { return harvest::check_all(c, store, call.edit()); }));
  return json_answer(JsonObject().add("files", count).finish());
}

Answer repair(const Call& call) {
  TRY(const std::string store, store_in(call));
  TRY(const auto repairs, call.parts.database.write([&](Connection& c) {
    return harvest::repair_all(c, store, call.parts.keeper->names(), call.edit());
  }));
  return json_answer(JsonObject().add("files", repairs.files).add("left", repairs.left).finish());
}

constexpr Route kRoutes[] = {
    {"GET", "/api/stores", "", list},
    {"GET", "/api/stores/{store}/files", "state after limit", list_files},
    {"POST", "/api/stores/{store}/check", "", check},
    {"POST", "/api/stores/{store}/repair", "", repair},
};

}  // namespace

std::span<const Route> store_routes() { return kRoutes; }

}  // namespace caddis::harvestserver
