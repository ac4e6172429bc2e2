#include "caddis/visit/lane_tools.h"

#include <algorithm>
#include <utility>

#include "caddis/cookies/cookie_jar.h"
#include "caddis/fetch/proxies.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

http::PoolLimits idle_limits(const frontier::PolitenessSettings& politeness) {
  return {.max_idle_per_address = static_cast<size_t>(politeness.max_per_address)};
}

}  // namespace

LaneTools::LaneTools(unsigned number_of_lane, LaneParts parts, const VisitContext& of_crawl)
    : number(number_of_lane),
      loop(parts.loop),
      network(std::move(parts.network)),
      resolver(std::move(parts.resolver)),
      context(of_crawl),
      random(parts.seed),
      pulse(loop),
      client(loop, *network, of_crawl.spools, idle_limits(of_crawl.settings->politeness)),
      fetchers(client, loop, *network, of_crawl.spools, of_crawl.host_keys, of_crawl.user_agent, &of_crawl.addresses) {
  fetchers.on_turn([this](uint64_t lease) { pulse.enter(lease, "read"); });
}

std::shared_ptr<config::SettingsCache> LaneTools::settings_now() {
  auto present = context.sites();
  if (settings_ == nullptr || &settings_->resolver() != present.get())
    settings_ = std::make_shared<config::SettingsCache>(std::move(present));
  return settings_;
}

fetch::FetchRequest LaneTools::request_for(const url::Url& url, std::string address, Visit& visit) {
  const config::EffectiveSettings& host = visit.host();
  fetch::FetchRequest request{
      .url = url, .via = std::nullopt, .address = std::move(address), .headers = {}, .ticket = visit.lease().id};
  request.digest = context.settings->archive.digest;
  const fetch::FetchSettings& there = visit.settings().of_host(url::crawl_host(url)).fetch;
  request.allowed = &there.allow_addresses;
  request.proxy = context.proxies.find(there.proxy);
  request.cookie = cookie_for(url, visit.site());
  if (host.user_agent != context.user_agent) request.headers.push_back({"User-Agent", host.user_agent});
  return request;
}

http::Header LaneTools::cookie_for(const url::Url& url, const config::EffectiveSettings& site) {
  http::Header header{.name = "Cookie", .value = {}};
  if (!site.cookies.enabled) return header;
  auto field = context.cookies.field_for({url, site.cookies.jar, loop.clock().wall()});
  header.value = std::move(field.text);
  header.secret = field.secret;
  return header;
}

cookies::CookieCounts LaneTools::take_cookies(Visit& visit) {
  cookies::CookieCounts counts;
  const http::Exchange* const answer = visit.document.exchange();
  if (answer == nullptr || !visit.site().cookies.enabled) return counts;
  const cookies::CookieSettings& settings = visit.site().cookies;
  const cookies::Place place{*visit.url(), settings.jar, loop.clock().wall()};
  for (const std::string_view field : answer->head.find_all("set-cookie"))
    counts.add(context.cookies.store(field, place, settings, visit.result.cookies));
  return counts;
}

bool LaneTools::has_cut_short(const fetch::FetchOutcome& outcome) const {
  return is_aborted && (!outcome.exchange || outcome.exchange->truncated == http::Truncated::disconnect);
}

aio::Task<void> LaneTools::pause(Duration how_long) {
  constexpr Duration kPart = std::chrono::milliseconds(200);
  const SteadyTime until = loop.clock().steady() + how_long;
  while (!is_aborted && loop.clock().steady() < until) {
    const Duration left = until - loop.clock().steady();
    co_await aio::sleep_for(loop, std::min(left, kPart));
  }
}

}  // namespace caddis::visit
