#include "caddis/scope/pattern_list.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>

namespace caddis::scope {
namespace {

constexpr int64_t kMaxMemory = 64 << 20;

RE2::Options options() {
  RE2::Options made(RE2::Quiet);
  made.set_max_mem(kMaxMemory);
  made.set_never_capture(true);
  // URLs are ASCII where they come parsed; Latin-1 lets any other byte be matched as itself.
  made.set_encoding(RE2::Options::EncodingLatin1);
  return made;
}

// Whether everything that the pattern finds begins with a question mark.
bool begins_with_query(const RE2& pattern) {
  std::string least, greatest;
  return pattern.PossibleMatchRange(&least, &greatest, 4) && least.starts_with('?') && greatest.starts_with('?');
}

}  // namespace

struct PatternList::Compiled {
  RE2::Set set{options(), RE2::UNANCHORED};
  // For when the set's automaton outgrows its memory.
  std::vector<std::unique_ptr<const RE2>> single;
};

PatternList::PatternList() = default;
PatternList::~PatternList() = default;
PatternList::PatternList(PatternList&&) noexcept = default;
PatternList& PatternList::operator=(PatternList&&) noexcept = default;

Result<void> check_pattern(std::string_view pattern) {
  const RE2 compiled(pattern, options());
  if (compiled.ok()) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no RE2 expression: {}", pattern, compiled.error()));
}

Result<PatternList> PatternList::create(std::string_view setting, const std::vector<std::string>& patterns) {
  PatternList list;
  if (patterns.empty()) return list;
  auto compiled = std::make_unique<Compiled>();
  for (size_t i = 0; i < patterns.size(); ++i) {
    std::string reason;
    compiled->single.push_back(std::make_unique<RE2>(patterns[i], options()));
    if (!compiled->single.back()->ok())
      reason = compiled->single.back()->error();
    else
      compiled->set.Add(patterns[i], &reason);
    if (!reason.empty()) {
      return fail(ErrorCode::config,
                  fmt::format("{}[{}]: '{}' is no RE2 expression: {}", setting, i + 1, patterns[i], reason));
    }
  }
  if (!compiled->set.Compile()) {
    return fail(ErrorCode::config,
                fmt::format("{}: {} expressions are too many or too large together", setting, patterns.size()));
  }
  list.patterns_ = patterns;
  list.compiled_ = std::move(compiled);
  list.only_queries_ =
      std::ranges::all_of(list.compiled_->single, [](const auto& pattern) { return begins_with_query(*pattern); });
  return list;
}

std::string_view PatternList::find(std::string_view url) const {
  if (patterns_.empty()) return {};
  if (only_queries_) url.remove_prefix(std::min(url.find('?'), url.size()));
  if (only_queries_ && url.empty()) return {};
  const re2::StringPiece text(url.data(), url.size());
  RE2::Set::ErrorInfo error;
  if (!compiled_->set.Match(text, nullptr, &error) && error.kind == RE2::Set::kNoError) return {};
  for (size_t i = 0; i < patterns_.size(); ++i) {
    if (RE2::PartialMatch(text, *compiled_->single[i])) return patterns_[i];
  }
  return {};
}

}  // namespace caddis::scope
