// URLs that people give, instead of pages: seeds, additions of operators, lines of action files and of recovery logs.
// They are scheduled as they are; whether a scope is asked is for the caller to say.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/crawl/settings_snapshot.h"
#include "caddis/frontier/frontier.h"
#include "caddis/scope/scope.h"
#include "caddis/url/canonicalize.h"
#include "caddis/url/url.h"

namespace caddis::config {
struct ScopeLine;
}  // namespace caddis::config

namespace caddis::crawl {

struct ActionName;
struct CommitPath;
struct CrawlState;
struct RecoveryLine;

// How many URLs of those that people give were taken. The others were known.
struct TakenUrls {
  uint64_t urls = 0;         // new, or forced
  uint64_t over_budget = 0;  // left out, as the budgets and patterns of hosts say
};

// Forms what the frontier takes of a URL, as the settings say that were in force when it was made. Belongs to one
// thread, whichever.
class UrlForms {
 public:
  UrlForms(std::shared_ptr<const SettingsSnapshot> settings, const scope::Scope& scope, frontier::Identity identity);

  // As it is to be scheduled, being its own seed. ErrorCode::config if it cannot be crawled.
  Result<frontier::ScheduledUrl> of(const url::Url& url);
  Result<frontier::ScheduledUrl> of(std::string_view text);
  // The URL of a line of an action file; nothing if the scope is asked and refuses it.
  Result<std::optional<frontier::ScheduledUrl>> of(const RecoveryLine& line, const ActionName& action);
  // The URL of a line with a request (request_line.h).
  Result<std::optional<frontier::ScheduledUrl>> of_request(std::string_view line, bool asks_scope);
  bool is_in_scope(const url::Url& url, std::string_view hops, std::string_view via);

 private:
  std::shared_ptr<const SettingsSnapshot> settings_;
  config::SettingsCache effective_;
  const scope::Scope& scope_;
  const frontier::Identity identity_;
  const url::KeyPolicy policy_;
};

class UrlIntake {
 public:
  // State and path must outlive the intake.
  UrlIntake(CrawlState& state, CommitPath& path) : state_(state), path_(path) {}

  // Forms by the present settings, for use on another thread.
  UrlForms forms() const;
  // The same on the loop, for one URL.
  Result<frontier::ScheduledUrl> form_of(const url::Url& url) const;
  Result<frontier::ScheduledUrl> form_of(std::string_view text) const;
  // With what its visit needs to know: a request other than a GET has a key of its own.
  Result<frontier::ScheduledUrl> form_of(const url::Url& url, const frontier::Attributes& attributes) const;

  // Into the present group; a seed among them widens the scope.
  TakenUrls take(std::vector<frontier::ScheduledUrl> urls);
  // Seeds that `origin` has named (seed_rows.h); those that are on record already stay as they are.
  TakenUrls take_seeds(std::vector<frontier::ScheduledUrl> seeds, std::string_view origin);
  // Widens or narrows the scope, for good.
  void take_scope_lines(const std::vector<config::ScopeLine>& lines);
  // They are not to be visited: they count as seen. Returns how many were not.
  uint64_t remember(const std::vector<frontier::ScheduledUrl>& urls);
  // The seeds of the settings that are not on record yet.
  Result<void> inject_seeds();

 private:
  using Answers = std::vector<frontier::ScheduleAnswer>;
  Result<void> take_some_seeds(std::vector<frontier::ScheduledUrl> seeds, std::string_view origin, TakenUrls& taken);
  Result<void> take_out_forced(std::vector<frontier::ScheduledUrl>& urls);

  CrawlState& state_;
  CommitPath& path_;
};

}  // namespace caddis::crawl
