#include "caddis/cdx/real_time.h"

#include <algorithm>
#include <chrono>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::cdx {
namespace {

constexpr size_t kYear = 4, kMonth = 6, kDay = 8, kSecond = 14;  // digits up to the end of that part

// Puts the part that ends there within its range.
void clamp_part(std::string& digits, size_t end, unsigned least, unsigned most) {
  if (digits.size() < end) return;
  const unsigned value =
      static_cast<unsigned>(digits[end - 2] - '0') * 10 + static_cast<unsigned>(digits[end - 1] - '0');
  const unsigned clamped = std::clamp(value, least, most);
  digits[end - 2] = static_cast<char>('0' + clamped / 10);
  digits[end - 1] = static_cast<char>('0' + clamped % 10);
}

// The last day of the month in which the timestamp is.
unsigned last_day(std::string_view month) {
  const auto first = parse_timestamp(month);
  if (!first) return 31;
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(*first));
  return static_cast<unsigned>((date.year() / date.month() / std::chrono::last).day());
}

}  // namespace

std::string real_timestamp(std::string_view digits) {
  std::string real(digits);
  if (digits.empty() || digits.size() > 17 || !std::ranges::all_of(digits, is_digit) || parse_timestamp(digits))
    return real;
  if (real.size() < kYear) real.resize(kYear, '0');
  if (real.size() < kSecond && real.size() % 2 != 0) real += '0';
  clamp_part(real, kMonth, 1, 12);
  if (real.size() >= kDay) clamp_part(real, kDay, 1, last_day(std::string_view(real).substr(0, kMonth)));
  clamp_part(real, kDay + 2, 0, 23);
  clamp_part(real, kDay + 4, 0, 59);
  clamp_part(real, kSecond, 0, 59);
  return real;
}

}  // namespace caddis::cdx
