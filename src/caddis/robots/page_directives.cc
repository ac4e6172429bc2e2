#include "caddis/robots/page_directives.h"

#include <algorithm>
#include <array>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::robots {
namespace {

constexpr std::string_view kOurName = "caddis", kEveryone = "robots", kUnavailableAfter = "unavailable_after";
constexpr size_t kMostParts = 200;  // of one text; what stands behind them is not read

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view one) { return equals_ignore_case(word, one); });
}

// Words that have a value behind a colon. Any other word before one is the name of a robot.
bool has_value(std::string_view word) {
  return is_any_of(word, {kUnavailableAfter, "max-snippet", "max-image-preview", "max-video-preview"});
}

std::optional<WallTime> parsed(std::string_view text) {
  if (auto time = parse_w3c_date(text)) return *time;
  if (auto time = parse_http_date(text)) return *time;
  return std::nullopt;
}

// Zones that dates are seen with, by the hours they are behind GMT.
int hours_behind(std::string_view zone) {
  struct Zone {
    std::string_view name;
    int hours;
  };
  static constexpr auto kZones = std::to_array<Zone>(
      {{"PST", 8}, {"PDT", 7}, {"MST", 7}, {"MDT", 6}, {"CST", 6}, {"CDT", 5}, {"EST", 5}, {"EDT", 4}});
  const auto* const known = std::ranges::find(kZones, zone, &Zone::name);
  return known == kZones.end() ? 0 : known->hours;
}

// "25 Jun 2010 15:00:00 PST" and "25-Jun-2010" with one of four forms of RFC 822, RFC 850 and ISO 8601. A day of the
// week before it is no matter. Returns nothing for what is no date.
std::optional<WallTime> parse_date(std::string_view text) {
  text = trim(text);
  if (auto time = parsed(text)) return time;
  if (const size_t comma = text.find(','); comma != std::string_view::npos) text = trim(text.substr(comma + 1));
  std::string plain(text);
  std::ranges::replace(plain, '-', ' ');
  std::vector<std::string_view> words;
  for (const std::string_view word : split(plain, ' '))
    if (!word.empty()) words.push_back(word);
  constexpr size_t kDate = 3, kDayAndTime = 4;
  if (words.size() < kDate) return std::nullopt;
  std::string day(words[0]), year(words[2]);
  if (day.size() == 1) day.insert(0, 1, '0');
  if (year.size() == 2) year.insert(0, "20");
  std::string clock = words.size() >= kDayAndTime ? std::string(words[3]) : "00:00:00";
  if (clock.size() == 5) clock += ":00";
  // The day of the week is not looked at.
  const auto time = parsed(std::string("Mon, ")
                               .append(day)
                               .append(" ")
                               .append(words[1])
                               .append(" ")
                               .append(year)
                               .append(" ")
                               .append(clock)
                               .append(" GMT"));
  if (!time) return std::nullopt;
  return *time + std::chrono::hours(words.size() > kDayAndTime ? hours_behind(words[4]) : 0);
}

bool is_day_of_week(std::string_view word) {
  constexpr size_t kShort = 3;
  return word.size() >= kShort && is_any_of(word, {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Monday", "Tuesday",
                                                   "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"});
}

void add_word(std::string_view word, PageDirectives& into) {
  if (equals_ignore_case(word, "noindex"))
    into.noindex = true;
  else if (equals_ignore_case(word, "nofollow"))
    into.nofollow = true;
  else if (equals_ignore_case(word, "none"))
    into.noindex = into.nofollow = true;
  else if (equals_ignore_case(word, "noarchive") || equals_ignore_case(word, "nocache"))
    into.noarchive = true;
  else if (equals_ignore_case(word, "nosnippet"))
    into.nosnippet = true;
}

// Reads the parts between commas. `token`: null if no part can name a robot.
PageDirectives read(std::string_view text, const std::string_view* token) {
  PageDirectives found;
  bool is_for_us = true;
  std::vector<std::string_view> parts = split(text, ',');
  parts.resize(std::min(parts.size(), kMostParts));
  for (size_t i = 0; i < parts.size(); ++i) {
    std::string_view part = trim(parts[i]);
    size_t colon = part.find(':');
    if (token != nullptr && colon != std::string_view::npos && !has_value(trim(part.substr(0, colon)))) {
      is_for_us = addresses_us(trim(part.substr(0, colon)), *token);
      part = trim(part.substr(colon + 1));
      colon = part.find(':');
    }
    if (colon == std::string_view::npos) {
      if (is_for_us) add_word(part, found);
      continue;
    }
    if (!equals_ignore_case(trim(part.substr(0, colon)), kUnavailableAfter)) continue;
    std::string date(trim(part.substr(colon + 1)));
    // "Friday, 25-Jun-10 15:00:00 GMT" has a comma of its own.
    if (is_day_of_week(date) && i + 1 < parts.size()) date.append(", ").append(trim(parts[++i]));
    if (is_for_us) found.add({.unavailable_after = parse_date(date)});
  }
  return found;
}

}  // namespace

void PageDirectives::add(const PageDirectives& others) {
  noindex |= others.noindex;
  nofollow |= others.nofollow;
  noarchive |= others.noarchive;
  nosnippet |= others.nosnippet;
  if (others.unavailable_after)
    unavailable_after = std::min(unavailable_after.value_or(*others.unavailable_after), *others.unavailable_after);
}

bool PageDirectives::empty() const { return *this == PageDirectives(); }

std::string PageDirectives::text() const {
  std::string text;
  const auto say = [&](bool is_said, std::string_view word) {
    if (is_said) text.append(text.empty() ? "" : "+").append(word);
  };
  say(noindex, "noindex");
  say(nofollow, "nofollow");
  say(noarchive, "noarchive");
  say(nosnippet, "nosnippet");
  say(unavailable_after.has_value(), kUnavailableAfter);
  return text;
}

bool leaves_out(const PagePolicy& policy, const PageDirectives& said, WallTime now) {
  const auto is_asked = [](WhenSaid when) { return when == WhenSaid::leave_out; };
  return (said.noindex && is_asked(policy.noindex)) || (said.noarchive && is_asked(policy.noarchive)) ||
         (said.unavailable_after && *said.unavailable_after <= now && is_asked(policy.unavailable_after));
}

bool addresses_us(std::string_view name, std::string_view product_token) {
  return equals_ignore_case(name, kEveryone) || equals_ignore_case(name, kOurName) ||
         (!product_token.empty() && equals_ignore_case(name, product_token));
}

PageDirectives parse_directives(std::string_view content) { return read(content, nullptr); }

PageDirectives parse_robots_tag(std::string_view value, std::string_view product_token) {
  return read(value, &product_token);
}

}  // namespace caddis::robots
