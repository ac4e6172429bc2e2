#include "caddis/viewing/rule_store.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/log.h"
#include "caddis/viewing/rule_file.h"

namespace caddis::viewing {
namespace {

constexpr Duration kLookedAtEach = std::chrono::seconds(1);

}  // namespace

RuleStore::RuleStore(io::Files& files, const Clock& clock, std::string path)
    : files_(files),
      clock_(clock),
      path_(std::move(path)),
      audit_(files, path_ + ".audit.log"),
      rules_(*RuleSet::make({})) {}

std::shared_ptr<const RuleSet> RuleStore::rules() const {
  const std::scoped_lock lock(mutex_);
  return rules_;
}

std::string RuleStore::problem() const {
  const std::scoped_lock lock(mutex_);
  return problem_;
}

Result<std::shared_ptr<const RuleSet>> RuleStore::parse(const std::string& text) {
  TRY(RuleList list, parse_rules(text, path_));
  counts_.give_to(list);
  auto made = RuleSet::make(std::move(list));
  if (!made) return pass(std::move(made).error(), path_);
  return made;
}

bool RuleStore::put(std::shared_ptr<const RuleSet> rules, const io::FileStamp& stamp, std::optional<uint64_t> version) {
  const std::scoped_lock lock(mutex_);
  if (version && *version != version_) return false;
  ++version_;
  rules_ = std::move(rules);
  stamp_ = stamp;
  problem_.clear();
  return true;
}

void RuleStore::record(const RuleChange& by, const RuleSet& rules) {
  audit_.write({.time = clock_.wall(),
                .who = by.who,
                .from = by.from,
                .what = by.what,
                .how = by.how,
                .status = 200,
                .note = fmt::format("{} rules", rules.list().rules.size())});
}

Result<void> RuleStore::refresh() {
  std::optional<io::FileStamp> known;
  uint64_t version = 0;
  {
    const std::scoped_lock lock(mutex_);
    known = stamp_;
    version = version_;
  }
  if (!files_.exists(path_)) {
    if (!known) return {};
    return fail(ErrorCode::not_found, path_ + " is gone; the rules that it had stand until there is another one");
  }
  TRY(const io::FileStamp now, io::stamp_of(files_, path_));
  if (known == now) return {};
  TRY(const std::string text, files_.read_all(path_, kLargestRuleFile));
  TRY(auto rules, parse(text));
  // A change that was made while this was read (a takedown) is not undone by it.
  if (put(rules, now, version) && known)
    record({.who = {}, .from = {}, .how = "file", .what = "rules read anew"}, *rules);
  return {};
}

void RuleStore::refresh_now_and_then() {
  {
    const std::scoped_lock lock(mutex_);
    const SteadyTime now = clock_.steady();
    if (looked_ && now - *looked_ < kLookedAtEach) return;
    looked_ = now;
  }
  const auto refreshed = refresh();
  const std::string problem = refreshed ? std::string() : refreshed.error().message;
  const std::scoped_lock lock(mutex_);
  if (!problem.empty() && problem != problem_) log_warn("access", "{}; the former rules stand", problem);
  problem_ = problem;
}

Result<void> RuleStore::change(const RuleChange& by, const Edit& edit) {
  const std::scoped_lock changing(changing_);
  TRY_VOID(files_.make_dirs(io::parent_path(path_)));
  const auto held = files_.lock(path_ + ".lock", "a change of access rules");
  if (!held)
    return fail(held.error().code,
                fmt::format("{} is being changed by somebody else; try again ({})", path_, held.error().message));
  std::string text;
  if (files_.exists(path_)) {
    TRY(text, files_.read_all(path_, kLargestRuleFile));
  }
  TRY(const std::string changed, edit(text));
  TRY(auto rules, parse(changed));
  TRY_VOID(files_.write_atomically(path_, changed));
  TRY(const io::FileStamp stamp, io::stamp_of(files_, path_));
  record(by, *rules);
  put(std::move(rules), stamp, std::nullopt);
  return {};
}

}  // namespace caddis::viewing
