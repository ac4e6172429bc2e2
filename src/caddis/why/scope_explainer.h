// Explains the verdict of the scope of a crawl on a URL, from its settings alone: nobody has to crawl. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/base/fingerprint_set.h"
#include "caddis/collection/launch.h"
#include "caddis/config/settings.h"
#include "caddis/config/settings_cache.h"
#include "caddis/control/api_types.h"
#include "caddis/io/files.h"
#include "caddis/scope/scope.h"

namespace caddis::why {

// Has the settings of a launch name its own copies of the lists of seeds: those that were given may have changed, were
// packed, or no files at all.
Result<void> name_copies_of_lists(io::Files& files, const collection::Launch& launch, config::Settings& settings);

class ScopeExplainer {
 public:
  // The seeds are those of the settings, of the lists that they name, and `more`.
  static Result<ScopeExplainer> create(const config::Settings& settings, const std::vector<std::string>& more);

  struct Question {
    std::string url, hops, via, source_seed;
    // Without it a URL is one if no hops led to it, and it is among the seeds.
    std::optional<bool> is_seed;
  };
  struct Answer {
    control::api::ScopeReport report;
    std::vector<std::string> table;  // a rule a line: what it says, the rule, and why
  };
  // A link, if no hops are named and it is no seed. ErrorCode::parse if it is no URL.
  Result<Answer> explain(Question question);

 private:
  ScopeExplainer(std::unique_ptr<scope::Scope> scope, std::shared_ptr<const config::SettingsResolver> book,
                 std::unique_ptr<FingerprintSet> seeds)
      : scope_(std::move(scope)), sites_(std::move(book)), seeds_(std::move(seeds)) {}

  std::unique_ptr<scope::Scope> scope_;
  config::SettingsCache sites_;
  std::unique_ptr<FingerprintSet> seeds_;  // their URLs
};

}  // namespace caddis::why
