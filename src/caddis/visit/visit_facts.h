// The facts of a visit, beside what every line of a log has: what happened on the way to its end. Logs, statistics and
// reports go by them. The annotations of crawl.log are written from them, and read by nobody (annotations.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/dedup/original.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/http/exchange.h"

namespace caddis::visit {

// A payload that is stored already, and the capture that has it.
struct RevisitFacts {
  bool is_unchanged = false;  // the server says so (304); otherwise the digest is the same
  dedup::Likeness likeness = dedup::Likeness::url;
  std::string url;  // of the capture
  WallTime date;    // of the capture
};

// How long each phase of a fetch took. All are 0 if no answer came.
struct Phases {
  bool is_reused = false;  // on a connection that was open already
  Duration connect{};      // with the tunnel of a proxy, and TLS
  Duration wait{};         // from then to the first byte
  Duration receive{};      // from the first byte to the last
};

// How it was told who asks (docs/logins.md). `way`: "basic", "digest" if its credentials were sent ahead; with "-in",
// "-again" or "-failed" if they were asked for here; "form-in", "form-again", "form-failed" of a form; "form-ended" of
// a page that says that nobody is logged in, after another login. Empty: nobody was to be told.
struct LoginFacts {
  std::string way;
  std::string problem;  // why it has failed, in words
};

// The server that was asked, and the protocols that were spoken, as WARC-Protocol has them.
struct Peer {
  std::string address;
  std::string_view http;  // "h2", "http/1.1" or "ftp"; empty without an answer
  std::string tls;        // "tls/1.3"; empty without
  LoginFacts login;
  // If the document is the listing of a folder: its form.
  http::Resource::Listing listing = http::Resource::Listing::none;
  std::string reply;  // the last word of a server that does not speak HTTP
};

// The parts of a body that its readers (extractors) could not have, or did not take.
struct BodyFacts {
  fetch::BodyFlaw flaw = fetch::BodyFlaw::none;
  std::string problem;           // the flaw in words
  std::string unknown_coding;    // a content coding that nobody here can undo: it was read as it came
  std::string document_problem;  // why a binary document was not read for links, or not as a whole
  uint64_t dropped_links = 0;    // beyond the most that are taken of a page
};

// A page as its site means it to be taken.
struct PageFacts {
  std::string wall;                // it is one: "bot:cloudflare", "consent:google"
  std::string directives;          // that it has for robots: "noindex+noarchive"
  bool is_against_robots = false;  // robots.txt forbids it, and does not count for parts of pages here
};

struct VisitFacts {
  uint32_t attempt = 1;  // 1 for the first try
  uint32_t times = 0;    // it was captured so often before, and fetched again for its status
  // Why the frontier gave it up, if its status does not say it all: "Q:host-bytes", "limit:max-documents", "hung:2:extract".
  std::string given_up;
  std::string scope_rule;       // that rejects it at its turn
  std::string refused_address;  // that nobody may connect to
  bool is_timeout = false;      // it failed since something took too long
  http::Truncated truncated = http::Truncated::none;
  std::string http_problem;  // what was wrong with the message, in words
  BodyFacts body;
  std::optional<RevisitFacts> revisit;
  PageFacts page;
  std::vector<std::string> words;           // of modules and scripts
  std::vector<std::string> failed_modules;  // their names
  uint64_t unmirrored = 0;                  // mirrors that could not have it
  bool opens_wall = false;                  // it redirects to a URL that is fetched again for its cookies
  bool is_left_out = false;                 // fetched, and kept out of the archive by a guard or a script
  bool has_no_room = false;                 // given up, since the disk has no room for it
  Peer peer;
  std::vector<std::string> addresses;  // that a look-up found
  Phases phases;
};

}  // namespace caddis::visit
