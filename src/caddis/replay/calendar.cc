#include "caddis/replay/calendar.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdx/request_key.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/replay/address.h"
#include "caddis/replay/capture_rows.h"
#include "caddis/replay/list_bodies.h"
#include "caddis/text/locale_format.h"

namespace caddis::replay {
namespace {

using pages::Data;
using pages::Writer;

constexpr size_t kMostDays = 50'000;  // an index of a stranger may name any
constexpr size_t kRowBytes = 1 << 20;
constexpr size_t kLongestDayUrl = 2000;
constexpr size_t kShownYears = 3;
constexpr int kTimelineYears = 60;  // with those that have no captures
constexpr std::string_view kEndOfTime = "99991231235959";

int number_of(std::string_view digits) { return static_cast<int>(parse_int(digits).value_or(0)); }

bool is_date(std::string_view timestamp) {
  const int month = timestamp.size() < 8 ? 0 : number_of(timestamp.substr(4, 2));
  return month >= 1 && month <= 12 && number_of(timestamp.substr(0, 4)) > 0;
}

size_t bytes_of(const cdx::Capture& capture) {
  return capture.url.size() + capture.filename.size() + capture.mime.size() + capture.status.size();
}

// "2026", "January 2026", "2 January 2026", or the moment.
std::string period_words(const Writer& writer, std::string_view period) {
  if (period.size() <= 4) return std::string(period);
  return writer.date(period, period.size() <= 6 ? "month" : period.size() <= 8 ? "day" : "date");
}

// Darker with more captures.
int level_of(uint64_t captures) { return captures < 2 ? 1 : captures < 5 ? 2 : captures < 20 ? 3 : 4; }

class CalendarBody final : public PageBody {
 public:
  CalendarBody(CalendarQuestion question, cdx::QueryRun run, Writer writer)
      : calendar_(std::move(question)), run_(std::move(run)), writer_(std::move(writer)) {}

 private:
  Result<bool> collect() override {
    using Found = cdx::QueryRun::Found;
    cdx::Capture capture;
    for (uint64_t budget = cdx::kServedSlice;;) {
      TRY(const Found found, run_.next(capture, budget));
      if (found != Found::capture) return found == Found::end;
      calendar_.add(std::move(capture));
    }
  }
  std::string write() override { return calendar_.write(writer_); }

  Calendar calendar_;
  cdx::QueryRun run_;
  Writer writer_;
};

}  // namespace

Calendar::Calendar(CalendarQuestion question)
    : question_(std::move(question)), normal_url_(cdx::normal_url(question_.url)) {}

bool Calendar::is_in_period(std::string_view timestamp) const {
  const std::string_view to = question_.to.empty() ? std::string_view(question_.from) : question_.to;
  return timestamp.substr(0, question_.from.size()) >= question_.from && timestamp.substr(0, to.size()) <= to;
}

void Calendar::add(cdx::Capture capture) {
  ++count_;
  const std::string url = cdx::indexed_url(capture);
  const bool is_other = !url.empty() && cdx::normal_url(url) != normal_url_;
  is_mixed_ = is_mixed_ || is_other;
  const std::string_view timestamp = capture.timestamp;
  if (is_date(timestamp)) {
    auto day = days_.find(timestamp.substr(0, 8));
    if (day == days_.end() && days_.size() < kMostDays) {
      day = days_.try_emplace(std::string(timestamp.substr(0, 8))).first;
      day->second.timestamp = timestamp;
      if (is_other && url.size() <= kLongestDayUrl) day->second.url = url;
    }
    if (day != days_.end()) ++day->second.captures;
  }
  if (!is_in_period(timestamp)) return;
  capture.url = url;
  capture.extra = {};
  if (!has_period() && is_date(timestamp)) {
    if (timestamp.substr(0, 4) != last_year_) last_rows_ = Rows();
    last_year_ = timestamp.substr(0, 4);
    last_rows_.add(capture);
  }
  rows_.add(capture);
}

void Calendar::Rows::add(const cdx::Capture& capture) {
  if (!next.empty()) return;
  // A page ends between two moments, at which the next one can begin.
  const bool is_full = captures.size() >= kCalendarRows || bytes > kRowBytes;
  const bool is_far_over = captures.size() >= 2 * kCalendarRows || bytes > 2 * kRowBytes;
  if (is_far_over || (is_full && captures.back().timestamp != capture.timestamp)) {
    next = capture.timestamp;
    return;
  }
  bytes += bytes_of(capture);
  captures.push_back(capture);
}

std::string Calendar::period_address(std::string_view period) const {
  return '/' + question_.collection + '/' + std::string(period) + (question_.is_exact ? "exact/" : "/") +
         header_url(question_.url);
}

std::string Calendar::day_address(const std::string& date, const Day& day) const {
  if (day.captures > 1) return period_address(date + '*');
  return replay_address(question_.collection, day.timestamp, day.url.empty() ? question_.url : day.url);
}

// The years of the period that have captures, the latest few, or the first one of it; without a period the last year.
std::vector<int> Calendar::shown_years(const std::map<int, uint64_t>& years) const {
  std::vector<int> shown;
  if (years.empty()) return shown;
  if (question_.from.empty() && question_.to.empty()) return {years.rbegin()->first};
  for (const auto& [year, captures] : years) {
    const std::string digits = fmt::format("{:04}", year);
    const std::string_view from = std::string_view(question_.from).substr(0, 4);
    const std::string_view to = std::string_view(question_.to.empty() ? question_.from : question_.to).substr(0, 4);
    if (digits.substr(0, from.size()) >= from && digits.substr(0, to.size()) <= to) shown.push_back(year);
  }
  if (shown.size() > kShownYears) shown.erase(shown.begin(), shown.end() - kShownYears);
  const int asked = number_of(std::string_view(question_.from).substr(0, 4));
  if (shown.empty() && question_.from.size() >= 4 && asked > 0) shown.push_back(asked);  // none was captured then
  return shown;
}

Data Calendar::timeline(const std::map<int, uint64_t>& years, const std::vector<int>& shown) const {
  std::map<std::string, uint64_t, std::less<>> months;
  uint64_t most = 1;
  for (const auto& [date, day] : days_) most = std::max(most, months[date.substr(0, 6)] += day.captures);
  const double tallest = std::sqrt(static_cast<double>(most));
  std::set<int> all(shown.begin(), shown.end());
  for (const auto& [year, captures] : years) all.insert(year);
  const int first = *all.begin(), last = *all.rbegin();
  if (last - first < kTimelineYears)
    for (int year = first; year <= last; ++year) all.insert(year);
  Data::List items;
  for (const int year : all) {
    const auto known = years.find(year);
    Data item{{"year", fmt::format("{:04}", year)}, {"is_shown", std::ranges::count(shown, year) > 0}};
    if (known != years.end()) {
      item.set("captures", known->second);
      item.set("address", period_address(fmt::format("{:04}*", year)));
      Data::List bars;
      for (int month = 1; month <= 12; ++month) {
        const auto there = months.find(fmt::format("{:04}{:02}", year, month));
        if (there == months.end()) continue;
        const int height = std::max(2, static_cast<int>(32 * std::sqrt(static_cast<double>(there->second)) / tallest));
        bars.push_back(Data{{"x", 4 * (month - 1)}, {"y", 32 - height}, {"height", height}});
      }
      item.set("bars", std::move(bars));
    }
    items.push_back(std::move(item));
  }
  return items;
}

Data Calendar::month_grid(const Writer& writer, int year, int month, const std::string& name,
                          const Data& weekdays) const {
  using namespace std::chrono;
  const year_month_day first{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)), day(1)};
  const unsigned last = static_cast<unsigned>(year_month_day_last(first.year(), month_day_last(first.month())).day());
  const unsigned blanks = weekday(sys_days(first)).iso_encoding() - 1;
  Data grid{{"name", name}, {"weekdays", weekdays}};
  Data::List cells(blanks, Data{{"number", ""}});
  for (unsigned number = 1; number <= last; ++number) {
    Data cell{{"number", number}};
    const std::string date = fmt::format("{:04}{:02}{:02}", year, month, number);
    if (const auto found = days_.find(date); found != days_.end()) {
      const Day& there = found->second;
      cell.set("address", day_address(date, there));
      cell.set("level", level_of(there.captures));
      cell.set("label", writer.date(date, "day") + ": " + writer.text("captures", Data{{"count", there.captures}}));
      grid.set("month_address", period_address(date.substr(0, 6) + '*'));
    }
    cells.push_back(std::move(cell));
  }
  grid.set("days", std::move(cells));
  return grid;
}

bool Calendar::is_last_year_listed() const { return !has_period() && !rows_.next.empty() && !last_year_.empty(); }

Calendar::Period Calendar::listed_period() const {
  if (is_last_year_listed()) return {last_year_, last_year_};
  return {question_.from, question_.to.empty() ? question_.from : question_.to};
}

// The period of all captures, in the table page after page.
std::string Calendar::whole_period(const std::map<int, uint64_t>& years) const {
  if (years.empty() || (count_ <= kCalendarRows && !is_last_year_listed())) return "*";
  return fmt::format("{:04}-{:04}", years.begin()->first, years.rbegin()->first);
}

std::string Calendar::write(const Writer& writer) const {
  const std::string& url = question_.url;
  std::map<int, uint64_t> years;
  for (const auto& [date, day] : days_) years[number_of(std::string_view(date).substr(0, 4))] += day.captures;
  const Period listed = listed_period();
  const Rows& rows = is_last_year_listed() ? last_rows_ : rows_;
  Data page{{"title", writer.text("title-captures", Data{{"url", url_in_title(url)}})},
            {"shown", shown_url(url)},
            {"heading", question_.heading},
            {"form", form_data({.collection = question_.collection, .url = url})},
            {"count", count_},
            {"is_exact", question_.is_exact},
            {"posted_address", question_.posted_address},
            {"is_mixed", is_mixed_ && !question_.is_exact},
            {"all_address", calendar_address(question_.collection, url)},
            {"exact_address", replay_address(question_.collection, "*exact", url)}};
  if (!listed.from.empty() || !listed.to.empty()) {
    Data words{{"from_words", listed.from.empty() ? writer.text("the-beginning") : period_words(writer, listed.from)},
               {"to_words", listed.to == kEndOfTime ? writer.text("now") : period_words(writer, listed.to)},
               {"is_empty", rows.captures.empty()}};
    const std::string whole = whole_period(years);
    if (whole != listed.from + '-' + listed.to) words.set("whole_address", period_address(whole));
    page.set("period", std::move(words));
  }
  const std::vector<int> shown = shown_years(years);
  page.set("has_timeline", !years.empty());
  if (!years.empty()) page.set("years", timeline(years, shown));
  const auto month_names = text::month_names(writer.language().locale);
  Data::List weekdays;
  for (std::string& name : text::weekday_names(writer.language().locale)) weekdays.emplace_back(std::move(name));
  Data::List grids;
  for (const int year : shown) {
    Data::List months;
    for (int month = 1; month <= 12; ++month)
      months.push_back(month_grid(writer, year, month, month_names[static_cast<size_t>(month - 1)], weekdays));
    grids.push_back(
        Data{{"year", fmt::format("{:04}", year)}, {"captures", years[year]}, {"months", std::move(months)}});
  }
  page.set("grids", std::move(grids));
  add_capture_table(
      page, rows.captures,
      {.collection = question_.collection, .compare_url = url, .with_url = is_mixed_, .title_of = question_.title_of});
  if (!rows.next.empty())
    page.set("next_address",
             period_address(rows.next + '-' + (listed.to.empty() ? std::string(kEndOfTime) : listed.to)));
  return writer.page("calendar", std::move(page));
}

std::unique_ptr<http::BodySource> calendar_body(CalendarQuestion question, cdx::QueryRun run, Writer writer) {
  return std::make_unique<CalendarBody>(std::move(question), std::move(run), std::move(writer));
}

}  // namespace caddis::replay
