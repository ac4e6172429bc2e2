// Facts about pages, and World itself.
#include <algorithm>
#include <cmath>

#include "simweb/world/hash.h"
#include "simweb/world/links.h"
#include "simweb/world/plan.h"
#include "simweb/world/world.h"

namespace simweb {

World::World(const WebSettings& settings) : settings_(settings), plan_(std::make_unique<Plan>(settings)) {}
World::~World() = default;

PageRef World::page(const HostFacts& host, uint64_t number) const {
  PageRef page{.kind = Kind::html, .number = number};
  if (number < host.inner) return page;
  const uint64_t x = draw(settings_.seed, Salt::kind, host.id, number);
  page.kind = plan_->leaf[x >> (64 - Plan::kLeafBits)];
  const bool by_rule = page.kind == Kind::hidden || page.kind == Kind::hidden_query || page.kind == Kind::shown;
  if (by_rule && !host.has_rules()) page.kind = Kind::html;
  return page;
}

uint32_t World::steps(const HostFacts& host, const PageRef& page) const {
  const uint64_t x = draw(settings_.seed, Salt::redirect, host.id, page.number) >> 8;
  if (page.kind == Kind::redirect_chain) return static_cast<uint32_t>(1 + x % 4);
  if (page.kind == Kind::redirect_loop) return static_cast<uint32_t>(x % 3);
  return 0;
}

uint64_t World::sitemaps(const HostFacts& host) const {
  return host.sitemap ? std::min<uint64_t>(5, (host.pages - 1) / 500 + 1) : 0;
}

uint32_t World::refusals(const HostFacts& host, const PageRef& page) const {
  if (page.kind == Kind::robots) return host.robots == Robots::retry ? 2 : 0;
  if (page.kind != Kind::too_many && page.kind != Kind::unavailable) return 0;
  return static_cast<uint32_t>(1 + (draw(settings_.seed, Salt::transfer, host.id, page.number) >> 20) % 2);
}

std::vector<Link> World::links(const HostFacts& host, const PageRef& page) const {
  std::vector<Link> found;
  const auto add = [&](const std::vector<PageRef>& pages, char hop) {
    for (const PageRef& other : pages) found.push_back({host.id, other, hop});
  };
  const auto add_target = [&](const Target& target) { found.push_back({target.host, target.page, target.hop}); };
  if (has_page_body(page.kind)) {
    const Links links(*this, host, content_of(*this, host, page).number);
    for (size_t i = 0; i < links.size(); ++i) add_target(links[i]);
  } else if (is_trap(page.kind)) {
    found.push_back({host.id, {Kind::html}, 'L'});
    add(trap_links(*this, host, page), 'L');
  }
  switch (page.kind) {
    case Kind::redirect:
    case Kind::redirect_host:
    case Kind::redirect_chain:
    case Kind::redirect_loop:
    case Kind::chain_step:
    case Kind::loop_step:
      add_target(redirect_target(*this, host, page));
      break;
    case Kind::feed:
      found.push_back({host.id, {Kind::html}, 'L'});
      add(feed_items(*this, host, page, 0), 'L');
      break;
    case Kind::style:
      add(style_images(*this, host, page), 'E');
      break;
    case Kind::sitemap:
      add(sitemap_pages(*this, host, page.number), 'M');
      break;
    case Kind::sitemap_index:
      for (uint64_t i = 0; i < sitemaps(host); ++i) found.push_back({host.id, {Kind::sitemap, i}, 'M'});
      break;
    default:
      break;
  }
  return found;
}

double World::mass(const HostFacts& host, const PageRef& page) const {
  if (!is_numbered(page.kind)) return 0;
  const auto n = static_cast<double>(page.number), pages = static_cast<double>(host.pages);
  const double share = 0.5 / pages + 0.5 * std::log2((n + 2) / (n + 1)) / std::log2(pages + 1);
  const auto id = static_cast<double>(host.id);
  const double from_outside = std::log2((id + 2) / (id + 1)) / plan_->log2_hosts;
  const double home = page.number == 0 ? 1 : 0;
  const double external = settings_.hosts == 1 ? 0 : 1 - settings_.internal;
  return external * from_outside * (0.7 * home + 0.3 * share) + (1 - external) * pages / plan_->total_pages * share;
}

}  // namespace simweb
