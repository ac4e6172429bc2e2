#include "caddis/frontier/again.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::frontier {
namespace {

constexpr size_t kMostRules = 100;
constexpr int64_t kMostTimes = 1'000'000;
constexpr int64_t kLowest = -9999, kHighest = 999;
constexpr Duration kLongest = std::chrono::days(3650);

std::unexpected<Error> refuse(std::string_view text, std::string_view why) {
  return fail(ErrorCode::config,
              fmt::format("'{}': {}; write for example '5xx after 1h, 2 times' or '404 after 1d'", text, why));
}

std::optional<int> status_in(std::string_view text) {
  const auto number = parse_int(text);
  if (!number || *number < kLowest || *number > kHighest || *number == 0) return std::nullopt;
  return static_cast<int>(*number);
}

// The minus of a negative status is no range.
bool read_statuses(std::string_view text, AgainRule& rule) {
  if (text.size() == 3 && text.ends_with("xx") && text[0] >= '1' && text[0] <= '9') {
    rule.first = (text[0] - '0') * 100;
    rule.last = rule.first + 99;
    return true;
  }
  const size_t dash = text.find('-', 1);
  const auto first = status_in(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : status_in(text.substr(dash + 1));
  if (!first || !last || *first > *last) return false;
  rule.first = *first;
  rule.last = *last;
  return true;
}

}  // namespace

Result<AgainRule> parse_again_rule(std::string_view text) {
  constexpr std::string_view kAfter = " after ", kTimes = " times";
  AgainRule rule;
  const std::string_view whole = trim(text);
  const size_t after = whole.find(kAfter);
  if (after == std::string_view::npos) return refuse(text, "it says not after how long");
  if (!read_statuses(trim(whole.substr(0, after)), rule)) return refuse(text, "it begins with no status");
  std::string_view rest = whole.substr(after + kAfter.size());
  const size_t comma = rest.find(',');
  const auto wait = parse_duration(trim(rest.substr(0, comma)));
  if (!wait || *wait > kLongest) return refuse(text, "its time is none, or longer than ten years");
  rule.after = *wait;
  if (comma == std::string_view::npos) return rule;
  rest = trim(rest.substr(comma + 1));
  if (!rest.ends_with(kTimes)) return refuse(text, "behind the comma stands how often");
  const auto times = parse_int(trim(rest.substr(0, rest.size() - kTimes.size())));
  if (!times || *times < 1 || *times > kMostTimes) return refuse(text, "how often is a number from 1 to 1000000");
  rule.times = static_cast<uint32_t>(*times);
  return rule;
}

Result<Again> Again::parse(const std::vector<std::string>& rules) {
  if (rules.size() > kMostRules)
    return fail(ErrorCode::config, fmt::format("there are more than {} rules", kMostRules));
  Again again;
  for (const std::string& text : rules) {
    TRY(const AgainRule rule, parse_again_rule(text));
    again.rules_.push_back(rule);
  }
  return again;
}

std::optional<Duration> Again::after(int status, uint32_t times_before) const {
  const auto rule =
      std::ranges::find_if(rules_, [&](const AgainRule& one) { return one.first <= status && status <= one.last; });
  if (rule == rules_.end() || times_before >= rule->times) return std::nullopt;
  return rule->after;
}

Duration Again::longest() const {
  Duration longest{};
  for (const AgainRule& rule : rules_) longest = std::max(longest, rule.after);
  return longest;
}

}  // namespace caddis::frontier
