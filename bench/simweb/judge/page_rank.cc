#include "simweb/judge/page_rank.h"

#include <algorithm>
#include <cmath>

#include "simweb/oracle/oracle.h"

namespace simweb {
namespace {

constexpr double kDamping = 0.85;
constexpr int kMaxRounds = 100;
constexpr double kPrecision = 1e-9;  // sum of all changes of a round

// Places of numbered pages: those of a host lie together, hosts that do not answer have none.
std::optional<std::vector<uint32_t>> places_of(const World& world, uint64_t max_pages) {
  if (world.hosts() > max_pages) return {};
  std::vector<uint32_t> first{0};
  first.reserve(world.hosts() + 1);
  for (HostId id = 0; id < world.hosts(); ++id) {
    const HostFacts host = world.host(id);
    const uint64_t end = first.back() + (host.open() ? host.pages : 0);
    if (end > max_pages) return {};
    first.push_back(static_cast<uint32_t>(end));
  }
  return first;
}

class Graph {
 public:
  Graph(const World& world, const std::vector<uint32_t>& first) : world_(world), first_(first) {
    is_page_.resize(first.back());
    for (HostId id = 0; id < world.hosts(); ++id) {
      if (first[id] == first[id + 1]) continue;
      const HostFacts host = world.host(id);
      for (uint64_t number = 0; number < host.pages; ++number) {
        if (expect(world, host, world.page(host, number)).verdict != Verdict::must) continue;
        is_page_[first[id] + number] = true;
        ++pages_;
      }
    }
  }

  // False where there are more of them.
  bool add_links(uint64_t max_links) {
    links_begin_.reserve(is_page_.size() + 1);
    links_begin_.push_back(0);
    for (HostId id = 0; id < world_.hosts(); ++id) {
      if (first_[id] == first_[id + 1]) continue;
      const HostFacts host = world_.host(id);
      for (uint64_t number = 0; number < host.pages; ++number) {
        const uint32_t place = first_[id] + static_cast<uint32_t>(number);
        if (is_page_[place]) add_links_of(host, world_.page(host, number), place);
        if (targets_.size() > max_links) return false;
        links_begin_.push_back(static_cast<uint32_t>(targets_.size()));
      }
    }
    return true;
  }

  std::vector<double> ranks() const {
    const double all = std::max(1.0, static_cast<double>(pages_));
    std::vector<double> ranks(is_page_.size()), next(is_page_.size());
    for (size_t i = 0; i < ranks.size(); ++i) ranks[i] = is_page_[i] ? 1 / all : 0;
    double change = 1;
    for (int round = 0; round < kMaxRounds && change > kPrecision; ++round) {
      const double lost = follow(ranks, next);
      const double for_each = (1 - kDamping + kDamping * lost) / all;
      change = 0;
      for (size_t i = 0; i < ranks.size(); ++i) {
        next[i] = is_page_[i] ? for_each + kDamping * next[i] : 0;
        change += std::abs(next[i] - ranks[i]);
      }
      ranks.swap(next);
    }
    return ranks;
  }

 private:
  void add_links_of(const HostFacts& host, const PageRef& page, uint32_t place) {
    const size_t begin = targets_.size();
    for (Link link : world_.links(host, page)) {
      while (link.page.kind == Kind::chain_step || link.page.kind == Kind::loop_step)
        link = world_.links(host, link.page).front();
      const auto target = place_of(link);
      if (target && *target != place) targets_.push_back(*target);
    }
    const auto links = targets_.begin() + static_cast<ptrdiff_t>(begin);
    std::sort(links, targets_.end());
    targets_.erase(std::unique(links, targets_.end()), targets_.end());
  }

  std::optional<uint32_t> place_of(const Link& link) const {
    if (!is_numbered(link.page.kind) || first_[link.host] == first_[link.host + 1]) return {};
    const uint32_t place = first_[link.host] + static_cast<uint32_t>(link.page.number);
    if (!is_page_[place]) return {};
    return place;
  }

  // What each page is given by those that link to it; the rank of those that have no links.
  double follow(const std::vector<double>& ranks, std::vector<double>& given) const {
    std::fill(given.begin(), given.end(), 0.0);
    double lost = 0;
    for (size_t i = 0; i < ranks.size(); ++i) {
      const uint32_t begin = links_begin_[i], end = links_begin_[i + 1];
      if (begin == end) {
        lost += ranks[i];
        continue;
      }
      const double share = ranks[i] / static_cast<double>(end - begin);
      for (uint32_t at = begin; at < end; ++at) given[targets_[at]] += share;
    }
    return lost;
  }

  const World& world_;
  const std::vector<uint32_t>& first_;
  std::vector<bool> is_page_;
  uint64_t pages_ = 0;
  std::vector<uint32_t> links_begin_, targets_;
};

}  // namespace

std::optional<PageRank> PageRank::create(const World& world, const PageRankLimits& limits) {
  auto first = places_of(world, limits.pages);
  if (!first) return {};
  PageRank made(std::move(*first));
  Graph graph(world, made.first_);
  if (!graph.add_links(limits.links)) return {};
  made.ranks_ = graph.ranks();
  return made;
}

double PageRank::of(HostId host, const PageRef& page) const {
  if (!is_numbered(page.kind) || host + 1 >= first_.size()) return 0;
  const uint64_t place = first_[host] + page.number;
  return place < first_[host + 1] ? ranks_[place] : 0;
}

}  // namespace simweb
