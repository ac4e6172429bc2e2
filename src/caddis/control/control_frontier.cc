#include "caddis/control/control_frontier.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/utf8.h"
#include "caddis/control/frontier_json.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/url/percent.h"

namespace caddis::control {
namespace {

constexpr std::string_view kHosts = "/hosts/";

bool names_host(std::string_view path) { return path.starts_with(kHosts) && path.size() > kHosts.size(); }

// Of the path "/hosts/<host>".
std::string host_in(std::string_view path) { return to_lower(url::percent_decode(path.substr(kHosts.size()))); }

http::ServerResponse refuse(const Error& error) {
  switch (error.code) {
    case ErrorCode::parse:
    case ErrorCode::config:
      return error_response(400, error.message);
    case ErrorCode::not_found:
      return error_response(error.message.starts_with("the marker") ? 410 : 404, error.message);
    case ErrorCode::conflict:
      return error_response(409, error.message);
    default:
      return error_response(500, error.message);
  }
}

http::ServerResponse answer(Result<std::string> json) {
  if (!json) return refuse(json.error());
  return http::json_response(200, *std::move(json));
}

Result<crawl::Operator::AddedUrl> added_url(std::string_view line) {
  crawl::Operator::AddedUrl added;
  if (!line.starts_with('{')) {
    added.url = line;
    return added;
  }
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return fail(ErrorCode::parse, fmt::format("no JSON object: {}", line));
  for (const auto& [name, value] : json.items()) {
    if ((name == "url" || name == "via" || name == "hops") && value.is_string()) {
      (name == "url" ? added.url : name == "via" ? added.via : added.hops) = value.get<std::string>();
    } else if ((name == "seed" || name == "force") && value.is_boolean()) {
      (name == "seed" ? added.is_seed : added.force) = value.get<bool>();
    } else if (name == "precedence" && (value == "first" || value == "embed" || value == "normal")) {
      added.precedence = value == "first"   ? frontier::Precedence::first
                         : value == "embed" ? frontier::Precedence::embed
                                            : frontier::Precedence::normal;
    } else {
      return fail(ErrorCode::parse, fmt::format("'{}' is not understood: there are url, via, hops (texts), seed, force "
                                                "(true or false) and precedence (first, embed or normal)",
                                                name));
    }
  }
  if (!crawl::are_hops(added.hops))
    return fail(ErrorCode::parse, fmt::format("'{}' are no hops, such as LLE", added.hops.substr(0, 40)));
  return added;
}

Result<std::string> add(crawl::Operator& crawl, const http::ServerRequest& request) {
  TRY(const Parameters parameters, parse_parameters(request.query, "force seed"));
  TRY(const bool force, flag(parameters, "force", false));
  TRY(const bool seed, flag(parameters, "seed", false));
  std::vector<crawl::Operator::AddedUrl> urls;
  size_t number = 0;
  for (const std::string_view line : split(without_byte_order_mark(request.body), '\n')) {
    ++number;
    const std::string_view text = trim(line);
    if (text.empty() || text.starts_with('#')) continue;
    auto added = added_url(text);
    if (!added) return pass(std::move(added.error()), fmt::format("line {}", number));
    if (auto usable = crawl.scheduled_url_of(added->url); !usable)
      return pass(std::move(usable.error()), fmt::format("line {}", number));
    added->force |= force;
    added->is_seed |= seed;
    urls.push_back(*std::move(added));
  }
  if (urls.empty()) return fail(ErrorCode::parse, "the body holds no URL: one a line, as text or as JSON");
  TRY(const crawl::TakenUrls taken, crawl.add_urls(urls));
  return JsonObject().add("given", urls.size()).add("added", taken.urls).add("over_budget", taken.over_budget).finish();
}

Result<std::string> erase(crawl::Operator& crawl, const http::ServerRequest& request) {
  TRY(const Parameters parameters, parse_parameters(request.query, "host regex dry marker"));
  TRY(const bool dry, flag(parameters, "dry", false));
  TRY(frontier::WaitingQuery query, waiting_query(parameters));
  if (query.host.empty() && !query.match)
    return fail(ErrorCode::parse, "say what is to be deleted: host=…, regex=…, or both");
  if (dry) {
    query.only_count = true;
    TRY(const auto page, crawl.frontier().waiting(query));
    return count_json("would_delete", page.matched, page.marker);
  }
  const auto regex = parameters.find("regex");
  TRY(const auto erased, crawl.erase(query, fmt::format("host {} regex {}", query.host.empty() ? "-" : query.host,
                                                        regex == parameters.end() ? "-" : regex->second)));
  return count_json("deleted", erased.urls, erased.marker);
}

Result<std::string> order(crawl::Operator& crawl, const http::ServerRequest& request) {
  const std::string host = host_in(request.path);
  const auto as_url = crawl.scheduled_url_of("http://" + host + "/");
  if (!as_url || as_url->host != host) return fail(ErrorCode::parse, fmt::format("'{}' is no host name", host));
  TRY(const Parameters parameters, parse_parameters(request.query, "delay block retire budget"));
  if (parameters.empty()) return fail(ErrorCode::parse, "say what: delay=…, budget=…, block=1 or 0, retire=1 or 0");
  TRY(frontier::Orders orders, crawl.frontier().orders(host));
  TRY(orders.blocked, flag(parameters, "block", orders.blocked));
  TRY(orders.retired, flag(parameters, "retire", orders.retired));
  if (const auto delay = parameters.find("delay"); delay != parameters.end()) {
    if (delay->second.empty()) {
      orders.delay.reset();
    } else {
      auto given = parse_duration(delay->second);
      if (!given || *given > std::chrono::hours(24))
        return fail(ErrorCode::parse, fmt::format("delay is a time up to a day, such as 30s, not '{}'", delay->second));
      orders.delay = *given;
    }
  }
  if (const auto budget = parameters.find("budget"); budget != parameters.end()) {
    const auto given = parse_int(budget->second);
    if (!budget->second.empty() && (!given || *given < 0))
      return fail(ErrorCode::parse,
                  fmt::format("budget is a number of URLs, 0 for no limit, not '{}'", budget->second));
    orders.budget = given ? std::optional(static_cast<uint64_t>(*given)) : std::nullopt;
  }
  TRY_VOID(crawl.order(host, orders));
  TRY(const auto report, crawl.frontier().explain_host(host));
  return host_json(report);
}

Result<std::string> order_queue(crawl::Operator& crawl, const http::ServerRequest& request) {
  TRY(const Parameters parameters, parse_parameters(request.query, "queue retire"));
  const auto queue = parameters.find("queue");
  if (queue == parameters.end() || !parameters.contains("retire"))
    return fail(ErrorCode::parse, "say which and what: queue=ORIGIN (http://a.example:8080) and retire=1 or 0");
  TRY(const bool retired, flag(parameters, "retire", true));
  TRY(const auto of, crawl.scheduled_url_of(queue->second + "/"));
  const auto done = crawl.retire_queue(queue->second, retired);
  if (!done && done.error().code != ErrorCode::not_found) return std::unexpected(done.error());
  TRY(const auto report, crawl.frontier().explain_host(of.host));
  if (done) return host_json(report);
  if (report.queues.empty()) return std::unexpected(done.error());
  std::string known;
  for (const auto& one : report.queues) known += (known.empty() ? "" : ", ") + one.origin;
  return fail(ErrorCode::not_found, fmt::format("{} has no queue {}; it has {}", of.host, of.origin, known));
}

Result<std::string> wake(crawl::Operator& crawl, const http::ServerRequest& request) {
  TRY(const Parameters parameters, parse_parameters(request.query, "host marker"));
  const auto value_of = [&](const char* name) {
    const auto found = parameters.find(name);
    return found == parameters.end() ? std::string() : to_lower(found->second);
  };
  TRY(const auto woken, crawl.wake(value_of("host"), value_of("marker")));
  return JsonObject().add("hosts", woken.hosts).add("marker", woken.marker).finish();
}

Result<std::string> end_visit(crawl::Operator& crawl, const http::ServerRequest& request) {
  TRY(const Parameters parameters, parse_parameters(request.query, "url"));
  const auto url = parameters.find("url");
  if (url == parameters.end() || url->second.empty()) return fail(ErrorCode::parse, "say which: url=…");
  TRY_VOID(crawl.end_visit(url->second));
  return JsonObject().add("ends", url->second).finish();
}

}  // namespace

http::ServerResponse error_response(int status, std::string_view message) {
  return http::json_response(status, error_json(message));
}

std::optional<http::ServerResponse> look_at_frontier(crawl::Operator& crawl, const http::ServerRequest& request) {
  auto looked =
      look(crawl.frontier(), request.path, request.query, false, [&](std::string_view url) -> Result<AskedUrl> {
        TRY(auto scheduled, crawl.scheduled_url_of(url));
        TRY(auto sheets, crawl.sheets_of(url));
        return AskedUrl{std::move(scheduled), std::move(sheets)};
      });
  if (!looked && looked.error().code == ErrorCode::unsupported) return std::nullopt;
  return answer(std::move(looked));
}

bool reads_frontier(std::string_view path) {
  return path == "/queues" || path == "/url" || path == "/urls" || names_host(path);
}

bool operates_frontier(std::string_view path) {
  return path == "/queues" || path == "/urls" || path == "/urls/delete" || path == "/wake" || path == "/visits/end" ||
         names_host(path);
}

http::ServerResponse operate_frontier(crawl::Operator& crawl, const http::ServerRequest& request) {
  if (request.path == "/queues") return answer(order_queue(crawl, request));
  if (request.path == "/urls") return answer(add(crawl, request));
  if (request.path == "/urls/delete") return answer(erase(crawl, request));
  if (request.path == "/wake") return answer(wake(crawl, request));
  if (request.path == "/visits/end") return answer(end_visit(crawl, request));
  return answer(order(crawl, request));
}

}  // namespace caddis::control
