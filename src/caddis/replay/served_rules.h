// The access rules of a server: those of one file for all collections, and those of each collection (`access.yaml` in its
// folder). Files are read again when they change.
//
// Any thread; `for_viewer` and `refresh` may look at a file.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/replay/collection.h"
#include "caddis/viewing/rule_store.h"
#include "caddis/viewing/viewer_rules.h"

namespace caddis::replay {

// The file of rules in the folder of a collection.
inline constexpr std::string_view kRulesFile = "access.yaml";

class ServedRules {
 public:
  // `file` may be empty. ErrorCode::config if a file is there that cannot be used, or rules
  // of pywb that were not taken over; not_found if `file` is not.
  // `former`, if there is one, are those of a server whose collections come and go: what it has counted, its own rules,
  // and the rules of collections that stay are shared with it.
  static Result<std::shared_ptr<ServedRules>> open(io::Files& files, const Clock& clock, const std::string& file,
                                                   const std::vector<std::shared_ptr<Collection>>& collections,
                                                   const std::shared_ptr<ServedRules>& former = nullptr);

  // Null if everything may be seen by everybody.
  std::shared_ptr<const viewing::ViewerRules> for_viewer(std::string_view collection, const viewing::Viewer& viewer);
  // Returns those of the server (an empty name), or of a collection; null if there are none.
  viewing::RuleStore* store(std::string_view collection);
  // Says why a collection has none, and who has, in words for those who asked by that name.
  std::string why_none(std::string_view collection) const;
  const viewing::DecisionCounts& counts() const { return *counts_; }
  std::vector<std::string> problems() const;
  // Whether everything may be seen by everybody.
  bool is_empty() const;
  // How many rules there are, in all files.
  size_t size() const;

 private:
  struct Entry {
    std::shared_ptr<viewing::RuleStore> store;
    std::weak_ptr<Collection> of;  // nobody: of the server
  };

  ServedRules(const Clock& clock, std::shared_ptr<viewing::DecisionCounts> counts)
      : clock_(clock), counts_(std::move(counts)) {}
  Result<void> add(io::Files& files, std::string name, const std::string& path);
  // The same of a collection, whose rules are those that `former` has of it.
  Result<void> add(io::Files& files, const std::shared_ptr<Collection>& collection, const ServedRules* former);

  const Clock& clock_;
  std::map<std::string, Entry, std::less<>> stores_;            // by name of collection, of which each has its own
  std::map<std::string, std::string, std::less<>> aggregates_;  // by name, the names of its members
  const std::shared_ptr<viewing::DecisionCounts> counts_;
};

// A collection as a viewer sees it. Of an aggregate each member is seen by its own rules.
struct SeenCollection {
  std::shared_ptr<Collection> collection;
  std::shared_ptr<const viewing::ViewerRules> rules = nullptr;  // null: all of it is seen
  std::vector<SeenCollection> members = {};                     // of an aggregate, which has no rules itself

  // Whether captures of the URL are hidden, in it or in a member.
  bool hides_anything_of(std::string_view url) const;
};
// `rules` may be null. The collection must outlive it.
SeenCollection see(Collection& collection, ServedRules* rules, const viewing::Viewer& viewer);

}  // namespace caddis::replay
