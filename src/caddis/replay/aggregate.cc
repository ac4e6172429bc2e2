#include "caddis/replay/aggregate.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdxserver/index_folder.h"

namespace caddis::replay {
namespace {

using Collections = std::vector<std::shared_ptr<Collection>>;

std::string names_of(const Collections& collections) {
  std::string names;
  for (const auto& collection : collections)
    if (collection->members().empty()) names += (names.empty() ? "" : ", ") + collection->name();
  return names;
}

Result<std::shared_ptr<Collection>> member_of(const Collections& collections, const std::string& aggregate,
                                              std::string_view name) {
  const auto found = std::ranges::find(collections, name, [](const auto& one) -> const auto& { return one->name(); });
  if (found == collections.end())
    return fail(ErrorCode::config, "the aggregate '" + aggregate + "' names '" + std::string(name) +
                                       "', which is no collection here; there are: " + names_of(collections));
  if (!(*found)->members().empty())
    return fail(ErrorCode::config, "the aggregate '" + aggregate + "' names '" + std::string(name) +
                                       "', which is an aggregate itself: name its members");
  return *found;
}

bool has_name(const Collections& collections, std::string_view name) {
  return std::ranges::any_of(collections, [&](const auto& one) { return one->name() == name; });
}

std::shared_ptr<Collection> join_if_any(const std::string& name, Collections members, const AggregateWords& words) {
  if (members.empty()) return nullptr;
  const auto own = words.find(name);
  return Collection::join(name, std::move(members), own == words.end() ? Collection::Words() : own->second);
}

// Null if it has no members.
Result<std::shared_ptr<Collection>> parse_aggregate(const Collections& collections, std::string_view text,
                                                    AbsentMembers absent, const AggregateWords& words) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || !cdxserver::is_index_name(text.substr(0, equals)) || text.starts_with("-=") ||
      equals + 1 == text.size())
    return fail(ErrorCode::config,
                "'" + std::string(text) +
                    "' is no aggregate: write NAME=FIRST,SECOND, or NAME=* for all collections; "
                    "names have letters, digits, '-', '_' and '.', and none is that of an address of the server "
                    "(api, cdx, wayback, web, login, logout)");
  const std::string name(text.substr(0, equals));
  if (has_name(collections, name))
    return fail(ErrorCode::config, "the aggregate '" + name + "' has the name of another one, or of a collection");
  std::vector<std::shared_ptr<Collection>> members;
  if (text.substr(equals + 1) == "*") {
    for (const auto& collection : collections)
      if (collection->members().empty()) members.push_back(collection);
    return join_if_any(name, std::move(members), words);
  }
  for (const std::string_view one : split(text.substr(equals + 1), ',')) {
    if (absent == AbsentMembers::are_left_out && !has_name(collections, trim(one))) continue;
    TRY(auto member, member_of(collections, name, trim(one)));
    if (std::ranges::find(members, member) != members.end())
      return fail(ErrorCode::config, "the aggregate '" + name + "' names '" + member->name() + "' twice");
    members.push_back(std::move(member));
  }
  return join_if_any(name, std::move(members), words);
}

}  // namespace

Result<AggregateWords> aggregate_words(io::Files& files, const std::vector<std::string>& aggregates,
                                       const std::vector<std::string>& wanted) {
  AggregateWords words;
  for (const std::string& text : wanted) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return fail(ErrorCode::config, "'" + text + "' tells of no aggregate: write NAME=FILE");
    const std::string name = text.substr(0, equals), path = text.substr(equals + 1);
    if (std::ranges::none_of(aggregates, [&](const std::string& one) { return one.starts_with(name + '='); }))
      return fail(ErrorCode::config, "'" + name + "' is no aggregate: name it with --aggregate " + name + "=…");
    if (!files.exists(path)) return fail(ErrorCode::not_found, path + ": no such file, which tells of " + name);
    Collection::Words read = [&files, path] { return collection::read_metadata(files, path); };
    TRY_VOID(read());
    if (!words.emplace(name, std::move(read)).second)
      return fail(ErrorCode::config, "two files tell of the aggregate '" + name + "'");
  }
  return words;
}

Result<void> add_aggregates(Collections& collections, const std::vector<std::string>& wanted, AbsentMembers absent,
                            const AggregateWords& words) {
  for (const std::string& text : wanted) {
    TRY(auto aggregate, parse_aggregate(collections, text, absent, words));
    if (aggregate != nullptr) collections.push_back(std::move(aggregate));
  }
  return {};
}

}  // namespace caddis::replay
