// Changes of the frontier that an operator asks for. Every handler reads all of its input before it changes anything,
// so that a mistake in the last line of a list changes nothing.
#include "caddis/control/frontier_changes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/utf8.h"
#include "caddis/config/seeds.h"
#include "caddis/control/api_json.h"
#include "caddis/control/frontier_reports.h"
#include "caddis/control/frontier_view.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/url/crawl_schemes.h"

namespace caddis::control {
namespace {

std::optional<frontier::Precedence> precedence_named(const nlohmann::json& name) {
  if (name == "first") return frontier::Precedence::first;
  if (name == "embed") return frontier::Precedence::embed;
  if (name == "normal") return frontier::Precedence::normal;
  return std::nullopt;
}

// Sets the one member of `added` that has this name; false if there is none, or the value is of another type.
bool set_member(crawl::Operator::AddedUrl& added, const std::string& name, const nlohmann::json& value) {
  if (name == "url" || name == "via" || name == "hops") {
    if (!value.is_string()) return false;
    (name == "url" ? added.url : name == "via" ? added.via : added.hops) = value.get<std::string>();
    return true;
  }
  if (name == "seed" || name == "force") {
    if (!value.is_boolean()) return false;
    (name == "seed" ? added.is_seed : added.force) = value.get<bool>();
    return true;
  }
  if (name == "precedence") added.precedence = precedence_named(value);
  return name == "precedence" && added.precedence.has_value();
}

// A line of the body: a URL, or an object of the schema NewUrl.
Result<crawl::Operator::AddedUrl> read_url(std::string_view line) {
  crawl::Operator::AddedUrl added;
  if (!line.starts_with('{')) {
    added.url = line;
    return added;
  }
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return fail(ErrorCode::parse, fmt::format("no JSON object: {}", line));
  for (const auto& [name, value] : json.items())
    if (!set_member(added, name, value))
      return fail(ErrorCode::parse, fmt::format("'{}' is not understood: there are url, via, hops (texts), seed, force "
                                                "(true or false) and precedence (first, embed or normal)",
                                                name));
  if (!crawl::are_hops(added.hops))
    return fail(ErrorCode::parse, fmt::format("'{}' are no hops, such as LLE", added.hops.substr(0, 40)));
  return added;
}

Result<void> set_delay(frontier::HostOverrides& orders, const std::string& text) {
  orders.delay.reset();
  if (text.empty()) return {};
  const auto delay = parse_duration(text);
  if (!delay || *delay > std::chrono::hours(24))
    return fail(ErrorCode::parse, fmt::format("delay is a time up to a day, such as 30s, not '{}'", text));
  orders.delay = *delay;
  return {};
}

Result<void> set_budget(frontier::HostOverrides& orders, const std::string& text) {
  orders.budget.reset();
  if (text.empty()) return {};
  const auto budget = parse_int(text);
  if (!budget || *budget < 0)
    return fail(ErrorCode::parse, fmt::format("budget is a number of URLs, 0 for no limit, not '{}'", text));
  orders.budget = static_cast<uint64_t>(*budget);
  return {};
}

}  // namespace

Result<std::string> add_urls(crawl::Operator& crawl, const Call& call) {
  TRY(const bool force, call.parameters.flag("force", false));
  TRY(const bool seed, call.parameters.flag("seed", false));
  std::vector<crawl::Operator::AddedUrl> urls;
  size_t number = 0;
  for (const std::string_view line : split(without_byte_order_mark(call.body), '\n')) {
    ++number;
    const std::string_view text = trim(line);
    if (text.empty() || text.starts_with('#')) continue;
    auto added = read_url(text);
    if (!added) return pass(std::move(added.error()), fmt::format("line {}", number));
    if (auto usable = crawl.scheduled_url_of(added->url); !usable)
      return pass(std::move(usable.error()), fmt::format("line {}", number));
    added->force |= force;
    added->is_seed |= seed;
    urls.push_back(*std::move(added));
  }
  if (urls.empty()) return fail(ErrorCode::parse, "the body holds no URL: one a line, as text or as JSON");
  TRY(const crawl::TakenUrls taken, crawl.add_urls(urls));
  return api::to_json(api::AddedUrls{.given = urls.size(), .added = taken.urls, .over_budget = taken.over_budget});
}

aio::Task<Result<std::string>> remove_seeds(crawl::Operator& crawl, Call call) {
  std::vector<std::string> urls;
  for (const std::string_view line : split(without_byte_order_mark(call.body), '\n'))
    if (const std::string_view seed = config::seed_on_line(line); !seed.empty()) urls.emplace_back(seed);
  const size_t given = urls.size();
  if (given == 0) co_return fail(ErrorCode::parse, "the body holds no seed: one a line");
  CO_TRY(const uint64_t removed, co_await crawl.remove_seeds(std::move(urls)));
  co_return api::to_json(api::RemovedSeeds{.given = given, .removed = removed});
}

Result<std::string> delete_urls(crawl::Operator& crawl, const Call& call) {
  TRY(const bool dry, call.parameters.flag("dry", false));
  if (!dry && call.parameters.contains("nearest"))
    return fail(ErrorCode::parse, "nearest is for a count alone: with dry=1");
  TRY(frontier::WaitingQuery query, waiting_query(call.parameters));
  if (query.host.empty() && !query.match)
    return fail(ErrorCode::parse, "say what is to be deleted: host=…, regex=…, or both");
  if (dry) {
    query.only_count = true;
    TRY(const auto page, crawl.frontier().admin().waiting(query));
    return api::to_json(api::CountedUrls{.would_delete = page.matched, .marker = page.cursor});
  }
  const std::string which = fmt::format("host {} regex {}", query.host.empty() ? "-" : query.host,
                                        call.parameters.find("regex").value_or("-"));
  TRY(const auto erased, crawl.erase(query, which));
  return api::to_json(api::DeletedUrls{.deleted = erased.urls, .marker = erased.cursor});
}

Result<std::string> change_host(crawl::Operator& crawl, const Call& call) {
  const std::string host = to_lower(call.segment);
  const auto as_url = crawl.scheduled_url_of("http://" + host + "/");
  if (host != url::kFilesHost && (!as_url || as_url->host != host))
    return fail(ErrorCode::parse, fmt::format("'{}' is no host name", host));
  const Parameters& given = call.parameters;
  if (given.empty()) return fail(ErrorCode::parse, "say what: delay=…, budget=…, block=1 or 0, retire=1 or 0");
  TRY(frontier::HostOverrides orders, crawl.frontier().admin().overrides(host));
  TRY(orders.blocked, given.flag("block", orders.blocked));
  TRY(orders.retired, given.flag("retire", orders.retired));
  if (const auto delay = given.find("delay")) TRY_VOID(set_delay(orders, *delay));
  if (const auto budget = given.find("budget")) TRY_VOID(set_budget(orders, *budget));
  TRY_VOID(crawl.order(host, orders));
  TRY(const auto report, crawl.frontier().admin().explain_host(host));
  return api::to_json(to_api(report));
}

Result<std::string> retire_queue(crawl::Operator& crawl, const Call& call) {
  const auto origin = call.parameters.find("queue");
  if (!origin || !call.parameters.contains("retire"))
    return fail(ErrorCode::parse, "say which and what: queue=ORIGIN (http://a.example:8080) and retire=1 or 0");
  TRY(const bool retired, call.parameters.flag("retire", true));
  TRY(const auto of, crawl.scheduled_url_of(*origin + "/"));
  const auto done = crawl.retire_queue(*origin, retired);
  if (!done && done.error().code != ErrorCode::not_found) return std::unexpected(done.error());
  TRY(const auto report, crawl.frontier().admin().explain_host(of.host));
  if (done) return api::to_json(to_api(report));
  if (report.queues.empty()) return std::unexpected(done.error());
  std::string known;
  for (const auto& one : report.queues) known += (known.empty() ? "" : ", ") + one.origin;
  return fail(ErrorCode::not_found, fmt::format("{} has no queue {}; it has {}", of.host, of.origin, known));
}

Result<std::string> wake_hosts(crawl::Operator& crawl, const Call& call) {
  TRY(const auto woken, crawl.wake(to_lower(call.parameters.text("host")), to_lower(call.parameters.text("marker"))));
  return api::to_json(api::WokenHosts{.hosts = woken.hosts, .marker = woken.cursor});
}

Result<std::string> end_visit(crawl::Operator& crawl, const Call& call) {
  const std::string url = call.parameters.text("url");
  if (url.empty()) return fail(ErrorCode::parse, "say which: url=…");
  TRY_VOID(crawl.end_visit(url));
  return api::to_json(api::EndedVisit{url});
}

}  // namespace caddis::control
