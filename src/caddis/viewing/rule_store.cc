#include "caddis/viewing/rule_store.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/log.h"
#include "caddis/io/change_lock.h"
#include "caddis/io/links.h"
#include "caddis/viewing/rule_file.h"

namespace caddis::viewing {
namespace {

constexpr Duration kLookedAtEach = std::chrono::seconds(1);

// For whoever finds the lock.
std::string words_of(const RuleChange& by) {
  std::string from = by.from.empty() ? std::string() : " from " + by.from;
  return fmt::format("a change of access rules by {}{} ({}: {})", by.who.empty() ? "nobody who is known" : by.who, from,
                     by.how, by.what);
}

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

bool RuleStore::put(std::shared_ptr<const RuleSet> rules, const Source& source, std::optional<uint64_t> version) {
  const std::scoped_lock lock(mutex_);
  if (version && *version != version_) return false;
  ++version_;
  rules_ = std::move(rules);
  source_ = source;
  problem_.clear();
  return true;
}

Result<RuleStore::Source> RuleStore::source() const {
  const std::string identity = &files_ == &io::real_files() ? io::real_path(path_).value_or(path_) : path_;
  TRY(const io::FileStamp stamp, io::stamp_of(files_, path_));
  return Source{stamp, identity};
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
  std::optional<Source> known;
  uint64_t version = 0;
  {
    const std::scoped_lock lock(mutex_);
    known = source_;
    version = version_;
  }
  if (!files_.exists(path_)) {
    if (!known) return {};
    return fail(ErrorCode::not_found, path_ + " is gone; the rules that it had stand until there is another one");
  }
  TRY(const Source now, source());
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
  // Several links may lead to one file: its own lock keeps their changes apart.
  TRY(const std::string written, io::written_path(files_, path_));
  TRY(const auto held, io::lock_for_change(files_, path_, written + ".lock", words_of(by)));
  std::string text;
  if (files_.exists(path_)) {
    TRY(text, files_.read_all(path_, kLargestRuleFile));
  }
  TRY(const std::string changed, edit(text));
  TRY(auto rules, parse(changed));
  TRY_VOID(files_.write_atomically(written, changed));
  TRY(const Source now, source());
  record(by, *rules);
  put(std::move(rules), now, std::nullopt);
  return {};
}

}  // namespace caddis::viewing
