// Dates and numbers as people of a language write them, by ICU. Times are UTC throughout. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::text {

// `locale` is a name of ICU ("de", "en-GB"); one that ICU does not know has the forms of the root locale.
// `moment` is seconds since 1970.
enum class DateForm : uint8_t {
  moment,   // 2 Jan 2026, 03:04:05
  day,      // 2 January 2026
  weekday,  // Friday, 2 January 2026
  month,    // January 2026
};
std::string format_date(std::string_view locale, int64_t moment, DateForm form);

// 12,345
std::string format_number(std::string_view locale, int64_t number);

// "Jan" … as they stand alone.
std::vector<std::string> month_names(std::string_view locale);
// "Mon" …, Monday first.
std::vector<std::string> weekday_names(std::string_view locale);

}  // namespace caddis::text
