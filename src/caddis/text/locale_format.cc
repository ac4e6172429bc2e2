#include "caddis/text/locale_format.h"

#include <unicode/datefmt.h>
#include <unicode/dtfmtsym.h>
#include <unicode/dtptngen.h>
#include <unicode/locid.h>
#include <unicode/numfmt.h>
#include <unicode/smpdtfmt.h>
#include <unicode/timezone.h>
#include <unicode/unistr.h>

#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace caddis::text {
namespace {

std::string utf8(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

icu::Locale locale_of(std::string_view name) { return icu::Locale(std::string(name).c_str()); }

// Which fields of a date are shown; the locale has their order.
constexpr const char16_t* skeleton_of(DateForm form) {
  switch (form) {
    case DateForm::moment:
      return u"yMMMdHms";
    case DateForm::day:
      return u"yMMMMd";
    case DateForm::weekday:
      return u"yMMMMEEEEd";
    case DateForm::month:
      return u"yMMMM";
  }
  return u"yMMMd";
}

std::unique_ptr<icu::DateFormat> make_date_format(std::string_view locale_name, DateForm form) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale = locale_of(locale_name);
  const std::unique_ptr<icu::DateTimePatternGenerator> patterns(
      icu::DateTimePatternGenerator::createInstance(locale, status));
  if (U_FAILURE(status)) return nullptr;
  const icu::UnicodeString pattern = patterns->getBestPattern(skeleton_of(form), status);
  auto format = std::make_unique<icu::SimpleDateFormat>(pattern, locale, status);
  if (U_FAILURE(status)) return nullptr;
  format->adoptTimeZone(icu::TimeZone::createTimeZone(u"UTC"));
  return format;
}

// ICU's formatters are for one thread.
const icu::DateFormat* date_format(std::string_view locale, DateForm form) {
  thread_local std::map<std::pair<std::string, DateForm>, std::unique_ptr<icu::DateFormat>> made;
  auto& one = made[{std::string(locale), form}];
  if (!one) one = make_date_format(locale, form);
  return one.get();
}

const icu::NumberFormat* number_format(std::string_view locale) {
  thread_local std::map<std::string, std::unique_ptr<icu::NumberFormat>, std::less<>> made;
  auto& one = made[std::string(locale)];
  UErrorCode status = U_ZERO_ERROR;
  if (!one) one.reset(icu::NumberFormat::createInstance(locale_of(locale), status));
  return one.get();
}

}  // namespace

std::string format_date(std::string_view locale, int64_t moment, DateForm form) {
  const icu::DateFormat* const format = date_format(locale, form);
  if (format == nullptr) return std::to_string(moment);
  icu::UnicodeString text;
  format->format(static_cast<UDate>(moment) * 1000, text);
  return utf8(text);
}

std::string format_number(std::string_view locale, int64_t number) {
  const icu::NumberFormat* const format = number_format(locale);
  if (format == nullptr) return std::to_string(number);
  icu::UnicodeString text;
  format->format(number, text);
  return utf8(text);
}

std::vector<std::string> month_names(std::string_view locale) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::DateFormatSymbols symbols(locale_of(locale), status);
  int32_t count = 0;
  const icu::UnicodeString* const names =
      symbols.getMonths(count, icu::DateFormatSymbols::STANDALONE, icu::DateFormatSymbols::ABBREVIATED);
  std::vector<std::string> out;
  for (int32_t i = 0; i < 12; ++i) out.push_back(i < count ? utf8(names[i]) : std::to_string(i + 1));
  return out;
}

std::vector<std::string> weekday_names(std::string_view locale) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::DateFormatSymbols symbols(locale_of(locale), status);
  int32_t count = 0;
  const icu::UnicodeString* const names =
      symbols.getWeekdays(count, icu::DateFormatSymbols::STANDALONE, icu::DateFormatSymbols::SHORT);
  std::vector<std::string> out;
  // ICU's begin with Sunday, at 1.
  for (int32_t i = 0; i < 7; ++i) {
    const int32_t at = i == 6 ? 1 : i + 2;
    out.push_back(at < count ? utf8(names[at]) : "");
  }
  return out;
}

}  // namespace caddis::text
