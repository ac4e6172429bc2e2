#include "caddis/pages/date_words.h"

#include <chrono>

#include "caddis/base/time_format.h"
#include "caddis/text/locale_format.h"

namespace caddis::pages {

std::string date_words(std::string_view timestamp, std::string_view form, const Language& language) {
  const auto time = parse_timestamp(timestamp.substr(0, 14));
  if (!time) return std::string(timestamp);
  const auto moment = std::chrono::duration_cast<std::chrono::seconds>(time->time_since_epoch()).count();
  using text::DateForm;
  if (form == "day") return text::format_date(language.locale, moment, DateForm::day);
  if (form == "weekday") return text::format_date(language.locale, moment, DateForm::weekday);
  if (form == "month") return text::format_date(language.locale, moment, DateForm::month);
  return text::format_date(language.locale, moment, DateForm::moment) + " UTC";
}

}  // namespace caddis::pages
