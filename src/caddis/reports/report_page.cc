#include "caddis/reports/report_page.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/time_format.h"
#include "caddis/reports/assets.h"
#include "caddis/reports/html_text.h"

namespace caddis::reports {

ReportPage::ReportPage(std::string name, std::string status, WallTime made)
    : name_(std::move(name)), status_(std::move(status)), made_(made) {}

void ReportPage::add_figure(std::string name, std::string value) {
  figures_ += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_text(name), html_text(value));
}

void ReportPage::add_plot(std::string title, std::string svg) {
  plots_ += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", html_text(title), svg);
}

void ReportPage::add_link(std::string path, std::string words) {
  links_ += fmt::format("<li><a href=\"{}\">{}</a></li>\n", html_text(path), html_text(words));
}

RowCall ReportPage::add_table(const Report& report) {
  Table& table = *tables_.emplace_back(std::make_unique<Table>());
  table.name = report.name;
  table.title = report.title;
  table.columns = report.columns;
  return [&table](const Row& row) -> Result<void> {
    add_row(table, row);
    return {};
  };
}

void ReportPage::add_row(Table& table, const Row& row) {
  if (table.shown == kMostRows) {
    ++table.left_out;
    return;
  }
  ++table.shown;
  table.rows += "<tr>";
  for (size_t i = 0; i < row.size(); ++i)
    table.rows += fmt::format("<td{}>{}</td>", table.columns[i].kind == CellKind::number ? " class=\"n\"" : "",
                              html_text(row[i]));
  table.rows += "</tr>\n";
}

std::string ReportPage::html_of(const Table& table) {
  const std::string name = html_text(table.name);
  std::string out = fmt::format(
      "<details id=\"{0}\"{1}>\n<summary>{2} <small>{3}</small></summary>\n"
      "<p class=\"files\"><a href=\"{0}.txt\">text</a> <a href=\"{0}.csv\">CSV</a> <a href=\"{0}.json\">JSON</a></p>\n",
      name, table.shown > 0 ? " open" : "", html_text(table.title),
      table.shown == 0      ? "nothing"
      : table.left_out == 0 ? fmt::format("{} {}", table.shown, table.shown == 1 ? "row" : "rows")
                            : fmt::format("the first {} of {} rows", table.shown, table.shown + table.left_out));
  out += "<div class=\"wide\"><table>\n<thead><tr>";
  for (const Column& column : table.columns)
    out += fmt::format("<th scope=\"col\"{}>{}</th>", column.kind == CellKind::number ? " class=\"n\"" : "",
                       html_text(column.name));
  return out + "</tr></thead>\n<tbody>\n" + table.rows + "</tbody>\n</table></div>\n</details>\n";
}

std::string ReportPage::html() const {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{0}: reports</title>\n<style>\n{1}</style>\n</head>\n<body>\n"
      "<header>\n<h1>{0}</h1>\n<p class=\"status\">{2}</p>\n<p class=\"made\">Made on {3} by Caddis</p>\n</header>\n",
      html_text(name_), find_asset("page.css"), html_text(status_), rfc3339(made_));
  out += "<dl>\n" + figures_ + "</dl>\n";
  out += "<h2>Over time, and by kind</h2>\n<div class=\"plots\">\n" + plots_ + "</div>\n";
  out += "<h2>Reports</h2>\n<nav>\n";
  for (const auto& table : tables_)
    out += fmt::format("<a href=\"#{}\">{}</a>\n", html_text(table->name), html_text(table->title));
  out += "</nav>\n";
  for (const auto& table : tables_) out += html_of(*table);
  return out + "<h2>Logs</h2>\n<ul>\n" + links_ + "</ul>\n</body>\n</html>\n";
}

}  // namespace caddis::reports
