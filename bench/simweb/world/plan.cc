#include "simweb/world/plan.h"

#include <algorithm>
#include <cmath>

namespace simweb {
namespace {

// Pages of all hosts for a factor: the first ones counted, the long tail integrated.
double total(double factor, double zipf, double min_pages, double hosts) {
  const double counted = std::min(hosts, 2000.0);
  double sum = 0;
  for (double rank = 1; rank <= counted; ++rank) sum += std::max(min_pages, factor * std::pow(rank, -zipf));
  if (hosts <= counted) return sum;
  constexpr int kSteps = 2000;
  const double ratio = std::pow(hosts / counted, 1.0 / kSteps);
  double rank = counted;
  for (int i = 0; i < kSteps; ++i, rank *= ratio)
    sum += rank * (ratio - 1) * std::max(min_pages, factor * std::pow(rank * std::sqrt(ratio), -zipf));
  return sum;
}

double find_factor(const WebSettings& s) {
  const auto hosts = static_cast<double>(s.hosts), min_pages = static_cast<double>(s.min_pages);
  double low = 0, high = static_cast<double>(s.pages);
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (total(middle, s.zipf, min_pages, hosts) > static_cast<double>(s.pages) ? high : low) = middle;
  }
  return low;
}

double lognormal_mu(double mean, double sigma) { return mean <= 0 ? -100 : std::log(mean) - sigma * sigma / 2; }

struct Share {
  Kind kind;
  double share;
};

std::vector<Share> leaf_shares(const WebSettings& s) {
  return {{Kind::hidden, s.hidden},
          {Kind::hidden_query, s.hidden},
          {Kind::shown, s.hidden},
          {Kind::image, s.image},
          {Kind::style, s.style},
          {Kind::script, s.script},
          {Kind::pdf, s.pdf},
          {Kind::feed, s.feed},
          {Kind::redirect, s.redirect},
          {Kind::redirect_host, s.redirect_host},
          {Kind::redirect_chain, s.redirect_chain},
          {Kind::redirect_loop, s.redirect_loop},
          {Kind::not_found, s.not_found},
          {Kind::server_error, s.server_error},
          {Kind::too_many, s.too_many},
          {Kind::unavailable, s.unavailable},
          {Kind::length_long, s.length_long},
          {Kind::length_short, s.length_short},
          {Kind::truncated, s.truncated},
          {Kind::reset, s.reset},
          {Kind::hang, s.hang},
          {Kind::drip, s.drip},
          {Kind::bad_head, s.bad_head},
          {Kind::huge_head, s.huge_head},
          {Kind::endless, s.endless},
          {Kind::gzip_bomb, s.gzip_bomb},
          {Kind::charset_conflict, s.charset_conflict}};
}

}  // namespace

Plan::Plan(const WebSettings& s)
    : zipf(s.zipf),
      zipf_factor(find_factor(s)),
      min_pages(s.min_pages),
      log2_hosts(std::log2(static_cast<double>(s.hosts) + 1)),
      addresses(std::clamp<uint64_t>(s.hosts / s.hosts_per_address, 1, uint64_t{250} << 16)),
      size_mu(lognormal_mu(static_cast<double>(s.mean_size), s.size_sigma)),
      links_mu(lognormal_mu(s.mean_links, s.links_sigma)) {
  total_pages = total(zipf_factor, zipf, static_cast<double>(min_pages), static_cast<double>(s.hosts));
  leaf.fill(Kind::html);
  size_t next = 0;
  for (const Share& share : leaf_shares(s)) {
    // What is on is there, however small its share.
    const auto slots =
        share.share <= 0 ? 0 : std::max<long>(1, std::lround(share.share * static_cast<double>(leaf.size())));
    for (long i = 0; i < slots && next < leaf.size(); ++i) leaf[next++] = share.kind;
  }
}

uint64_t Plan::pages(HostId host) const {
  const double share = zipf_factor * std::exp2(-zipf * std::log2(static_cast<double>(host + 1)));
  return std::max(min_pages, static_cast<uint64_t>(share + 0.5));
}

}  // namespace simweb
