// Handed out by the frontier, and given back: Lease → (a visit) → Disposition.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/frontier/candidate.h"
#include "caddis/frontier/login_table.h"
#include "caddis/robots/robots.h"
#include "caddis/text/sketch.h"

namespace caddis::frontier {

enum class LeaseKind : uint8_t {
  dns,     // a prerequisite: the addresses of the host
  robots,  // a prerequisite: robots.txt of the origin
  url,
  login,  // a prerequisite: whoever asks who we are is told
};

// The right to visit one URL. Exactly one `Frontier::finish` answers it; until then its host is taken.
struct Lease {
  uint64_t id = 0;
  LeaseKind kind = LeaseKind::url;
  std::string origin;
  std::string host;
  uint16_t partition = 0;
  Candidate candidate;   // of a prerequisite: its own URL, via the URL that waits for it, hop path + 'P'
  uint32_t attempt = 1;  // 1 for the first try
  uint32_t times = 0;    // it was captured so often already, and is fetched again because of its status
  std::string address;   // where to connect; empty for dns
  std::shared_ptr<const robots::Robots> robots;  // null where there is none to obey
  bool first_lookup = false;                     // of dns: the host has had no address so far
  // The session that a url is fetched in, 0 for none; how many there were before a login.
  uint64_t session = 0;
  bool wants_sketch = false;  // of the page, in the disposition
  bool wants_links = false;   // their hashes, in the disposition
  // Not 0: the frontier has given this URL up, for this reason; it is to be recorded, not fetched.
  int given_up = 0;
  std::string why;  // for crawl.log, where the status does not say it all: "Q:host-bytes"
};

// Until when addresses hold that were refused: they were looked up, and are looked up again.
inline constexpr WallTime kRefused = WallTime(std::chrono::seconds(1));

// The addresses of a host, and until when they hold.
struct HostAddresses {
  std::vector<std::string> addresses;
  WallTime expires;
};

struct RobotsText {
  std::string text;  // empty: everything is allowed
  WallTime expires;
  std::shared_ptr<const robots::Robots> parsed = nullptr;  // the text; null: the frontier parses it
};

// How a visit ended, in the terms the frontier needs.
enum class Verdict : uint8_t {
  settled,      // captured, or refused for good: never tried again
  retry_url,    // this URL again later, after a back-off of its own
  returned,     // not tried at all (the crawl stops): stands where it stood
  host_failed,  // the host could not be reached or asked us to go away: all of it waits, this URL stays at the head
};

struct Disposition {
  Lease lease;
  Verdict verdict = Verdict::settled;
  int status = 0;
  Duration fetch_time{};
  bool touched_host = true;             // whether the politeness delay applies
  std::optional<text::Sketch> sketch;   // of a page, where the lease wants it
  std::vector<uint64_t> links;          // Identity::url_hash of what the page links to, each once, where it wants them
  std::optional<Duration> retry_after;  // as the server asked, already bounded
  uint64_t bytes = 0, novel_bytes = 0;  // received, those without repetitions
  std::optional<HostAddresses> addresses;   // a dns lease that succeeded
  std::optional<RobotsText> robots;         // a robots lease that was answered
  LoginOutcome login = LoginOutcome::none;  // of a login lease
  // The page of a url says that the session has ended (with the verdict retry_url). It is tried again at once, behind
  // another login.
  bool session_ended = false;
  // Give up without further tries: its name does not exist or, with the status status::kAddressRefused, nobody may connect
  // there; `addresses`, if any, are for the record then.
  bool host_is_hopeless = false;
  bool local_failure = false;  // ours, not the web's: tried again however often it was tried before
};

inline bool is_error(const Disposition& disposition) {
  return disposition.verdict == Verdict::retry_url || disposition.verdict == Verdict::host_failed;
}

// The frontier's answer to a disposition.
enum class Outcome : uint8_t {
  final,  // to be recorded (log, statistics)
  again,  // will be tried again: only counted
};

}  // namespace caddis::frontier
