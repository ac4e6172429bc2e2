#include "caddis/cdx/unknown_fields.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace caddis::cdx {
namespace {

// Shown, though lines do not have them.
bool is_made_here(std::string_view name) {
  for (const std::string_view one : {kDupeCount, kGroupCount, kSkipCount, kEndTimestamp, kUniqCount})
    if (name == one) return true;
  return name == "range";
}

}  // namespace

UnknownFields::UnknownFields(const Query& query) {
  const auto add = [&](const std::string& name) {
    if (!name.empty() && !is_field_name(name) && std::ranges::find(names_, name) == names_.end())
      names_.push_back(name);
  };
  for (const std::string& name : query.fields)
    if (!is_made_here(name)) add(name);
  for (const Filter& filter : query.filters) add(filter.field_name());
  for (const Collapse& by : query.collapse) add(by.field);
}

std::shared_ptr<UnknownFields> UnknownFields::watch(Query& query) {
  auto unknown = std::make_shared<UnknownFields>(query);
  if (unknown->names_.empty()) return nullptr;
  query.left_out.allowed = [unknown, allowed = std::move(query.left_out.allowed)](const Capture& capture) {
    if (allowed && !allowed(capture)) return false;
    unknown->see(capture);
    return true;
  };
  return unknown;
}

void UnknownFields::see(const Capture& capture) {
  has_seen_ = true;
  if (names_.empty()) return;
  for (const auto& [name, json] : capture.extra) std::erase(names_, name);
}

std::string UnknownFields::told() const {
  std::string told;
  if (has_seen_)
    for (const std::string& name : names_) told += (told.empty() ? "" : ", ") + name;
  return told;
}

}  // namespace caddis::cdx
