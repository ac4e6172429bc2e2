#include "caddis/replay/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "caddis/base/html_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/replay/address.h"

namespace caddis::replay {
namespace {

constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::string layout(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"robots\" content=\"noindex, nofollow\">\n"
      "<link rel=\"stylesheet\" href=\"/-/style.css\">\n<link rel=\"icon\" href=\"/-/icon.svg\">\n</head>\n"
      "<body>\n<header><a href=\"/\" class=\"home\">Caddis</a></header>\n<main>\n{}</main>\n</body>\n</html>\n",
      html_escape(title), body);
}

std::string search_form(std::string_view collection, std::string_view url) {
  return fmt::format(
      "<form class=\"search\" action=\"/-/go\"><input type=\"hidden\" name=\"collection\" value=\"{}\">"
      "<input type=\"text\" name=\"url\" value=\"{}\" placeholder=\"https://example.org/ or example.org/*\" "
      "aria-label=\"URL\" spellcheck=\"false\" autocapitalize=\"off\" required> <button>Show "
      "captures</button></form>\n",
      html_escape(collection), html_escape(url));
}

std::string replay_link(std::string_view collection, std::string_view timestamp, std::string_view url,
                        std::string_view text) {
  return fmt::format("<a href=\"/{}/{}/{}\">{}</a>", html_escape(collection), html_escape(timestamp), html_escape(url),
                     html_escape(text));
}

std::string count_of(uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

std::string captures_text(const CollectionSummary& summary) {
  return (summary.exact ? "" : "about ") + count_of(summary.captures, "capture", "captures");
}

std::string pages_text(const CollectionSummary& summary) {
  return (summary.pages_exact ? "" : "about ") + count_of(summary.pages, "page", "pages");
}

// What of a collection cannot be used: nobody shall take the rest for all there is.
std::string problem_list(const std::vector<std::string>& problems) {
  std::string list;
  for (const std::string& problem : problems)
    list += fmt::format("<p class=\"reason\">Part of this collection cannot be used: {}.</p>\n", html_escape(problem));
  return list;
}

std::string capture_rows(std::string_view collection, const std::vector<cdx::Capture>& captures, bool with_url) {
  std::string rows = "<table>\n<thead><tr><th>Captured</th>";
  rows += with_url ? "<th>URL</th>" : "";
  rows +=
      "<th>Status</th><th>Type</th><th class=\"number\">Bytes stored</th><th>Archive file</th></tr></thead>\n<tbody>\n";
  size_t listed = 0;
  for (const cdx::Capture& capture : captures) {
    if (++listed > kCalendarRows) break;
    rows += "<tr><td>" + replay_link(collection, capture.timestamp, capture.url, readable_time(capture.timestamp)) +
            "</td>";
    if (with_url) rows += "<td class=\"url\">" + html_escape(capture.url) + "</td>";
    rows += fmt::format("<td>{}</td><td>{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
                        html_escape(capture.status), capture.is_revisit() ? "unchanged" : html_escape(capture.mime),
                        html_escape(capture.length), html_escape(capture.filename));
  }
  rows += "</tbody>\n</table>\n";
  if (captures.size() > kCalendarRows) rows += fmt::format("<p>The first {} are listed.</p>\n", kCalendarRows);
  return rows;
}

struct Day {
  size_t captures = 0;
  std::string timestamp, url;
};
using Days = std::map<std::string, Day>;  // by 8 digits

int digits(std::string_view text) { return static_cast<int>(parse_int(text).value_or(0)); }

std::string month_grid(const Days& days, std::string_view collection, int year, int month) {
  using namespace std::chrono;
  const year_month_day first{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)), day(1)};
  const unsigned last = static_cast<unsigned>(year_month_day_last(first.year(), month_day_last(first.month())).day());
  std::string grid = fmt::format("<section class=\"month\"><h3>{}</h3><div class=\"days\">", kMonths[month - 1]);
  const unsigned offset = weekday(sys_days(first)).iso_encoding() - 1;
  for (unsigned i = 0; i < offset; ++i) grid += "<i></i>";
  for (unsigned number = 1; number <= last; ++number) {
    const auto found = days.find(fmt::format("{:04}{:02}{:02}", year, month, number));
    if (found == days.end()) {
      grid += fmt::format("<i>{}</i>", number);
      continue;
    }
    const Day& there = found->second;
    grid += fmt::format("<a href=\"/{}/{}/{}\" title=\"{}\">{}</a>", html_escape(collection), there.timestamp,
                        html_escape(there.url), count_of(there.captures, "capture", "captures"), number);
  }
  return grid + "</div></section>\n";
}

std::string year_grids(const CalendarView& view) {
  Days days;
  std::map<int, size_t> years;
  for (const cdx::Capture& capture : view.captures) {
    if (capture.timestamp.size() < 8) continue;
    Day& day = days[capture.timestamp.substr(0, 8)];
    if (day.captures++ == 0) {
      day.timestamp = capture.timestamp;
      day.url = capture.url;
    }
    ++years[digits(std::string_view(capture.timestamp).substr(0, 4))];
  }
  std::string out = "<nav class=\"years\">";
  for (const auto& [year, captures] : years)
    out += fmt::format("<a href=\"#y{}\">{} <small>{}</small></a> ", year, year, captures);
  out += "</nav>\n";
  for (const auto& [year, captures] : years) {
    if (year < 1 || year > 9999) continue;
    out += fmt::format("<section class=\"year\" id=\"y{}\"><h2>{}</h2>\n<div class=\"months\">\n", year, year);
    for (int month = 1; month <= 12; ++month) out += month_grid(days, view.collection, year, month);
    out += "</div></section>\n";
  }
  return out;
}

std::string period_text(const CalendarView& view) {
  if (view.from.empty() && view.to.empty()) return "";
  return " between " + (view.from.empty() ? std::string("the beginning") : view.from) + " and " +
         (view.to.empty() ? std::string("now") : view.to);
}

}  // namespace

std::string readable_time(std::string_view timestamp) {
  const auto time = parse_timestamp(timestamp.substr(0, 14));
  if (!time) return std::string(timestamp);
  const std::string stamp = timestamp14(*time);
  const std::string_view t = stamp;
  return fmt::format("{} {} {}, {}:{}:{} UTC", digits(t.substr(6, 2)), kMonths[digits(t.substr(4, 2)) - 1],
                     t.substr(0, 4), t.substr(8, 2), t.substr(10, 2), t.substr(12, 2));
}

std::string start_page(const std::vector<CollectionSummary>& collections) {
  std::string body = "<h1>Web archive</h1>\n";
  if (collections.size() == 1) body += search_form(collections.front().name, "");
  body += "<ul class=\"collections\">\n";
  for (const CollectionSummary& one : collections)
    body += fmt::format("<li><a href=\"/{}/\">{}</a> <span>{}, {}</span></li>\n", html_escape(one.name),
                        html_escape(one.name), captures_text(one), pages_text(one)) +
            problem_list(one.problems);
  body += "</ul>\n";
  return layout("Web archive", body);
}

std::string collection_page(const CollectionSummary& summary, const PageList& pages) {
  std::string body = fmt::format("<h1>{}</h1>\n<p>{}</p>\n", html_escape(summary.name), captures_text(summary));
  body += problem_list(summary.problems);
  body += search_form(summary.name, "");
  if (!pages.first.empty()) {
    body +=
        fmt::format("<h2>Pages</h2>\n<p>{}{}</p>\n<ul class=\"pages\">\n", pages_text(summary),
                    pages.count > pages.first.size() ? fmt::format(", the first {} of them", pages.first.size()) : "");
    for (const Page& page : pages.first)
      body += fmt::format("<li>{} <span class=\"url\">{}</span></li>\n",
                          replay_link(summary.name, page.timestamp.empty() ? "*" : page.timestamp, page.url,
                                      page.title.empty() ? page.url : page.title),
                          html_escape(page.url));
    body += "</ul>\n";
  }
  return layout(summary.name, body);
}

namespace {

// The address of the same list, with or without captures of other URLs.
std::string list_address(const CalendarView& view, bool is_exact) {
  const std::string period = view.to.empty() ? view.from + "*" : view.from + "-" + view.to;
  return fmt::format("/{}/{}{}/{}", view.collection, period, is_exact ? "exact" : "", header_url(view.url));
}

bool has_other_urls(const CalendarView& view) {
  const std::string wanted = cdx::normal_url(view.url);
  return std::ranges::any_of(view.captures, [&](const cdx::Capture& capture) {
    return !capture.url.empty() && cdx::normal_url(capture.url) != wanted;
  });
}

// How to see fewer captures, or more.
std::string exactness(const CalendarView& view, bool is_mixed) {
  if (view.is_exact)
    return fmt::format(
        "<p>These are captures of exactly this URL. <a href=\"{}\">Show all that share its key</a></p>\n",
        html_escape(list_address(view, false)));
  if (!is_mixed) return "";
  return fmt::format(
      "<p>Some are of other URLs that the index knows by the same key. <a href=\"{}\">Show captures of exactly this "
      "URL</a></p>\n",
      html_escape(list_address(view, true)));
}

}  // namespace

std::string calendar_page(const CalendarView& view) {
  std::string body =
      fmt::format("<h1 class=\"url\">{}</h1>\n", html_escape(view.url)) + search_form(view.collection, view.url);
  body += fmt::format("<p>{}{} in <a href=\"/{}/\">{}</a>{}.</p>\n", view.cut ? "More than " : "",
                      count_of(view.captures.size(), "capture", "captures"), html_escape(view.collection),
                      html_escape(view.collection), html_escape(period_text(view)));
  const bool is_mixed = has_other_urls(view);
  body += exactness(view, is_mixed);
  if (!view.captures.empty()) body += year_grids(view) + capture_rows(view.collection, view.captures, is_mixed);
  return layout("Captures of " + view.url, body);
}

std::string url_list_page(const CalendarView& view) {
  std::string body =
      fmt::format("<h1 class=\"url\">{}*</h1>\n", html_escape(view.url)) + search_form(view.collection, view.url + "*");
  body += fmt::format("<p>{}{} begin so{}.</p>\n", view.cut ? "More than " : "",
                      count_of(view.captures.size(), "URL", "URLs"), html_escape(period_text(view)));
  body += "<ul class=\"pages\">\n";
  for (const cdx::Capture& capture : view.captures)
    body += fmt::format("<li class=\"url\"><a href=\"/{}/*/{}\">{}</a></li>\n", html_escape(view.collection),
                        html_escape(capture.url), html_escape(capture.url));
  body += "</ul>\n";
  return layout("URLs under " + view.url, body);
}

std::string missing_page(const MissingView& view) {
  std::string body = fmt::format("<h1>Not in the archive</h1>\n<p class=\"url\">{}</p>\n", html_escape(view.url));
  constexpr size_t kMostOfASentence = 4000;
  for (const std::string& reason : view.reasons)
    body += fmt::format("<p class=\"reason\">{}</p>\n", html_escape(visible(reason, kMostOfASentence)));
  for (const std::string& problem : view.problems)
    body += fmt::format("<p class=\"reason\">A capture cannot be shown: {}.</p>\n", html_escape(problem));
  body += problem_list(view.index_problems);
  if (!view.same_url.empty())
    body += "<h2>Other captures of it</h2>\n" + capture_rows(view.collection, view.same_url, false);
  if (!view.near.empty()) body += "<h2>Captured near it</h2>\n" + capture_rows(view.collection, view.near, true);
  body += search_form(view.collection, view.url);
  return layout("Not in the archive", body);
}

std::string message_page(std::string_view title, std::string_view sentence) {
  return layout(title, fmt::format("<h1>{}</h1>\n<p>{}</p>\n", html_escape(title), html_escape(sentence)));
}

}  // namespace caddis::replay
