#include "caddis/control/report_handlers.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/control/control_client.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/report_desk.h"
#include "caddis/crawl/report_names.h"
#include "caddis/reports/report_writer.h"

namespace caddis::control {
namespace {

// A report is held in memory until its reader has it.
constexpr size_t kRows = 10'000, kMostRows = 100'000;

Result<crawl::ReportDesk::Question> question_in(const Call& call) {
  crawl::ReportDesk::Question question{.name = call.segment, .format = reports::Format::json, .most = kRows};
  if (const auto given = call.parameters.find("format")) {
    const auto format = reports::format_named(*given);
    if (!format) return fail(ErrorCode::parse, fmt::format("format '{}': text, json or csv", *given));
    question.format = *format;
  }
  if (const auto given = call.parameters.find("limit")) {
    const auto rows = parse_int(*given);
    if (!rows || *rows < 1 || *rows > static_cast<long long>(kMostRows))
      return fail(ErrorCode::parse, fmt::format("limit '{}': a number of rows from 1 to {}", *given, kMostRows));
    question.most = static_cast<size_t>(*rows);
  }
  return question;
}

}  // namespace

Result<std::string> list_reports(crawl::Operator&, const Call&) {
  std::string list;
  for (const crawl::ReportName& one : crawl::kReportNames)
    list += (list.empty() ? "" : ",") + JsonObject().add("name", one.name).add("title", one.title).finish();
  return JsonObject().add_raw("reports", "[" + list + "]").finish();
}

aio::Task<Result<http::ServerResponse>> make_report(crawl::Operator& crawl, Call call) {
  CO_TRY(crawl::ReportDesk::Question question, question_in(call));
  const reports::Format format = question.format;
  CO_TRY(crawl::ReportDesk::Answer made, co_await crawl.reports().make(std::move(question)));
  http::ServerResponse answer(200);
  answer.headers.emplace_back("Content-Type", reports::media_type_of(format));
  if (made.is_cut) answer.headers.emplace_back(kReportCutField, "true");
  answer.body = std::move(made.text);
  co_return answer;
}

aio::Task<Result<std::string>> write_reports(crawl::Operator& crawl, Call) {
  CO_TRY_VOID(co_await crawl.reports().write_all());
  co_return JsonObject().add("folder", crawl.state().launch.reports()).finish();
}

}  // namespace caddis::control
