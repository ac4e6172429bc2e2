// What belongs to a crawl, as its operator says it: the `scope` section of crawl.yaml.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/settings/schema.h"

namespace caddis::scope {

enum class ScopeKind {
  page,    // the seeds themselves
  prefix,  // what begins like a seed, up to the last slash of its path
  host,    // the seeds' hosts (and ports)
  domain,  // the seeds' registrable domains with all their hosts
  any,     // everything
};

// When URLs that wait are asked anew, after the rules have changed.
enum class WaitingUrls {
  before_visit,
  at_once,  // in the background
};

// Listings that a web server offers in every order: the same content again.
std::vector<std::string> default_useless_paths();

struct ScopeSettings {
  std::vector<std::string> rules;  // rule.h; empty: what the others stand for
  ScopeKind kind = ScopeKind::host;
  std::vector<std::string> include;  // RE2, found anywhere in the URL
  std::vector<std::string> exclude;
  std::vector<std::string> restrict_to;
  int64_t max_hops = 20;
  int64_t max_redirects = 20;
  int64_t max_transitive_hops = 4;
  int64_t max_speculative_hops = 1;
  int64_t max_url_length = 2083;
  int64_t max_path_depth = 20;
  int64_t max_path_repetitions = 2;
  std::vector<std::string> useless_paths = default_useless_paths();
  bool seed_redirects = true;
  int64_t max_seed_redirects = 5;
  std::vector<std::string> schemes = {"http", "https", "ftp", "sftp", "whois", "file"};
  Duration reread_files = std::chrono::minutes(1);
  WaitingUrls waiting = WaitingUrls::before_visit;
};

}  // namespace caddis::scope

namespace caddis::settings {
template <>
const Schema& schema_of<scope::ScopeSettings>();
}  // namespace caddis::settings
