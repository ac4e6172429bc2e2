// index.html of a folder of reports: one file that needs nothing else, and asks for nothing. Plots, the reports as
// tables, and links to files beside it. Holds no script; its policy (CSP) forbids every request.
//
//   ReportPage page("c-20260102030405", "finished", now);
//   page.add_figure("Documents", "1,234");
//   page.add_plot("Documents a second", draw(chart));
//   TRY_VOID(write_files(files, folder, report, page.add_table(report)));
//   files.write_atomically(folder + "/index.html", page.html());
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/reports/report.h"

namespace caddis::reports {

class ReportPage {
 public:
  // Rows of a table; the files have the rest.
  static constexpr size_t kMostRows = 500;

  ReportPage(std::string name, std::string status, WallTime made);

  void add_figure(std::string name, std::string value);
  // `svg` as svg_chart.h draws it.
  void add_plot(std::string title, std::string svg);
  // A file to look at, relative to the page.
  void add_link(std::string path, std::string words);
  // Begins the table of a report, whose files lie beside the page. Returns what its rows are to be given to; the page
  // must outlive that.
  RowCall add_table(const Report& report);

  std::string html() const;

 private:
  struct Table {
    std::string name, title;
    std::vector<Column> columns;
    std::string rows;  // as HTML
    size_t shown = 0, left_out = 0;
  };
  static void add_row(Table& table, const Row& row);
  static std::string html_of(const Table& table);

  const std::string name_, status_;
  const WallTime made_;
  std::string figures_, plots_, links_;
  std::vector<std::unique_ptr<Table>> tables_;
};

}  // namespace caddis::reports
