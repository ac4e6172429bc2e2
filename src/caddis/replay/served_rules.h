// The access rules of a server: those of one file for all collections, and those of each collection (`access.yaml` in its
// folder). Files are read again when they change.
//
// Any thread; `for_viewer` and `refresh` may look at a file.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
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
  static Result<std::shared_ptr<ServedRules>> open(io::Files& files, const Clock& clock, const std::string& file,
                                                   const std::vector<std::unique_ptr<Collection>>& collections);

  // Null if everything may be seen by everybody.
  std::shared_ptr<const viewing::ViewerRules> for_viewer(std::string_view collection, const viewing::Viewer& viewer);
  // Returns those of the server (an empty name), or of a collection; null if there are none.
  viewing::RuleStore* store(std::string_view collection);
  const viewing::DecisionCounts& counts() const { return *counts_; }
  std::vector<std::string> problems() const;
  // Whether everything may be seen by everybody.
  bool is_empty() const;
  // How many rules there are, in all files.
  size_t size() const;

 private:
  explicit ServedRules(const Clock& clock) : clock_(clock) {}
  Result<void> add(io::Files& files, std::string name, const std::string& path);

  const Clock& clock_;
  std::map<std::string, std::unique_ptr<viewing::RuleStore>, std::less<>>
      stores_;  // by name of collection, of which each has its own
  const std::shared_ptr<viewing::DecisionCounts> counts_ = std::make_shared<viewing::DecisionCounts>();
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
