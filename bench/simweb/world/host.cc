#include "simweb/world/host.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "caddis/base/strings.h"
#include "simweb/world/hash.h"
#include "simweb/world/names.h"
#include "simweb/world/plan.h"
#include "simweb/world/world.h"

namespace simweb {
namespace {

// The first of some shares that the draw falls into; their number where it is behind all of them.
template <size_t N>
size_t choose(uint64_t x, const std::array<double, N>& shares) {
  double at = unit(x);
  for (size_t i = 0; i < N; ++i) {
    if (at < shares[i]) return i;
    at -= shares[i];
  }
  return N;
}

Dns draw_dns(const WebSettings& s, HostId id) {
  constexpr std::array kOutcomes = {Dns::nxdomain, Dns::servfail, Dns::timeout, Dns::cname, Dns::ok};
  return kOutcomes[choose(draw(s.seed, Salt::host_dns, id),
                          std::array{s.dns_nxdomain, s.dns_servfail, s.dns_timeout, s.dns_cname})];
}

Robots draw_robots(const WebSettings& s, HostId id) {
  constexpr std::array kKinds = {Robots::rules,       Robots::crawl_delay,  Robots::named,
                                 Robots::retry,       Robots::huge,         Robots::redirect,
                                 Robots::unavailable, Robots::disallow_all, Robots::none};
  return kKinds[choose(draw(s.seed, Salt::host_robots, id),
                       std::array{s.robots_rules, s.robots_crawl_delay, s.robots_named, s.robots_retry, s.robots_huge,
                                  s.robots_redirect, s.robots_unavailable, s.robots_disallow_all})];
}

// Hubs are always open: all the others hang on them.
void open_hub(HostFacts& host) {
  if (!host.resolves()) host.dns = Dns::ok;
  if (host.reach == Reach::dead) host.reach = Reach::normal;
  if (!host.has_rules()) host.robots = host.robots == Robots::none ? Robots::none : Robots::rules;
}

uint32_t address_of(const Plan& plan, const HostFacts& host) {
  if (host.reach == Reach::dead) return 0x7FFF0001 + static_cast<uint32_t>(host.id % 60'000);
  return 0x7F010001 + static_cast<uint32_t>(host.id % plan.addresses);
}

}  // namespace

std::string_view to_string(Dns dns) {
  constexpr std::array<std::string_view, 5> kNames = {"ok", "cname", "nxdomain", "servfail", "timeout"};
  return kNames[static_cast<size_t>(dns)];
}

std::string_view to_string(Reach reach) {
  constexpr std::array<std::string_view, 3> kNames = {"normal", "slow", "dead"};
  return kNames[static_cast<size_t>(reach)];
}

std::string_view to_string(Robots robots) {
  constexpr std::array<std::string_view, 9> kNames = {"none", "rules",    "crawl_delay", "named",       "retry",
                                                      "huge", "redirect", "unavailable", "disallow_all"};
  return kNames[static_cast<size_t>(robots)];
}

bool is_https(const WebSettings& settings, HostId id) {
  return settings.https > 0 && unit(draw(settings.seed, Salt::host_tls, id)) < settings.https;
}

bool speaks_http2(const WebSettings& settings, HostId id) {
  return settings.http2 > 0 && is_https(settings, id) &&
         unit(draw(settings.seed, Salt::host_http2, id)) < settings.http2;
}

HostFacts World::host(HostId id) const {
  const WebSettings& s = settings_;
  HostFacts host;
  host.id = id;
  host.dns = draw_dns(s, id);
  const size_t reach = choose(draw(s.seed, Salt::host_reach, id), std::array{s.slow_host, s.dead_host});
  host.reach = reach == 0 ? Reach::slow : reach == 1 ? Reach::dead : Reach::normal;
  host.robots = draw_robots(s, id);
  if (id % kHubHosts == 0) open_hub(host);

  host.https = is_https(s, id);
  uint64_t more = draw(s.seed, Salt::host_more, id);
  const auto chance = [&more](double share) { return unit(more = next_draw(more)) < share; };
  host.rsa = chance(s.rsa);
  host.tls_tickets = chance(s.tls_tickets);
  host.sitemap = chance(s.sitemap);
  host.traps = chance(s.trap_host);
  more = next_draw(more);
  host.ttl = static_cast<uint32_t>(std::max<uint64_t>(1, s.dns_ttl / 10 + below(more, s.dns_ttl)));
  host.ttl = std::min(host.ttl, static_cast<uint32_t>(s.dns_ttl));
  if (host.dns == Dns::cname) host.cnames = static_cast<uint8_t>(1 + more % 4);
  more = next_draw(more);
  // In steps of 100 ms: a Crawl-delay is written with one decimal place.
  if (host.robots == Robots::crawl_delay)
    host.crawl_delay = static_cast<uint32_t>(100 * (1 + below(more, std::max<uint64_t>(1, s.crawl_delay / 100))));

  host.address = address_of(*plan_, host);
  host.pages = host.open() ? plan_->pages(id) : 1;
  host.inner = host.pages < 2 ? 1 : (host.pages - 2) / kFan + 1;
  return host;
}

std::string World::host_name(HostId id) const {
  std::string name;
  append_host_name(name, id);
  return name;
}

std::optional<NamedHost> World::host_of(std::string_view name) const {
  const auto parsed = parse_host_name(name);
  if (!parsed || parsed->id >= settings_.hosts || parsed->prefix == 'c') return {};
  NamedHost named{.id = parsed->id, .wildcard = parsed->prefix == 'w', .subdomain = parsed->number};
  if (named.wildcard && !host(named.id).traps) return {};
  return named;
}

DnsFacts World::resolve(std::string_view name) const {
  const auto parsed = parse_host_name(name);
  if (!parsed || parsed->id >= settings_.hosts) return {};
  const HostFacts facts = host(parsed->id);
  if (parsed->prefix == 'w' && !facts.traps) return {};
  const uint64_t done = parsed->prefix == 'c' ? parsed->number : 0;
  if (done > facts.cnames || (parsed->prefix == 'c' && done == 0)) return {};

  DnsFacts answer{.outcome = facts.dns, .ttl = facts.ttl};
  if (!facts.resolves()) return answer;
  for (uint64_t i = done + 1; i <= facts.cnames; ++i) {
    std::string alias = "c";
    append_base36(alias, i);
    alias += '.';
    append_host_name(alias, facts.id);
    answer.cnames.push_back(std::move(alias));
  }
  answer.outcome = answer.cnames.empty() ? Dns::ok : Dns::cname;
  answer.address = facts.address;
  return answer;
}

}  // namespace simweb
