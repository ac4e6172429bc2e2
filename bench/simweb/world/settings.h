// What kind of web simweb is: its size, and the share of everything that happens in it. Plain values; together with
// the code they decide every byte, so that a server, an oracle and a judge that have the same settings agree.
//
// A share is a probability from 0 (off) to 1. Times are milliseconds unless the name says otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace simweb {

// Hosts over TLS.
struct TlsSettings {
  double https = 0, rsa = 0.3, tls_tickets = 0.8;
  double http2 = 0;  // of the hosts over TLS: they speak HTTP/2 with whoever offers it (ALPN)
};

// Hosts that do not show their pages to everybody (doors.h).
struct DoorSettings {
  double cookie_host = 0;       // want a cookie, and lead to themselves to set it
  double login_host = 0;        // want a user and a password (Basic)
  double form_host = 0;         // want a session, which a form gives
  uint64_t session_pages = 20;  // that a session shows before it ends; 0: any number
};

struct WebSettings : TlsSettings, DoorSettings {
  uint64_t seed = 1;
  std::string product = "caddis";  // the product token that robots.txt files speak of

  // Size. Pages are spread over hosts by Zipf's law, at least min_pages each.
  uint64_t hosts = 100;
  uint64_t pages = 10'000;
  double zipf = 1.2;
  uint64_t min_pages = 1;
  uint64_t hosts_per_address = 8;
  uint64_t http_port = 18080;
  uint64_t https_port = 18443;

  // Pages.
  uint64_t mean_size = 20'000;
  double size_sigma = 1.0;
  uint64_t max_size = 10'000'000;
  double mean_links = 60;
  double links_sigma = 0.8;
  double internal = 0.75;
  double image = 0.09, style = 0.02, script = 0.02, pdf = 0.01, feed = 0;
  double chunked = 0.4, gzip = 0.6, close = 0;
  double duplicate = 0.05, near_duplicate = 0.10, other_charset = 0.05;
  uint64_t feed_period = 3600'000;  // a feed's time window
  uint64_t version = 0;             // which state of the web; in each but 0 some pages differ from those of 0
  double changed = 0.1;

  // Hosts.
  double slow_host = 0, dead_host = 0;
  double slow_delay = 150;  // mean delay of an answer of a slow host
  double dns_nxdomain = 0, dns_servfail = 0, dns_timeout = 0, dns_cname = 0;
  uint64_t dns_ttl = 3600;  // seconds; the longest, hosts have from a tenth of it

  // robots.txt: what is left over has none (404).
  double robots_rules = 0.3, robots_crawl_delay = 0, robots_named = 0, robots_retry = 0, robots_unavailable = 0;
  double robots_huge = 0, robots_redirect = 0, robots_disallow_all = 0;
  uint64_t crawl_delay = 2000;  // the largest Crawl-delay
  double hidden = 0.03;         // pages that rules forbid, where there are rules
  double sitemap = 0;           // hosts with sitemaps
  double trap_host = 0;         // hosts with all traps

  // Pages that misbehave.
  double redirect = 0, redirect_host = 0, redirect_chain = 0, redirect_loop = 0;
  double not_found = 0, server_error = 0, too_many = 0, unavailable = 0;
  double length_long = 0, length_short = 0, truncated = 0, reset = 0, hang = 0, drip = 0;
  double bad_head = 0, huge_head = 0, endless = 0, gzip_bomb = 0, charset_conflict = 0;
  uint64_t retry_after = 1;       // seconds
  uint64_t drip_interval = 1000;  // between two pieces of a dripping body, 20 of them
  uint64_t bomb_size = 1'000'000'000;
};

struct SettingRow {
  std::string_view name, doc;
  std::string value;  // of the settings it was asked of
};

// Every setting with its value, in the order above.
std::vector<SettingRow> rows(const WebSettings& settings);
// `text` is "name=value"; an unknown name, or a value out of its range, is ErrorCode::config.
caddis::Result<void> set(WebSettings& settings, std::string_view text);
// What no single value can show: shares that add up to more than 1, more hosts than names or pages for them.
caddis::Result<void> validate(const WebSettings& settings);

// http-100k https-100k small-20k modern-242k hosts-1m polite hostile test members sessions
caddis::Result<WebSettings> profile(std::string_view name);
std::vector<std::string> profile_names();

}  // namespace simweb
