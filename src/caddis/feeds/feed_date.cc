// Takes a text apart into numbers and words, and asks two grammars: that of numbers in order (2015-03-10T12:00:00Z), and
// that of a day, the name of a month and a year (Tue, 10 Mar 2015 12:00:00 +0100).

#include "caddis/feeds/feed_date.h"

#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"

namespace caddis::feeds {
namespace {

struct Fields {
  int year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  int offset_minutes = 0;
};

std::optional<WallTime> moment_of(const Fields& fields) {
  using namespace std::chrono;
  const year_month_day date{year(fields.year), month(static_cast<unsigned>(fields.month)),
                            day(static_cast<unsigned>(fields.day))};
  const bool is_time = fields.hour <= 24 && fields.minute < 60 && fields.second <= 60;
  if (!date.ok() || fields.year < 1970 || fields.year > 9999 || !is_time) return {};
  const auto moment = sys_days(date) + hours(fields.hour) + minutes(fields.minute) + seconds(fields.second) -
                      minutes(fields.offset_minutes);
  if (moment.time_since_epoch() < seconds(0)) return {};
  return WallTime(moment.time_since_epoch());
}

// Reads a text from its front.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(trim(text)) {}

  bool at_end() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Blanks, commas, and such between words.
  void skip_gaps() {
    while (!rest_.empty() && (is_space(rest_.front()) || rest_.front() == ',' || rest_.front() == '.'))
      rest_.remove_prefix(1);
  }
  // A number of so many digits at most; `digits` says how many it has. Those that an int has no room for are passed over.
  std::optional<int> number(size_t most, size_t* digits = nullptr) {
    size_t length = 0;
    int value = 0;
    for (; length < most && length < rest_.size() && is_digit(rest_[length]); ++length)
      if (value < std::numeric_limits<int>::max() / 10) value = value * 10 + (rest_[length] - '0');
    if (length == 0) return {};
    rest_.remove_prefix(length);
    if (digits != nullptr) *digits = length;
    return value;
  }
  std::string word() {
    size_t length = 0;
    while (length < rest_.size() && is_alpha(rest_[length])) ++length;
    std::string found = to_lower(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return found;
  }

 private:
  std::string_view rest_;
};

int month_of(std::string_view word) {
  constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
  if (word.size() < 3) return 0;
  const size_t found = kMonths.find(word.substr(0, 3));
  return found == kMonths.npos || found % 3 != 0 ? 0 : static_cast<int>(found / 3) + 1;
}

// In minutes east of Greenwich. Letters of the military are all but Z without a meaning (RFC 2822, 4.3).
int offset_of(std::string_view zone) {
  constexpr std::pair<std::string_view, int> kZones[] = {
      {"at", -240},   {"et", -300},  {"ct", -360},  {"mt", -420},  {"pt", -480},  {"est", -300}, {"edt", -240},
      {"cst", -360},  {"cdt", -300}, {"mst", -420}, {"mdt", -360}, {"pst", -480}, {"pdt", -420}, {"akst", -540},
      {"akdt", -480}, {"hst", -600}, {"wet", 0},    {"west", 60},  {"bst", 60},   {"cet", 60},   {"cest", 120},
      {"met", 60},    {"mest", 120}, {"mez", 60},   {"mesz", 120}, {"eet", 120},  {"eest", 180}, {"msk", 180},
      {"jst", 540},   {"kst", 540},  {"aest", 600}, {"aedt", 660}, {"nzst", 720}, {"nzdt", 780}};
  for (const auto& [name, minutes] : kZones)
    if (zone == name) return minutes;
  return 0;
}

// "+0100", "+01:00", "+1", "GMT", "EST", "UTC+2", or nothing.
bool read_zone(Scanner& text, Fields& fields) {
  text.skip_gaps();
  const std::string name = text.word();
  fields.offset_minutes = offset_of(name);
  text.skip_gaps();
  const char sign = text.peek();
  if (sign != '+' && sign != '-') return true;
  text.take(sign);
  size_t digits = 0;
  const auto hours = text.number(2, &digits);
  if (!hours) return false;
  text.take(':');
  const int minutes = text.number(2).value_or(0);
  if (*hours > 15 || minutes > 59) return false;
  fields.offset_minutes = (sign == '-' ? -1 : 1) * (*hours * 60 + minutes);
  return true;
}

// "12:00", "12:00:00.123", and the zone behind it; nothing is midnight.
bool read_time(Scanner& text, Fields& fields) {
  text.skip_gaps();
  if (text.at_end()) return true;
  const auto hour = text.number(2);
  if (!hour) return read_zone(text, fields);
  fields.hour = *hour;
  if (!text.take(':')) {
    // "T1200", as ISO 8601 has it in its basic form
    const auto minute = text.number(2);
    if (!minute) return false;
    fields.minute = *minute;
    fields.second = text.number(2).value_or(0);
  } else {
    const auto minute = text.number(2);
    if (!minute) return false;
    fields.minute = *minute;
    if (text.take(':')) fields.second = text.number(2).value_or(0);
  }
  if (text.take('.') || text.take(',')) text.number(18);
  text.skip_gaps();
  Scanner ahead = text;
  const std::string half = ahead.word();
  if (half == "am" || half == "pm") {
    text = ahead;
    if (fields.hour > 12) return false;
    fields.hour = fields.hour % 12 + (half == "pm" ? 12 : 0);
  }
  return read_zone(text, fields);
}

// 2015-03-10, 2015-03, 2015, 20150310, 2015/03/10
std::optional<Fields> read_numbers(Scanner text) {
  Fields fields;
  size_t digits = 0;
  const auto year = text.number(4, &digits);
  if (!year || digits != 4) return {};
  fields.year = *year;
  const char gap = text.peek();
  const bool has_gap = gap == '-' || gap == '/' || gap == '.';
  if (has_gap) text.take(gap);
  const auto month = text.number(2);
  if (month) {
    fields.month = *month;
    if (has_gap) text.take(gap);
    const auto day = text.number(2);
    if (day) fields.day = *day;
  }
  text.skip_gaps();
  if (!text.take('T')) text.take('t');
  if (!read_time(text, fields)) return {};
  return fields;
}

// Two digits of a year are of this century up to 49 (RFC 2822, 4.3).
int whole_year(int year, size_t digits) {
  if (digits == 2) return year + (year < 50 ? 2000 : 1900);
  return digits == 3 ? year + 1900 : year;
}

// [Tue,] 10 Mar 2015 …; Tue Mar 10 12:00:00 2015; March 10, 2015; 10-Mar-15
std::optional<Fields> read_names(Scanner text) {
  Fields fields;
  text.skip_gaps();
  std::string word = text.word();
  int month = month_of(word);
  if (month == 0 && !word.empty()) {
    text.skip_gaps();
    month = month_of(word = text.word());
  }
  text.skip_gaps();
  size_t digits = 0;
  const auto day = text.number(2, &digits);
  if (!day) return {};
  fields.day = *day;
  if (month == 0) {
    text.skip_gaps();
    text.take('-');
    if (is_alpha(text.peek())) word = text.word();
    month = month_of(word);
    // "10th of March"
    for (int more = 0; more < 2 && month == 0 && !text.at_end(); ++more) {
      text.skip_gaps();
      month = month_of(word = text.word());
    }
  } else if (const std::string suffix = text.word(); !suffix.empty() && suffix.size() != 2) {
    return {};
  }
  if (month == 0) return {};
  fields.month = month;
  text.skip_gaps();
  text.take('-');
  Scanner ahead = text;
  const auto year = ahead.number(4, &digits);
  if (!year) return {};
  if (ahead.peek() != ':') {
    fields.year = whole_year(*year, digits);
    text = ahead;
    if (!read_time(text, fields)) return {};
    return fields;
  }
  // asctime: the year stands at the end
  fields.hour = *year;
  text = ahead;
  text.take(':');
  fields.minute = text.number(2).value_or(60);
  if (text.take(':')) fields.second = text.number(2).value_or(0);
  text.skip_gaps();
  if (is_alpha(text.peek())) fields.offset_minutes = offset_of(text.word());
  text.skip_gaps();
  const auto last = text.number(4, &digits);
  if (!last) return {};
  fields.year = whole_year(*last, digits);
  return fields;
}

}  // namespace

std::optional<WallTime> parse_feed_date(std::string_view text) {
  if (text.size() > 200) return {};
  const Scanner scanner(text);
  if (const auto fields = read_numbers(scanner))
    if (const auto moment = moment_of(*fields)) return moment;
  if (const auto fields = read_names(scanner)) return moment_of(*fields);
  return {};
}

}  // namespace caddis::feeds
