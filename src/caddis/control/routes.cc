#include "caddis/control/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <variant>
#include <vector>

#include "caddis/base/check.h"
#include "caddis/control/console.h"
#include "caddis/control/control_client.h"
#include "caddis/control/crawl_changes.h"
#include "caddis/control/crawl_metrics.h"
#include "caddis/control/feed_handlers.h"
#include "caddis/control/frontier_changes.h"
#include "caddis/control/report_handlers.h"
#include "caddis/control/router.h"
#include "caddis/control/status_page.h"

namespace caddis::control {
namespace {

using Page = http::ServerResponse (*)();
using Look = Result<std::string> (*)(const FrontierView&, const Call&);
using Operation = Result<std::string> (*)(crawl::Operator&, const Call&);
using Preparation = aio::Task<void> (*)(crawl::Operator&, Call);
using SlowOperation = aio::Task<Result<std::string>> (*)(crawl::Operator&, Call);
using SlowPage = aio::Task<Result<http::ServerResponse>> (*)(crawl::Operator&, Call);

// A route that asks for something to be kept is refused while nothing can be written, and answered when it is on disk.
enum class Asks { nothing_to_keep, to_be_kept };

struct Route {
  RoutePattern pattern;
  std::variant<Page, Look, Operation, SlowOperation, SlowPage> handler;
  Asks asks = Asks::nothing_to_keep;
  Preparation prepare = nullptr;            // awaited before an Operation, where there is time
  access::Role needs = access::Role::none;  // none: viewer for GET, operator for all else
};

constexpr Route kRoutes[] = {
    {{"GET", "/", "token"}, status_page},
    {{"GET", "/status", ""}, tell_status},
    {{"GET", "/metrics", ""}, tell_metrics},
    {{"GET", "/queues", "by limit all marker"}, list_queues},
    {{"POST", "/queues", "queue retire"}, retire_queue, Asks::to_be_kept},
    {{"GET", "/hosts/{host}", ""}, explain_host},
    {{"POST", "/hosts/{host}", "delay block retire budget"}, change_host, Asks::to_be_kept},
    {{"GET", "/url", "url"}, explain_url},
    {{"GET", "/urls", "host regex limit marker nearest"}, list_waiting},
    {{"POST", "/urls", "force seed"}, add_urls, Asks::to_be_kept},
    {{"POST", "/urls/delete", "host regex dry marker nearest"}, delete_urls, Asks::to_be_kept},
    {{"POST", "/seeds/remove", ""}, remove_seeds, Asks::to_be_kept},
    {{"POST", "/wake", "host marker"}, wake_hosts, Asks::to_be_kept},
    {{"GET", "/visits", "limit"}, list_visits},
    {{"POST", "/visits/end", "url"}, end_visit},
    {{"GET", "/feeds", "site"}, list_feeds},
    {{"POST", "/feeds", "replace"}, name_feed_sites, Asks::to_be_kept},
    {{"POST", "/feeds/poll", "site"}, poll_feed_site},
    {{"POST", "/feeds/remove", "site"}, remove_feed_site, Asks::to_be_kept},
    {{"GET", "/reports", ""}, list_reports},
    {{"GET", "/reports/{name}", "format limit"}, make_report},
    {{"POST", "/reports", ""}, write_reports},
    {{"GET", "/settings", "name url"}, tell_settings},
    {{"POST", "/settings", "sheet sites dry"}, change_settings, Asks::to_be_kept, prepare_change},
    {{"POST", "/settings/unset", "sheet sites dry"}, unset_settings, Asks::to_be_kept, prepare_unset},
    {{"GET", "/sheets", "name"}, tell_sheets},
    {{"GET", "/scope", "url via hops seed source"}, explain_scope},
    {{"POST", "/console", "session name"}, run_script, Asks::nothing_to_keep, nullptr, access::Role::admin},
    {{"POST", "/checkpoint", "name"}, take_checkpoint, Asks::to_be_kept},
    {{"POST", "/pause", ""}, pause},
    {{"POST", "/resume", ""}, resume},
    {{"POST", "/stop", ""}, stop},
};

const Route* find_route(std::string_view method, std::string_view path) {
  if (method == "HEAD") method = "GET";
  const auto* const found = std::ranges::find_if(
      kRoutes, [&](const Route& route) { return route.pattern.method == method && matches(route.pattern, path); });
  return found == std::end(kRoutes) ? nullptr : found;
}

http::ServerResponse refuse_unrouted(const http::ServerRequest& request) {
  std::vector<RoutePattern> patterns;
  for (const Route& route : kRoutes) patterns.push_back(route.pattern);
  return refuse_unrouted(patterns, request);
}

http::ServerResponse response(Result<std::string> json) {
  return json ? http::json_response(200, *std::move(json)) : error_response(json.error());
}

FrontierView view_of(crawl::Operator& crawl) {
  return {crawl.frontier(), [&crawl](std::string_view url) -> Result<AskedUrl> {
            TRY(auto scheduled, crawl.scheduled_url_of(url));
            TRY(auto sheets, crawl.sheets_of(url));
            return AskedUrl{std::move(scheduled), std::move(sheets)};
          }};
}

// A request whose route is known; or the refusal.
struct Routed {
  const Route* route;
  Call call;
};

std::expected<Routed, http::ServerResponse> route(const crawl::Operator& crawl, const http::ServerRequest& request) {
  const Route* const found = find_route(request.method, request.path);
  if (found == nullptr) return std::unexpected(refuse_unrouted(request));
  if (found->asks == Asks::to_be_kept)
    if (const auto keeps = crawl.can_persist(); !keeps)
      return std::unexpected(error_response(503, keeps.error().message));
  auto call = make_call(found->pattern, request.path, request.query, request.body);
  if (!call) return std::unexpected(error_response(call.error()));
  return Routed{found, *std::move(call)};
}

bool takes_time(const Route& route) {
  return std::holds_alternative<SlowOperation>(route.handler) || std::holds_alternative<SlowPage>(route.handler);
}

// Names who asks in the crawl's logs while something is done for them.
class Acting {
 public:
  Acting(crawl::Operator& crawl, std::string_view actor) : crawl_(crawl) { crawl::name_actor(crawl_, actor); }
  Acting(const Acting&) = delete;
  ~Acting() { crawl::name_actor(crawl_, ""); }

 private:
  crawl::Operator& crawl_;
};

// A route that takes time is no matter of this.
http::ServerResponse run(crawl::Operator& crawl, const Routed& routed) {
  const Acting acting(crawl, routed.call.actor);
  const auto& handler = routed.route->handler;
  if (const Page* page = std::get_if<Page>(&handler)) return (*page)();
  if (const Look* look = std::get_if<Look>(&handler)) return response((*look)(view_of(crawl), routed.call));
  return response(std::get<Operation>(handler)(crawl, routed.call));
}

}  // namespace

std::optional<http::ServerResponse> answer_at_once(crawl::Operator& crawl, const http::ServerRequest& request) {
  auto routed = route(crawl, request);
  if (!routed) return std::move(routed).error();
  if (takes_time(*routed->route)) return std::nullopt;
  return run(crawl, *routed);
}

std::string actor_of(const http::ServerRequest& request) {
  constexpr size_t kLongest = 64;
  const std::string_view name = request.header(kActorField);
  const bool is_name = name.size() <= kLongest && std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
  return is_name ? std::string(name) : std::string();
}

aio::Task<http::ServerResponse> respond(crawl::Operator& crawl, const http::ServerRequest& request, std::string actor) {
  auto routed = route(crawl, request);
  if (!routed) co_return std::move(routed).error();
  routed->call.actor = std::move(actor);
  const auto& handler = routed->route->handler;
  http::ServerResponse answer;
  if (const auto* const slow = std::get_if<SlowOperation>(&handler)) {
    auto document = co_await (*slow)(crawl, std::move(routed->call));
    answer = response(std::move(document));
  } else if (const auto* const page = std::get_if<SlowPage>(&handler)) {
    auto made = co_await (*page)(crawl, std::move(routed->call));
    answer = made ? *std::move(made) : error_response(made.error());
  } else {
    if (const Preparation prepare = routed->route->prepare) co_await prepare(crawl, routed->call);
    answer = run(crawl, *routed);
  }
  if (routed->route->asks != Asks::to_be_kept || answer.status != 200) co_return answer;
  const auto kept = co_await crawl.keep();
  if (!kept) co_return error_response(503, kept.error().message);
  co_return answer;
}

access::Role needed_role(std::string_view method, std::string_view path) {
  if (const Route* const found = find_route(method, path); found != nullptr && found->needs != access::Role::none)
    return found->needs;
  return method == "GET" || method == "HEAD" ? access::Role::viewer : access::Role::manager;
}

Result<std::string> look(const FrontierView& view, std::string_view path, std::string_view query) {
  const Route* const found = find_route("GET", path);
  const Look* const handler = found == nullptr ? nullptr : std::get_if<Look>(&found->handler);
  if (handler == nullptr) return fail(ErrorCode::unsupported, fmt::format("there is no {}", path));
  TRY(const Call call, make_call(found->pattern, path, query));
  return (*handler)(view, call);
}

}  // namespace caddis::control
