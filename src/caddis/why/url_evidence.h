// All that a collection knows of one URL: indexes, logs, the state of its latest crawl, its scope, and, if it is asked
// for, the links on captured pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caddis/cdx/capture.h"
#include "caddis/control/api_types.h"

namespace caddis::why {

// A line of crawl.log or nonfatal-errors.log.
struct LoggedVisit {
  std::string launch;
  std::string url;  // as it was spelled
  std::string time, hops, via, source, mime, annotations;
  std::string reason;  // why it failed, in words, if a log tells
  // Faults of its answer, in words: members of the log in JSON of that name.
  struct Flaws {
    std::string problem, body_problem, document_problem, login_problem;
  };
  Flaws flaws;
  int status = 0;
};

// A page that was captured, and links to the URL.
struct FoundLink {
  std::string page, date, url, hop, context;
};

// A line about a link to the URL that was judged and not visited: of scope.jsonl, or of not-crawled.jsonl.
struct LoggedLink {
  std::string launch;
  std::string time, word, rule, key, via, hops;  // as the line has them
};

struct UrlEvidence {
  std::string url;  // as crawls and logs spell it
  std::string key;  // of the crawl
  size_t launches = 0;
  bool runs = false;  // the latest crawl
  std::string state;  // of a crawl that runs: "running", "paused"

  std::vector<cdx::Capture> captures;  // of exactly this URL, oldest first
  std::vector<cdx::Capture> others;    // of other URLs with the same key of the index, oldest first

  bool logs_searched = true;  // whole; otherwise there was no time for their older parts
  // Oldest first. Those of other spellings, which have the same key of the crawl, only if there is none of this one.
  std::vector<LoggedVisit> visits;
  std::vector<LoggedVisit> tries;  // that failed and were to be repeated
  // The visit of its robots.txt, or the look-up of its host, if the last visit failed for that.
  std::optional<LoggedVisit> prerequisite;

  // Only if the logs have no visit.
  struct LoggedLinks {
    std::vector<LoggedLink> judged;   // what became of links to it, by time
    std::vector<FoundLink> outlinks;  // links to it in outlinks.jsonl, oldest first
    bool empty() const { return judged.empty() && outlinks.empty(); }
  };
  LoggedLinks logged_links;

  std::optional<control::api::UrlReport> report;  // of the frontier
  // Only if the URL is not known otherwise.
  std::optional<control::api::ScopeReport> scope;

  bool has_searched = false;
  uint64_t links_searched = 0;
  std::vector<FoundLink> links;  // the first of them
  uint64_t links_found = 0;

  bool was_state_asked = false;  // of the latest crawl, whether it waits there

  std::vector<std::string> problems;  // what could not be asked, and why
};

}  // namespace caddis::why
