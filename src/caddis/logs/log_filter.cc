#include "caddis/logs/log_filter.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <optional>

#include "caddis/base/status_word.h"
#include "caddis/base/strings.h"
#include "caddis/logs/log_field.h"

namespace caddis::logs {
namespace {

constexpr size_t kDigits = 17;  // of a time with milliseconds
constexpr int kLeast = -99'999, kMost = 99'999;

// The digits of a time, as many as fit into `into`; how many they are.
size_t digits_of(std::string_view time, std::array<char, kDigits>& into) {
  size_t count = 0;
  for (const char c : time) {
    if (count == into.size()) break;
    if (is_digit(c)) into[count++] = c;
  }
  return count;
}

// "2026-01-02T03:04Z" as digits, whole fields of a date: 4, 6, 8, 10, 12, 14 to 17.
Result<std::string> moment_of(std::string_view option, std::string_view text) {
  std::string digits;
  if (text.empty()) return digits;
  for (const char c : text)
    if (is_digit(c))
      digits += c;
    else if (std::string_view("-:TZ. ").find(c) == std::string_view::npos)
      digits.assign(1, '?');
  const bool is_even = digits.size() >= 4 && digits.size() <= 14 && digits.size() % 2 == 0;
  const bool has_millis = digits.size() > 14 && digits.size() <= kDigits;
  if ((!is_even && !has_millis) || digits.find('?') != std::string::npos)
    return fail(
        ErrorCode::config,
        fmt::format("{} {}: not a time; write 2026-01-02, 2026-01-02T03:04 or 20260102030405 (UTC)", option, text));
  return digits;
}

bool is_one_of(std::string_view value, const std::vector<std::string>& wanted) {
  return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
}

bool is_in_domain(std::string_view host, std::string_view domain) {
  if (!host.ends_with(domain)) return false;
  host.remove_suffix(domain.size());
  return host.empty() || host.ends_with('.');
}

}  // namespace

LogFilter::LogFilter() = default;
LogFilter::LogFilter(LogFilter&&) noexcept = default;
LogFilter& LogFilter::operator=(LogFilter&&) noexcept = default;
LogFilter::~LogFilter() = default;

Result<void> LogFilter::add_status(std::string_view text) {
  constexpr int kFirstError = 400, kClass = 100;
  if (text == "ok") return statuses_.push_back({1, kFirstError - 1, {}}), Result<void>();
  for (const std::string_view outcome : {"captured", "excluded", "failed"})
    if (text == outcome) return statuses_.push_back({0, 0, std::string(outcome)}), Result<void>();
  if (status_of_word(text) || text == "accepted" || text == "rejected")
    return statuses_.push_back({0, 0, std::string(text)}), Result<void>();
  if (text.size() == 3 && text.ends_with("xx") && text[0] >= '1' && text[0] <= '9') {
    const int first = (text[0] - '0') * kClass;
    return statuses_.push_back({first, first + kClass - 1, {}}), Result<void>();
  }
  const size_t dash = text.find('-', 1);
  const auto from = parse_int(text.substr(0, dash));
  const auto to = dash == std::string_view::npos ? from : parse_int(text.substr(dash + 1));
  if (!from || !to || *from < kLeast || *to > kMost || *from > *to)
    return fail(ErrorCode::config,
                fmt::format("--status {}: not a status; write 404, 5xx, 200-299, -9998, ok (below 400), captured, "
                            "excluded, failed, or a word: dns-failed",
                            text));
  statuses_.push_back({static_cast<int>(*from), static_cast<int>(*to), {}});
  return {};
}

Result<LogFilter> LogFilter::create(const FilterOptions& options) {
  LogFilter filter;
  filter.options_ = options;
  TRY(filter.from_, moment_of("--from", options.from));
  TRY(filter.to_, moment_of("--to", options.to));
  for (const std::string& list : options.statuses)
    for (const std::string_view one : split(list, ',')) TRY_VOID(filter.add_status(trim(one)));
  for (const std::string& pattern : options.regexes) {
    auto regex = std::make_unique<re2::RE2>(pattern, re2::RE2::Quiet);
    if (!regex->ok()) return fail(ErrorCode::config, fmt::format("--regex {}: {}", pattern, regex->error()));
    filter.regexes_.push_back(std::move(regex));
  }
  for (std::string& host : filter.options_.hosts) host = to_lower(host);
  for (std::string& domain : filter.options_.domains) domain = to_lower(domain);
  for (const std::string& member : options.members) {
    const size_t equals = member.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(ErrorCode::config, fmt::format("--where {}: write FIELD=VALUE, as in rule=max-hops", member));
    auto columns = parse_json_columns(member.substr(0, equals));
    if (!columns) return pass(columns.error(), "--where " + member);
    if (columns->size() != 1)
      return fail(ErrorCode::config, fmt::format("--where {}: one field at a time; give --where again", member));
    const std::string value = member.substr(equals + 1);
    filter.members_.emplace_back(std::move(columns->front()), value.empty() ? "-" : value);
  }
  const FilterOptions& kept = filter.options_;
  filter.is_empty_ = kept.hosts.empty() && kept.domains.empty() && filter.statuses_.empty() && kept.mimes.empty() &&
                     kept.seeds.empty() && kept.vias.empty() && kept.annotations.empty() && kept.members.empty() &&
                     filter.regexes_.empty() && filter.from_.empty() && filter.to_.empty();
  return filter;
}

bool LogFilter::matches_time(std::string_view time) const {
  std::array<char, kDigits> digits;
  const std::string_view at(digits.data(), digits_of(time, digits));
  if (!from_.empty() && at < from_) return false;
  return to_.empty() || at.substr(0, to_.size()) <= to_;
}

// `word`: that of the line, or of its number.
bool LogFilter::matches_status(std::optional<int> status, std::string_view word, std::string_view url) const {
  return std::ranges::any_of(statuses_, [&](const StatusRange& range) {
    if (!range.outcome.empty()) return word == range.outcome || (status && outcome_of(*status, url) == range.outcome);
    return status && *status >= range.from && *status <= range.to;
  });
}

bool LogFilter::matches_members(const JsonLine& line) const {
  std::string room;
  for (const auto& [column, unused] : members_) {
    const std::string_view value = value_of(line, column, room);
    const bool is_any = std::ranges::any_of(
        members_, [&](const auto& wanted) { return wanted.first.name == column.name && wanted.second == value; });
    if (!is_any) return false;
  }
  return true;
}

bool LogFilter::matches_host(std::string_view host) const {
  if (options_.hosts.empty() && options_.domains.empty()) return true;
  if (std::ranges::find(options_.hosts, host) != options_.hosts.end()) return true;
  return std::ranges::any_of(options_.domains, [&](const std::string& domain) { return is_in_domain(host, domain); });
}

bool LogFilter::matches_mime(std::string_view mime) const {
  if (options_.mimes.empty()) return true;
  return std::ranges::any_of(options_.mimes, [&](std::string_view wanted) {
    if (!wanted.ends_with('*')) return mime == wanted;
    return mime.starts_with(wanted.substr(0, wanted.size() - 1));
  });
}

bool LogFilter::matches_url(std::string_view url) const {
  if (regexes_.empty()) return true;
  return std::ranges::any_of(regexes_, [&](const auto& regex) { return re2::RE2::PartialMatch(url, *regex); });
}

bool LogFilter::matches(const LogLine& line) const {
  if (is_empty_) return true;
  if ((!from_.empty() || !to_.empty()) && !matches_time(line.field(LogLine::time))) return false;
  const std::string_view url = line.field(LogLine::url);
  if (!statuses_.empty() && !matches_status(line.status(), line.status() ? status_word(*line.status()) : "", url))
    return false;
  if (!matches_host(host_of(url)) || !matches_mime(line.field(LogLine::mime))) return false;
  if (!is_one_of(line.field(LogLine::source), options_.seeds) || !is_one_of(line.field(LogLine::via), options_.vias))
    return false;
  const auto is_annotated = [&](const std::string& beginning) { return line.has_annotation(beginning); };
  if (!options_.annotations.empty() && !std::ranges::any_of(options_.annotations, is_annotated)) return false;
  return matches_url(url);
}

bool LogFilter::matches(const JsonLine& line) const {
  if (is_empty_) return true;
  std::string room;
  if ((!from_.empty() || !to_.empty()) && !matches_time(line.text("time", room))) return false;
  std::string word;
  if (!statuses_.empty() && !matches_status(status_of(line), line.text("status", word), url_of(line, room)))
    return false;
  if (!options_.mimes.empty() && !matches_mime(line.text("mime", room))) return false;
  if (!is_one_of(line.text("seed", room), options_.seeds) || !is_one_of(line.text("via", room), options_.vias))
    return false;
  if (!options_.annotations.empty() || !matches_members(line)) return false;
  const std::string_view url = url_of(line, room);
  return matches_host(host_of(url)) && matches_url(url);
}

}  // namespace caddis::logs
