#include "caddis/replay/served_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace caddis::replay {
namespace {

// Rules of pywb lie in acl/ of its collections. What they hide is not shown because nobody has read them.
Result<void> check_taken_over(io::Files& files, const std::string& folder) {
  const std::string place = io::join_path(folder, "acl");
  if (!files.is_directory(place) || files.exists(io::join_path(folder, kRulesFile))) return {};
  TRY(const auto entries, files.list(place));
  for (const io::DirectoryEntry& entry : entries) {
    if (entry.is_directory || entry.size == 0 || !entry.name.ends_with(".aclj")) continue;
    const std::string path = io::join_path(place, entry.name);
    return fail(ErrorCode::config,
                fmt::format("{} has access rules of pywb, and there is no {}: 'caddis access import --format pywb {} "
                            "--collection {}' takes them over",
                            path, io::join_path(folder, kRulesFile), path, folder));
  }
  return {};
}

}  // namespace

Result<void> ServedRules::add(io::Files& files, std::string name, const std::string& path) {
  auto store = std::make_unique<viewing::RuleStore>(files, clock_, path);
  TRY_VOID(store->refresh());
  // Never may a collection be shown by the rules of another one.
  if (stores_.contains(name))
    return fail(ErrorCode::config,
                fmt::format("{}: there is another collection '{}' with rules of its own", path, name));
  stores_[std::move(name)].store = std::move(store);
  return {};
}

Result<void> ServedRules::add(io::Files& files, const std::shared_ptr<Collection>& collection,
                              const ServedRules* former) {
  const std::string& name = collection->name();
  if (former != nullptr) {
    const auto known = former->stores_.find(name);
    if (known != former->stores_.end() && known->second.of.lock() == collection) {
      stores_.insert(*known);
      return {};
    }
  }
  TRY_VOID(check_taken_over(files, collection->path()));
  TRY_VOID(add(files, name, io::join_path(collection->path(), kRulesFile)));
  stores_.find(name)->second.of = collection;
  return {};
}

Result<std::shared_ptr<ServedRules>> ServedRules::open(io::Files& files, const Clock& clock, const std::string& file,
                                                       const std::vector<std::shared_ptr<Collection>>& collections,
                                                       const std::shared_ptr<ServedRules>& former) {
  auto rules = std::shared_ptr<ServedRules>(
      new ServedRules(clock, former != nullptr ? former->counts_ : std::make_shared<viewing::DecisionCounts>()));
  const auto of_server = former != nullptr ? former->stores_.find("") : rules->stores_.end();
  if (former != nullptr && of_server != former->stores_.end()) {
    rules->stores_.insert(*of_server);
  } else if (!file.empty()) {
    if (!files.exists(file))
      return fail(ErrorCode::not_found, file + ": no such file of access rules; 'caddis access add' makes one");
    TRY_VOID(rules->add(files, "", file));
  }
  for (const auto& collection : collections) {
    if (collection->members().empty()) TRY_VOID(rules->add(files, collection, former.get()));
    for (const auto& member : collection->members()) {
      std::string& names = rules->aggregates_[collection->name()];
      names += (names.empty() ? "" : ", ") + member->name();
    }
  }
  return rules;
}

std::shared_ptr<const viewing::ViewerRules> ServedRules::for_viewer(std::string_view collection,
                                                                    const viewing::Viewer& viewer) {
  viewing::ViewerRules::Sets sets;
  for (const std::string_view name : {std::string_view(), collection}) {
    viewing::RuleStore* const one = store(name);
    if (one == nullptr) continue;
    one->refresh_now_and_then();
    if (auto set = one->rules(); !set->is_empty()) sets.push_back(std::move(set));
  }
  if (sets.empty()) return nullptr;
  return std::make_shared<viewing::ViewerRules>(std::move(sets), viewer, clock_.wall(), counts_);
}

viewing::RuleStore* ServedRules::store(std::string_view collection) {
  const auto found = stores_.find(collection);
  return found == stores_.end() ? nullptr : found->second.store.get();
}

std::string ServedRules::why_none(std::string_view collection) const {
  if (collection.empty())
    return "the server has no rules for all collections (--access-rules): name one with ?collection=";
  const std::string name(collection);
  const auto aggregate = aggregates_.find(collection);
  if (aggregate == aggregates_.end()) return "there is no collection " + name;
  return name + " is an aggregate, which has no rules of its own: name one of its members (" + aggregate->second + ")";
}

std::vector<std::string> ServedRules::problems() const {
  std::vector<std::string> problems;
  for (const auto& [name, entry] : stores_)
    if (std::string problem = entry.store->problem(); !problem.empty()) problems.push_back(std::move(problem));
  return problems;
}

bool ServedRules::is_empty() const {
  return std::ranges::all_of(stores_, [](const auto& one) { return one.second.store->rules()->is_empty(); });
}

size_t ServedRules::size() const {
  size_t size = 0;
  for (const auto& [name, entry] : stores_) size += entry.store->rules()->list().rules.size();
  return size;
}

bool SeenCollection::hides_anything_of(std::string_view url) const {
  if (rules != nullptr && rules->hides_anything_of(url)) return true;
  return std::ranges::any_of(members, [&](const SeenCollection& member) { return member.hides_anything_of(url); });
}

SeenCollection see(Collection& collection, ServedRules* rules, const viewing::Viewer& viewer) {
  if (!collection.members().empty()) {
    SeenCollection seen;
    std::vector<std::shared_ptr<Collection>> members;
    for (const auto& member : collection.members()) {
      seen.members.push_back(see(*member, rules, viewer));
      members.push_back(seen.members.back().collection);
    }
    seen.collection = Collection::join(collection.name(), std::move(members), collection.words());
    return seen;
  }
  auto of_viewer = rules == nullptr ? nullptr : rules->for_viewer(collection.name(), viewer);
  if (!of_viewer) return {std::shared_ptr<Collection>(std::shared_ptr<void>(), &collection)};
  return {collection.seen_through(of_viewer), of_viewer};
}

}  // namespace caddis::replay
