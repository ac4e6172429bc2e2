#include "simweb/world/links.h"

#include <algorithm>
#include <cmath>

#include "simweb/world/hash.h"
#include "simweb/world/names.h"
#include "simweb/world/plan.h"

namespace simweb {
namespace {

constexpr double kDeepLinks = 0.3;  // of the links to other hosts
constexpr uint64_t kSessionPages = 50;
constexpr size_t kFeedItems = 20;
constexpr uint64_t kSitemapPages = 500;

// A number below the one whose log2(n + 1) is given; n is as likely as 1 / (n + 1).
uint64_t log_uniform(uint64_t x, double log2_bound) {
  return static_cast<uint64_t>(std::exp2(unit(x) * log2_bound)) - 1;
}

PageRef trap(Kind kind, uint64_t number = 0, uint32_t part = 0) { return {kind, number, part}; }

}  // namespace

Content content_of(const World& world, const HostFacts& host, const PageRef& page) {
  Content content{page.number, page.number};
  if (page.kind != Kind::html || page.number < host.inner) return content;
  const WebSettings& s = world.settings();
  const uint64_t x = draw(s.seed, Salt::content, host.id, page.number);
  const double at = unit(x);
  if (at >= s.duplicate + s.near_duplicate) return content;
  content.text = below(next_draw(x), host.inner);
  if (at < s.duplicate) content.number = content.text;
  return content;
}

uint64_t token_of(const World& world, const HostFacts& host, uint64_t number) {
  const WebSettings& s = world.settings();
  const bool is_changed = s.version > 0 && unit(draw(s.seed ^ s.version, Salt::edit, host.id, number)) < s.changed;
  return draw(is_changed ? fold(s.seed, s.version + 1) : s.seed, Salt::etag, host.id, number);
}

Links::Links(const World& world, const HostFacts& host, uint64_t number)
    : world_(world), host_(host), number_(number), log2_pages_(std::log2(static_cast<double>(host.pages) + 1)) {
  if (!host.open()) return;
  const WebSettings& s = world.settings();
  const uint64_t first_child = number * kFan + 1;
  if (first_child < host.pages) children_ = std::min(kFan, host.pages - first_child);
  if (number == 0) {
    extras_ = (host.sitemap ? 1 : 0) + (host.traps ? trap_entries().size() : 0);
    if (host.id % kHubHosts == 0) {
      siblings_ = std::min(kHubHosts, s.hosts - host.id) - 1;
      const uint64_t hubs = (s.hosts - 1) / kHubHosts + 1, first_hub = host.id / kHubHosts * kHubFan + 1;
      hosts_ = siblings_ + (first_hub < hubs ? std::min(kHubFan, hubs - first_hub) : 0);
    }
  }
  const double wanted =
      std::exp(world.plan().links_mu + s.links_sigma * normal(draw(s.seed, Salt::links, host.id, number)));
  const auto all = std::min(kMaxLinks, static_cast<uint64_t>(wanted + 0.5));
  chance_ = all > children_ ? all - children_ : 0;
}

PageRef Links::chance_page(uint64_t x) const {
  const uint64_t number = (x & 1) != 0 ? below(x, host_.pages) : log_uniform(x, log2_pages_);
  return world_.page(host_, std::min(number, host_.pages - 1));
}

Target Links::inside(const PageRef& page, uint64_t x) const {
  return {.host = host_.id, .page = page, .hop = hop_of(page.kind), .https = host_.https, .chance = x};
}

Target Links::operator[](size_t i) const {
  if (i < children_) {
    const uint64_t x = draw(world_.settings().seed, Salt::link, host_.id, number_ << 10 | i);
    return inside(world_.page(host_, number_ * kFan + 1 + i), x);
  }
  i -= children_;
  if (i < hosts_) return child_host(i);
  i -= hosts_;
  return i < extras_ ? extra(i) : chance(i - extras_);
}

Target Links::child_host(size_t i) const {
  const HostId id =
      i < siblings_ ? host_.id + 1 + i : (host_.id / kHubHosts * kHubFan + 1 + (i - siblings_)) * kHubHosts;
  return {.host = id, .page = {Kind::html}, .outside = true, .https = is_https(world_.settings(), id)};
}

Target Links::extra(size_t i) const {
  if (host_.sitemap && i == 0) return inside({Kind::sitemap_index}, 0);
  return inside(trap_entries()[i - (host_.sitemap ? 1 : 0)], 0);
}

Target Links::chance(size_t i) const {
  const WebSettings& s = world_.settings();
  const uint64_t x = draw(s.seed, Salt::link, host_.id, number_ << 10 | (kFan + i));
  const uint64_t y = next_draw(x);
  if (unit(x) < s.internal || s.hosts == 1) return inside(chance_page(y), next_draw(y));
  Target target = chance_host(world_, y, unit(next_draw(y)) < kDeepLinks);
  target.outside = target.host != host_.id;
  return target;
}

Target chance_host(const World& world, uint64_t x, bool deep) {
  const WebSettings& s = world.settings();
  Target target{.outside = true, .chance = next_draw(x)};
  target.host = std::min(log_uniform(x, world.plan().log2_hosts), s.hosts - 1);
  target.page = {Kind::html};
  target.https = is_https(s, target.host);
  if (deep) {
    const HostFacts facts = world.host(target.host);
    if (facts.open()) target.page = Links(world, facts, 0).chance_page(target.chance);
    target.hop = hop_of(target.page.kind);
  }
  return target;
}

std::vector<PageRef> trap_entries() {
  return {trap(Kind::trap_calendar, 322), trap(Kind::trap_session), trap(Kind::trap_path, 1),
          trap(Kind::trap_shop),          trap(Kind::trap_host),    trap(Kind::trap_missing)};
}

std::vector<PageRef> trap_links(const World& world, const HostFacts& host, const PageRef& page) {
  const uint64_t x = draw(world.settings().seed, Salt::trap, host.id, page.number ^ uint64_t{page.part} << 32);
  std::vector<PageRef> links;
  const auto add = [&](uint64_t number, uint32_t part = 0) { links.push_back({page.kind, number, part}); };
  switch (page.kind) {
    case Kind::trap_calendar:
      if (page.number > 0) add(page.number - 1);
      add(page.number + 1);
      break;
    case Kind::trap_session:
      for (uint64_t i = 1; i <= 3; ++i) add((page.number + i) % kSessionPages, static_cast<uint32_t>(x));
      break;
    case Kind::trap_path:
      if (page.number < 500) add(page.number + 1);
      break;
    case Kind::trap_shop:
      for (int field = 0; field < 4; ++field) {
        const uint64_t choice = (page.number >> (4 * field)) + 1 & 15;
        add((page.number & ~(uint64_t{15} << (4 * field))) | choice << (4 * field));
      }
      break;
    case Kind::trap_host:
    case Kind::trap_missing:
      for (uint64_t i = 0; i < 3; ++i) add(x >> (16 * i) & 0xFFFFFFFF);
      break;
    default:
      break;
  }
  return links;
}

std::vector<PageRef> feed_items(const World& world, const HostFacts& host, const PageRef& page, int64_t window) {
  const Links links(world, host, page.number);
  uint64_t x = draw(world.settings().seed ^ static_cast<uint64_t>(window), Salt::feed, host.id, page.number);
  std::vector<PageRef> items;
  for (size_t i = 0; i < kFeedItems; ++i) items.push_back(links.chance_page(x = next_draw(x)));
  return items;
}

std::vector<PageRef> sitemap_pages(const World& world, const HostFacts& host, uint64_t number) {
  std::vector<PageRef> pages;
  const uint64_t end = std::min(host.pages, (number + 1) * kSitemapPages);
  for (uint64_t n = number * kSitemapPages; n < end; ++n) {
    const PageRef page = world.page(host, n);
    if (page.kind == Kind::html || page.kind == Kind::shown || page.kind == Kind::pdf) pages.push_back(page);
  }
  return pages;
}

std::vector<PageRef> style_images(const World& world, const HostFacts& host, const PageRef& page) {
  const Links links(world, host, page.number);
  uint64_t x = draw(world.settings().seed, Salt::style, host.id, page.number);
  std::vector<PageRef> images;
  for (int tries = 0; tries < 32 && images.size() < 2; ++tries) {
    const PageRef found = links.chance_page(x = next_draw(x));
    if (found.kind == Kind::image) images.push_back(found);
  }
  return images;
}

Target redirect_target(const World& world, const HostFacts& host, const PageRef& page) {
  const uint64_t x = draw(world.settings().seed, Salt::redirect, host.id, page.number);
  Target target{.host = host.id, .hop = 'R', .https = host.https, .chance = x};
  const PageRef begin = world.page(host, page.number);
  const uint32_t steps = world.steps(host, begin);
  if (page.kind == Kind::redirect_host) {
    target = chance_host(world, x, false);
    target.hop = 'R';
    target.outside = target.host != host.id;
  } else if (page.part < steps) {
    target.page = {begin.kind == Kind::redirect_chain ? Kind::chain_step : Kind::loop_step, page.number, page.part + 1};
  } else if (begin.kind == Kind::redirect_loop) {
    target.page = begin;
  } else {
    target.page = world.page(host, below(x, host.inner));
  }
  return target;
}

}  // namespace simweb
