#include "caddis/control/frontier_query.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <memory>

#include "caddis/base/strings.h"
#include "caddis/control/frontier_json.h"
#include "caddis/url/percent.h"

namespace caddis::control {
namespace {

constexpr int64_t kMostListed = 10'000;

Result<size_t> limit_of(const Parameters& parameters) {
  const auto given = parameters.find("limit");
  if (given == parameters.end()) return size_t{100};
  const auto limit = parse_int(given->second);
  if (!limit || *limit < 1 || *limit > kMostListed)
    return fail(ErrorCode::parse, fmt::format("limit is a number from 1 to {}, not '{}'", kMostListed, given->second));
  return static_cast<size_t>(*limit);
}

std::string value_of(const Parameters& parameters, std::string_view name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string() : found->second;
}

Result<std::string> look_at_queues(frontier::CrawlFrontier& frontier, const Parameters& parameters, bool all) {
  TRY(const size_t limit, limit_of(parameters));
  const std::string by = value_of(parameters, "by");
  auto order = frontier::QueueOrder::size;
  if (by == "wait")
    order = frontier::QueueOrder::wait;
  else if (by == "failures")
    order = frontier::QueueOrder::failures;
  else if (!by.empty() && by != "size")
    return fail(ErrorCode::parse, fmt::format("by is size, wait or failures, not '{}'", by));
  TRY(const bool in_parts, flag(parameters, "all", parameters.contains("marker")));
  if (in_parts) {
    TRY(const auto page, frontier.admin().some_queues(order, limit, value_of(parameters, "marker")));
    return queue_page_json(page);
  }
  if (!all) return queues_json(frontier.admin().queues(order, limit));
  TRY(const auto queues, frontier.admin().all_queues(order, limit));
  return queues_json(queues);
}

}  // namespace

Result<Parameters> parse_parameters(std::string_view query, std::string_view known) {
  Parameters parameters;
  const auto names = split(known, ' ');
  for (const std::string_view part : split(query, '&')) {
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    std::string name = url::percent_decode(part.substr(0, equals));
    if (std::ranges::find(names, name) == names.end())
      return fail(ErrorCode::parse, fmt::format("there is no parameter '{}' here; there are: {}", name, known));
    std::string value = equals == std::string_view::npos ? "" : url::percent_decode(part.substr(equals + 1));
    parameters.insert_or_assign(std::move(name), std::move(value));
  }
  return parameters;
}

Result<bool> flag(const Parameters& parameters, std::string_view name, bool otherwise) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return otherwise;
  const std::string& value = found->second;
  if (value.empty() || value == "1" || value == "true" || value == "yes") return true;
  if (value == "0" || value == "false" || value == "no") return false;
  return fail(ErrorCode::parse, fmt::format("{} is 1 or 0, not '{}'", name, value));
}

Result<frontier::WaitingQuery> waiting_query(const Parameters& parameters) {
  frontier::WaitingQuery query;
  query.host = to_lower(value_of(parameters, "host"));
  query.cursor = value_of(parameters, "marker");
  TRY(query.limit, limit_of(parameters));
  TRY(query.nearest, flag(parameters, "nearest", false));
  const std::string regex = value_of(parameters, "regex");
  if (regex.empty()) return query;
  RE2::Options options(RE2::Quiet);
  options.set_never_capture(true);
  options.set_encoding(RE2::Options::EncodingLatin1);
  const auto pattern = std::make_shared<const RE2>(regex, options);
  if (!pattern->ok()) return fail(ErrorCode::parse, fmt::format("regex '{}': {}", regex, pattern->error()));
  query.match = [pattern](const frontier::Candidate& what) { return RE2::PartialMatch(what.url, *pattern); };
  return query;
}

Result<std::string> look(frontier::CrawlFrontier& frontier, std::string_view path, std::string_view query, bool all,
                         const std::function<Result<AskedUrl>(std::string_view)>& ask_about) {
  constexpr std::string_view kHosts = "/hosts/";
  if (path == "/queues") {
    TRY(const Parameters parameters, parse_parameters(query, "by limit all marker"));
    return look_at_queues(frontier, parameters, all);
  }
  if (path.starts_with(kHosts) && path.size() > kHosts.size()) {
    TRY_VOID(parse_parameters(query, ""));
    TRY(const auto host, frontier.admin().explain_host(to_lower(url::percent_decode(path.substr(kHosts.size())))));
    return host_json(host);
  }
  if (path == "/url") {
    TRY(const Parameters parameters, parse_parameters(query, "url"));
    TRY(const AskedUrl asked, ask_about(value_of(parameters, "url")));
    TRY(const auto report, frontier.admin().explain_url(asked.scheduled));
    return url_json(asked.scheduled.candidate.url, report, asked.sheets);
  }
  if (path == "/urls") {
    TRY(const Parameters parameters, parse_parameters(query, "host regex limit marker nearest"));
    TRY(const auto wanted, waiting_query(parameters));
    TRY(const auto page, frontier.admin().waiting(wanted));
    return page_json(page);
  }
  return fail(ErrorCode::unsupported, fmt::format("there is no {}", path));
}

}  // namespace caddis::control
