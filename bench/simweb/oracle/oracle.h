// What a complete and polite crawl from World::seed() has at its end, URL by URL. Pure; needs memory for one host.
//
// `must`: in the archive, or at least on record in crawl.log with a failure that the URL explains.
// `may`: traps, and what no page links to (favicon.ico): no loss without, no fault with.
// `must_not`: forbidden by robots.txt, or not there at all.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "simweb/world/world.h"

namespace simweb {

enum class Verdict : uint8_t { must, may, must_not };
std::string_view to_string(Verdict verdict);

// How the captured payload compares with the entity that the world knows.
enum class Match : uint8_t {
  exact,   // the same bytes
  prefix,  // the bytes that came through, if any: the answer is no HTTP, breaks off, or takes too long
  none,    // nothing can be captured
};

// Of a page that may be asked for. Only one that matches exactly is answered for good: any other may be tried again.
Match match_of(Kind kind);

struct Expectation {
  Verdict verdict = Verdict::may;
  Match match = Match::exact;
  int status = 200;         // at the end; failures by Heritrix's numbers
  std::string_view reason;  // kind of page, or what is the matter with its host
};

// An expectation for the page, whoever asks for it.
Expectation expect(const World& world, const HostFacts& host, const PageRef& page);

// Every URL of the host that must be captured, that a page links to and must not be, and of those that may be captured
// robots.txt, favicon.ico and the entries of traps.
using ExpectationSink = std::function<void(const PageRef&, const Expectation&)>;
void for_each_expected(const World& world, const HostFacts& host, const ExpectationSink& sink);

// "sha1:…" of the entity as a client has it that accepts gzip (or not), in the given time window; of what the
// Content-Length lets through where that says less. Empty where nothing comes whole.
std::string payload_digest(const World& world, const HostFacts& host, const PageRef& page, int64_t window = 0,
                           bool gzip = true);

}  // namespace simweb
