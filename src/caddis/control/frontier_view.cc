#include "caddis/control/frontier_view.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <memory>

#include "caddis/base/strings.h"
#include "caddis/control/api_json.h"
#include "caddis/control/frontier_reports.h"

namespace caddis::control {
namespace {

Result<frontier::QueueOrder> queue_order(const Parameters& parameters) {
  const std::string by = parameters.text("by");
  if (by.empty() || by == "size") return frontier::QueueOrder::size;
  if (by == "wait") return frontier::QueueOrder::wait;
  if (by == "failures") return frontier::QueueOrder::failures;
  return fail(ErrorCode::parse, fmt::format("by is size, wait or failures, not '{}'", by));
}

}  // namespace

Result<std::string> list_queues(const FrontierView& view, const Call& call) {
  TRY(const size_t limit, call.parameters.limit());
  TRY(const frontier::QueueOrder order, queue_order(call.parameters));
  TRY(const bool in_parts, call.parameters.flag("all", call.parameters.contains("marker")));
  if (in_parts) {
    TRY(const auto page, view.frontier.some_queues(order, limit, call.parameters.text("marker")));
    return api::to_json(to_api(page));
  }
  if (!view.reads_all_rows) return api::to_json(to_api(view.frontier.queues(order, limit)));
  TRY(const auto queues, view.frontier.all_queues(order, limit));
  return api::to_json(to_api(queues));
}

Result<std::string> explain_host(const FrontierView& view, const Call& call) {
  TRY(const auto report, view.frontier.explain_host(to_lower(call.segment)));
  return api::to_json(to_api(report));
}

Result<std::string> explain_url(const FrontierView& view, const Call& call) {
  TRY(AskedUrl asked, view.ask_about(call.parameters.text("url")));
  TRY(const auto report, view.frontier.explain_url(asked.scheduled));
  return api::to_json(to_api(asked.scheduled.candidate.url, report, std::move(asked.sheets)));
}

Result<std::string> list_waiting(const FrontierView& view, const Call& call) {
  TRY(const auto query, waiting_query(call.parameters));
  TRY(const auto page, view.frontier.waiting(query));
  return api::to_json(to_api(page));
}

Result<frontier::WaitingQuery> waiting_query(const Parameters& parameters) {
  frontier::WaitingQuery query;
  query.host = to_lower(parameters.text("host"));
  query.marker = parameters.text("marker");
  TRY(query.limit, parameters.limit());
  TRY(query.nearest, parameters.flag("nearest", false));
  const std::string regex = parameters.text("regex");
  if (regex.empty()) return query;
  RE2::Options options(RE2::Quiet);
  options.set_never_capture(true);
  options.set_encoding(RE2::Options::EncodingLatin1);
  const auto pattern = std::make_shared<const RE2>(regex, options);
  if (!pattern->ok()) return fail(ErrorCode::parse, fmt::format("regex '{}': {}", regex, pattern->error()));
  query.match = [pattern](const frontier::Candidate& candidate) { return RE2::PartialMatch(candidate.url, *pattern); };
  return query;
}

}  // namespace caddis::control
