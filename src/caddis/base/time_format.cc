#include "caddis/base/time_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "caddis/base/strings.h"

namespace caddis {
namespace {

using std::chrono::floor;
using Days = std::chrono::sys_days;

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

struct Parts {
  int year, month, day, hour, minute, second, micros;
};

Parts split(WallTime time) {
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return {static_cast<int>(date.year()),
          static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())),
          static_cast<int>(clock.hours().count()),
          static_cast<int>(clock.minutes().count()),
          static_cast<int>(clock.seconds().count()),
          static_cast<int>(clock.subseconds().count())};
}

Result<WallTime> join(const Parts& p, std::string_view text) {
  const std::chrono::year_month_day date{std::chrono::year(p.year), std::chrono::month(static_cast<unsigned>(p.month)),
                                         std::chrono::day(static_cast<unsigned>(p.day))};
  if (!date.ok() || p.hour > 23 || p.minute > 59 || p.second > 60)
    return fail(ErrorCode::parse, fmt::format("'{}' is not a date", text));
  return WallTime(Days(date)) + std::chrono::hours(p.hour) + std::chrono::minutes(p.minute) +
         std::chrono::seconds(p.second) + std::chrono::microseconds(p.micros);
}

// Takes exactly `width` digits from the front of `text`.
bool take_digits(std::string_view& text, size_t width, int& value) {
  if (text.size() < width) return false;
  value = 0;
  for (size_t i = 0; i < width; ++i) {
    if (!is_digit(text[i])) return false;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(width);
  return true;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

// Up to nine digits after a point, as microseconds.
bool take_fraction(std::string_view& text, int& micros) {
  size_t digits = 0;
  int value = 0;
  for (; digits < text.size() && is_digit(text[digits]); ++digits)
    if (digits < 6) value = value * 10 + (text[digits] - '0');
  if (digits == 0 || digits > 9) return false;
  for (size_t i = digits; i < 6; ++i) value *= 10;
  micros = value;
  text.remove_prefix(digits);
  return true;
}

int month_number(std::string_view name) {
  for (size_t i = 0; i < kMonths.size(); ++i)
    if (equals_ignore_case(kMonths[i], name)) return static_cast<int>(i) + 1;
  return 0;
}

bool take_time(std::string_view& text, Parts& p) {
  return take_digits(text, 2, p.hour) && take(text, ':') && take_digits(text, 2, p.minute) && take(text, ':') &&
         take_digits(text, 2, p.second);
}

void append_number(std::string& out, int value, int width) {
  int power = 1;
  for (int i = 1; i < width; ++i) power *= 10;
  for (; power > 0; power /= 10) out += static_cast<char>('0' + value / power % 10);
}

// What stands between the parts of a date, between date and time, between the parts of a time, and before its fraction.
struct Marks {
  std::string_view date, middle, time, fraction;
};
constexpr Marks kRfc3339 = {"-", "T", ":", "."};

// A date with so many digits of the second's fraction. Every visit writes a handful of these. Years have four digits.
std::string digits(const Parts& p, const Marks& marks, int fraction) {
  std::string out;
  out.reserve(sizeof("2026-11-21T04:02:47.671123Z"));
  append_number(out, std::clamp(p.year, 0, 9999), 4);
  append_number(out.append(marks.date), p.month, 2);
  append_number(out.append(marks.date), p.day, 2);
  append_number(out.append(marks.middle), p.hour, 2);
  append_number(out.append(marks.time), p.minute, 2);
  append_number(out.append(marks.time), p.second, 2);
  if (fraction > 0) append_number(out.append(marks.fraction), fraction == 3 ? p.micros / 1000 : p.micros, fraction);
  return out;
}

}  // namespace

std::string timestamp14(WallTime time) { return digits(split(time), {"", "", "", ""}, 0); }

std::string timestamp17(WallTime time) { return digits(split(time), {"", "", "", ""}, 3); }

std::string rfc3339(WallTime time) { return digits(split(time), kRfc3339, 0) + "Z"; }

std::string rfc3339_millis(WallTime time) { return digits(split(time), kRfc3339, 3) + "Z"; }

std::string rfc3339_micros(WallTime time) { return digits(split(time), kRfc3339, 6) + "Z"; }

std::string http_date(WallTime time) {
  const Parts p = split(time);
  const std::chrono::weekday weekday(floor<std::chrono::days>(time));
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kWeekdays[weekday.c_encoding()], p.day,
                     kMonths[static_cast<size_t>(p.month) - 1], p.year, p.hour, p.minute, p.second);
}

Result<WallTime> parse_timestamp(std::string_view digits) {
  std::string_view rest = digits;
  Parts p{0, 1, 1, 0, 0, 0, 0};
  int millis = 0;
  bool ok = digits.size() >= 4 && digits.size() <= 17 && take_digits(rest, 4, p.year);
  for (int* field : {&p.month, &p.day, &p.hour, &p.minute, &p.second})
    if (ok && !rest.empty()) ok = take_digits(rest, 2, *field);
  if (ok && !rest.empty()) {
    const size_t width = rest.size();
    ok = take_digits(rest, width, millis);
    for (size_t i = width; i < 3; ++i) millis *= 10;
  }
  if (!ok) return fail(ErrorCode::parse, fmt::format("'{}' is not a timestamp of 4 to 17 digits", digits));
  p.micros = millis * 1000;
  return join(p, digits);
}

Result<WallTime> parse_timestamp_end(std::string_view digits) {
  TRY(const WallTime start, parse_timestamp(digits));
  const auto day = floor<std::chrono::days>(start);
  const std::chrono::year_month_day date(day);
  WallTime next = start + std::chrono::seconds(1);
  switch (digits.size()) {
    case 4:
      next = Days(std::chrono::year_month_day(date.year() + std::chrono::years(1), date.month(), date.day()));
      break;
    case 6:
      next = Days((date.year() / date.month() + std::chrono::months(1)) / std::chrono::day(1));
      break;
    case 8:
      next = WallTime(day) + std::chrono::days(1);
      break;
    case 10:
      next = start + std::chrono::hours(1);
      break;
    case 12:
      next = start + std::chrono::minutes(1);
      break;
    default:
      break;
  }
  return next - std::chrono::seconds(1);
}

Result<WallTime> parse_w3c_date(std::string_view text) {
  std::string_view rest = text;
  Parts p{0, 1, 1, 0, 0, 0, 0};
  bool ok = take_digits(rest, 4, p.year);
  if (ok && take(rest, '-')) ok = take_digits(rest, 2, p.month);
  if (ok && take(rest, '-')) ok = take_digits(rest, 2, p.day);
  int zone_minutes = 0;
  if (ok && (take(rest, 'T') || take(rest, 't') || take(rest, ' '))) {
    ok = take_digits(rest, 2, p.hour) && take(rest, ':') && take_digits(rest, 2, p.minute);
    if (ok && take(rest, ':')) ok = take_digits(rest, 2, p.second);
    if (ok && take(rest, '.')) ok = take_fraction(rest, p.micros);
    if (ok && !take(rest, 'Z') && !take(rest, 'z') && !rest.empty()) {
      const int sign = rest.front() == '-' ? 1 : -1;
      int hours = 0, minutes = 0;
      ok = (take(rest, '+') || take(rest, '-')) && take_digits(rest, 2, hours) && take(rest, ':') &&
           take_digits(rest, 2, minutes);
      zone_minutes = sign * (hours * 60 + minutes);
    }
  }
  if (!ok || !rest.empty()) return fail(ErrorCode::parse, fmt::format("'{}' is not a W3CDTF date", text));
  TRY(const WallTime time, join(p, text));
  return time + std::chrono::minutes(zone_minutes);
}

Result<WallTime> parse_http_date(std::string_view text) {
  std::string_view rest = trim(text);
  Parts p{0, 1, 1, 0, 0, 0, 0};
  bool ok = false;
  if (const size_t comma = rest.find(','); comma != std::string_view::npos) {
    rest = trim(rest.substr(comma + 1));
    ok = take_digits(rest, 2, p.day) && (take(rest, ' ') || take(rest, '-')) && rest.size() > 4 &&
         (p.month = month_number(rest.substr(0, 3))) != 0;
    if (ok) rest.remove_prefix(4);
    const size_t digits = rest.find(' ');
    ok = ok && (digits == 4 || digits == 2) && take_digits(rest, digits, p.year) && take(rest, ' ') &&
         take_time(rest, p);
    if (digits == 2) p.year += p.year < 70 ? 2000 : 1900;
  } else if (rest.size() >= 24) {  // asctime: Fri Jan  2 03:04:05 2026
    p.month = month_number(rest.substr(4, 3));
    std::string_view day = trim(rest.substr(8, 2));
    std::string_view clock = rest.substr(11, 8);
    std::string_view year = rest.substr(20);
    ok = p.month != 0 && take_digits(day, day.size(), p.day) && take_time(clock, p) && take_digits(year, 4, p.year);
  }
  if (!ok) return fail(ErrorCode::parse, fmt::format("'{}' is not an HTTP date", text));
  return join(p, text);
}

Result<Duration> parse_duration(std::string_view text) {
  using namespace std::chrono_literals;
  static constexpr std::pair<std::string_view, Duration> kUnits[] = {
      {"ms", 1ms}, {"d", 24h}, {"h", 1h}, {"m", 1min}, {"s", 1s}};
  Duration total{};
  std::string_view rest = text;
  if (rest.empty()) return fail(ErrorCode::config, "an empty duration: write for example 30s, 1h30m or 2d");
  while (!rest.empty()) {
    double value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, std::chars_format::fixed);
    const size_t taken = static_cast<size_t>(end - rest.data());
    if (error != std::errc() || !(value >= 0 && value <= 1e9))
      return fail(ErrorCode::config, fmt::format("'{}' is not a duration: write for example 30s, 1h30m or 2d", text));
    rest.remove_prefix(taken);
    if (rest.empty() && value != 0)
      return fail(ErrorCode::config, fmt::format("{} of what? Write {}s or {}ms, for example", text, text, text));
    Duration unit = 1s;
    bool known = rest.empty();
    for (const auto& [name, length] : kUnits)
      if (!known && rest.starts_with(name)) {
        unit = length;
        rest.remove_prefix(name.size());
        known = true;
      }
    if (!known) return fail(ErrorCode::config, fmt::format("'{}' has an unknown unit: use ms, s, m, h or d", text));
    constexpr double kLongest = 9e18;  // nanoseconds, of which a Duration holds no more
    const double nanoseconds = value * static_cast<double>(unit.count());
    if (nanoseconds + static_cast<double>(total.count()) > kLongest)
      return fail(ErrorCode::config, fmt::format("'{}' is longer than 285 years", text));
    total += std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::nano>(nanoseconds));
  }
  return total;
}

std::string format_duration(Duration duration) {
  using namespace std::chrono_literals;
  if (duration < Duration(0)) return "-" + format_duration(-duration);
  const auto millis = std::chrono::round<std::chrono::milliseconds>(duration).count();
  if (millis < 1000) return millis == 0 ? "0s" : fmt::format("{}ms", millis);
  if (millis < 60'000) {
    return millis % 1000 == 0 ? fmt::format("{}s", millis / 1000)
                              : fmt::format("{}.{}s", millis / 1000, millis % 1000 / 100);
  }
  const auto seconds = millis / 1000;
  std::string out;
  const std::pair<const char*, long long> parts[] = {
      {"d", seconds / 86400}, {"h", seconds / 3600 % 24}, {"m", seconds / 60 % 60}, {"s", seconds % 60}};
  for (const auto& [unit, value] : parts)
    if (value != 0) out += fmt::format("{}{}", value, unit);
  return out;
}

Result<long long> parse_size(std::string_view text) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {{"KiB", 1024.0},
                                                                   {"MiB", 1048576.0},
                                                                   {"GiB", 1073741824.0},
                                                                   {"TiB", 1099511627776.0},
                                                                   {"KB", 1e3},
                                                                   {"MB", 1e6},
                                                                   {"GB", 1e9},
                                                                   {"TB", 1e12},
                                                                   {"K", 1e3},
                                                                   {"M", 1e6},
                                                                   {"G", 1e9},
                                                                   {"T", 1e12},
                                                                   {"B", 1.0},
                                                                   {"", 1.0}};
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const std::string_view unit = trim(std::string_view(end, static_cast<size_t>(text.data() + text.size() - end)));
  if (error == std::errc() && value >= 0)
    for (const auto& [name, factor] : kUnits)
      if (equals_ignore_case(unit, name) && value * factor < 9e18) return static_cast<long long>(value * factor);
  return fail(ErrorCode::config, fmt::format("'{}' is not a size: write for example 500MB, 4GB or 1GiB", text));
}

std::string format_size(long long bytes) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}};
  for (const auto& [name, factor] : kUnits)
    if (static_cast<double>(bytes) >= factor)
      return fmt::format("{:.1f} {}", static_cast<double>(bytes) / factor, name);
  return fmt::format("{} bytes", bytes);
}

}  // namespace caddis
