#include "caddis/harvestserver/results_csv.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "caddis/base/csv.h"
#include "caddis/base/time_format.h"

namespace caddis::harvestserver {
namespace {

constexpr int64_t kPiece = 1000;  // lines

class CsvSource final : public http::BodySource {
 public:
  CsvSource(sql::Database& database, harvest::ResultQuery query) : database_(database), query_(std::move(query)) {
    query_.after = 0;
    query_.limit = kPiece;
  }

  Result<bool> next(std::string& piece) override {
    if (query_.after == 0) piece += "domain,configuration,harvest,run,job,objects,bytes,stop_reason,time\r\n";
    TRY(const auto lines, database_.read([&](sql::Connection& c) { return harvest::list_results(c, query_); }));
    for (const harvest::ResultLine& line : lines) {
      piece += fmt::format("{},{},{},{},{},{},{},{},{}\r\n", csv_cell(line.domain), csv_cell(line.configuration),
                           csv_cell(line.definition), line.run, line.job, line.objects, line.bytes,
                           name_of(line.reason), rfc3339(WallTime(std::chrono::seconds(line.time))));
      query_.after = line.id;
    }
    return static_cast<int64_t>(lines.size()) == kPiece;
  }

 private:
  sql::Database& database_;
  harvest::ResultQuery query_;
};

}  // namespace

Result<http::ServerResponse> results_as_csv(sql::Database& database, harvest::ResultQuery query) {
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", "text/csv; charset=utf-8; header=present");
  response.headers.emplace_back("Content-Disposition", "attachment; filename=\"results.csv\"");
  response.source = std::make_unique<CsvSource>(database, std::move(query));
  return response;
}

}  // namespace caddis::harvestserver
