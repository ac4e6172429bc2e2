#include "simweb/oracle/oracle.h"

#include <algorithm>
#include <array>

#include "caddis/io/digest.h"
#include "simweb/world/doors.h"
#include "simweb/world/links.h"

namespace simweb {
namespace {

// Heritrix's numbers.
constexpr int kDnsFailed = -1, kConnectLost = -3, kTimeout = -4, kRobotsPrerequisite = -61, kRobotsPrecluded = -9998;

Expectation of_closed_host(const HostFacts& host) {
  if (!host.resolves()) return {Verdict::must, Match::none, kDnsFailed, to_string(host.dns)};
  if (host.reach == Reach::dead) return {Verdict::must, Match::none, kConnectLost, to_string(host.reach)};
  const bool unavailable = host.robots == Robots::unavailable;
  return {Verdict::must_not, Match::none, unavailable ? kRobotsPrerequisite : kRobotsPrecluded, to_string(host.robots)};
}

// By GET, from whoever its door lets in; after all refusals.
Request first_request(const HostFacts& host, const PageRef& page) {
  return {.host = host.id, .page = page, .attempt = 9, .let_in = page.kind != Kind::login_form};
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"must", "may", "must_not"};
  return kNames[static_cast<size_t>(verdict)];
}

Match match_of(Kind kind) {
  switch (kind) {
    case Kind::truncated:
    case Kind::reset:
    case Kind::hang:
    case Kind::endless:
    case Kind::bad_head:
    case Kind::huge_head:
    case Kind::length_long:
    case Kind::drip:
      return Match::prefix;
    default:
      return Match::exact;
  }
}

Expectation expect(const World& world, const HostFacts& host, const PageRef& page) {
  Expectation found{.verdict = Verdict::must, .reason = to_string(page.kind)};
  if (page.kind == Kind::robots || page.kind == Kind::robots_target || page.kind == Kind::favicon ||
      page.kind == Kind::login_form || page.kind == Kind::login_welcome || is_trap(page.kind))
    found.verdict = Verdict::may;
  if (page.kind == Kind::robots && host.resolves() && host.reach != Reach::dead) return found;
  if (!host.open()) return of_closed_host(host);
  if (!World::allowed(host, page)) {
    found.verdict = Verdict::must_not;
    found.match = Match::none;
    found.status = kRobotsPrecluded;
    return found;
  }
  if (page.kind == Kind::unknown) {
    found.verdict = Verdict::must_not;
    found.status = 404;
  }
  found.match = match_of(page.kind);
  if (page.kind == Kind::hang) {
    found.status = kTimeout;
  } else if (page.kind == Kind::bad_head) {
    found.status = kConnectLost;
  } else if (page.kind < Kind::too_many || !is_numbered(page.kind)) {
    // The rest is 200 in the end. Only the head is needed, but there is no cheaper way that could not go wrong.
    thread_local Answer answer;
    if (page.kind > Kind::feed) world.respond(first_request(host, page), answer);
    if (page.kind > Kind::feed && page.kind != Kind::unknown) found.status = answer.status;
  }
  return found;
}

void for_each_expected(const World& world, const HostFacts& host, const ExpectationSink& sink) {
  const auto give = [&](const PageRef& page) { sink(page, expect(world, host, page)); };
  for (uint64_t number = 0; number < host.pages; ++number) {
    const PageRef page = world.page(host, number);
    give(page);
    const Kind step = page.kind == Kind::redirect_chain ? Kind::chain_step : Kind::loop_step;
    for (uint32_t part = 1; part <= world.steps(host, page); ++part) give({step, number, part});
  }
  if (host.resolves() && host.reach != Reach::dead) give({Kind::robots});
  if (!host.open()) return;
  give({Kind::favicon});
  if (door_of(world.settings(), host.id, Kind::html) == Door::form) give({Kind::login_form});
  if (host.traps)
    for (const PageRef& entry : trap_entries()) give(entry);
  if (!host.sitemap) return;
  give({Kind::sitemap_index});
  for (uint64_t i = 0; i < world.sitemaps(host); ++i) give({Kind::sitemap, i});
}

std::string payload_digest(const World& world, const HostFacts& host, const PageRef& page, int64_t window, bool gzip) {
  const Expectation expected = expect(world, host, page);
  if (expected.match != Match::exact) return {};
  thread_local Answer answer;
  thread_local caddis::io::Sha1 sha1;
  Request request = first_request(host, page);
  request.window = window;
  request.accepts_gzip = gzip;
  uint64_t left = UINT64_MAX;
  if (page.kind == Kind::length_short) {
    world.respond(request, answer);
    left = answer.declared;
  }
  world.entity(request, answer);
  for (const std::string_view piece : answer.body) {
    const size_t size = std::min<uint64_t>(piece.size(), left);
    sha1.update(piece.substr(0, size));
    left -= size;
  }
  return caddis::io::digest_label(sha1.finish());
}

}  // namespace simweb
