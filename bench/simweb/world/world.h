// A web that is a pure function of its settings: who is there, what is linked, and every byte of every answer. No
// clock, no memory, no I/O; all methods are const and may be called from any thread.
//
//   World world(settings);
//   const auto named = world.host_of("h3.s0.test");                 // of the Host field
//   const HostFacts host = world.host(named->id);
//   const PageRef page = world.route(host, *named, "/d7/p7.html");  // of the request line
//   Answer answer;                                                  // used again and again
//   world.respond({.host = host.id, .page = page, .attempt = 0, .window = 0}, answer);
//
// Every open host's pages hang in a tree whose inner pages are sound, and the hosts hang in a tree of hubs that begins
// at host 0: whoever follows all links from `seed()` finds everything.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simweb/world/answer.h"
#include "simweb/world/host.h"
#include "simweb/world/page.h"
#include "simweb/world/settings.h"

namespace simweb {

struct Link {
  HostId host = 0;
  PageRef page;
  char hop = 'L';  // L navigation, E embedded, R redirect, M of a sitemap
};

struct Plan;  // plan.h

class World {
 public:
  // `settings` are valid (see validate).
  explicit World(const WebSettings& settings);
  ~World();
  const WebSettings& settings() const { return settings_; }

  // Hosts.
  uint64_t hosts() const { return settings_.hosts; }
  HostFacts host(HostId id) const;
  std::string host_name(HostId id) const;
  // `name` without port, in any case; nothing where it is no host of this web.
  std::optional<NamedHost> host_of(std::string_view name) const;
  DnsFacts resolve(std::string_view name) const;
  // Connections to such an address are to be closed at once.
  static bool is_dead_address(uint32_t address) { return address >> 16 == 0x7FFF; }  // 127.255.x.y

  // Pages. A target is path and query, as in a request line.
  PageRef route(const HostFacts& host, const NamedHost& named, std::string_view target) const;
  PageRef page(const HostFacts& host, uint64_t number) const;  // the numbered page
  static void append_target(std::string& out, const PageRef& page);
  std::string url(const HostFacts& host, const PageRef& page) const;
  std::string origin(const HostFacts& host) const;  // "http://h0.s0.test:18080"
  std::string seed() const { return url(host(0), page(host(0), 0)); }
  // Whether robots.txt lets the product of the settings ask for this: the truth, not read from robots.txt.
  static bool allowed(const HostFacts& host, const PageRef& page);
  static bool allowed(const HostFacts& host, std::string_view target);
  // The links in the page, those that it shares with the page it duplicates included, as often as they stand there.
  std::vector<Link> links(const HostFacts& host, const PageRef& page) const;
  // How many URLs besides its own the page stands for: steps of a chain or loop.
  uint32_t steps(const HostFacts& host, const PageRef& page) const;
  uint64_t sitemaps(const HostFacts& host) const;
  // The share of all links that lead to the page, roughly: the judge's stand-in for PageRank. Adds up to about 1.
  double mass(const HostFacts& host, const PageRef& page) const;
  // How many requests of it are answered with 429 or 503 before it comes.
  uint32_t refusals(const HostFacts& host, const PageRef& page) const;

  const Plan& plan() const { return *plan_; }

  // Answers.
  void respond(const Request& request, Answer& answer) const;
  // The same entity without its transfer coding, for digests: what a client has after de-chunking, where all arrives.
  void entity(const Request& request, Answer& answer) const;

 private:
  WebSettings settings_;
  std::unique_ptr<const Plan> plan_;
};

}  // namespace simweb
