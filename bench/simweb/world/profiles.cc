#include <fmt/format.h>

#include "caddis/base/strings.h"
#include "simweb/world/settings.h"

namespace simweb {
namespace {

using caddis::ErrorCode;

// Shares as surveys of the live web have them, where everything is well meant.
WebSettings fast(uint64_t hosts, uint64_t pages, uint64_t mean_size) {
  WebSettings s;
  s.hosts = hosts;
  s.pages = pages;
  s.mean_size = mean_size;
  s.redirect = 0.03;
  s.not_found = 0.02;
  return s;
}

WebSettings http_100k() { return fast(1000, 100'000, 100'000); }

WebSettings https_100k() {
  WebSettings s = http_100k();
  s.https = 1;
  return s;
}

WebSettings small_20k() { return fast(1000, 100'000, 20'000); }

WebSettings modern_242k() { return fast(1000, 50'000, 242'000); }

// Front and memory: many hosts, few pages each, and those small.
WebSettings hosts_1m() {
  WebSettings s = fast(1'000'000, 2'000'000, 5'000);
  s.hosts_per_address = 4;
  s.mean_links = 30;
  s.dns_nxdomain = 0.03;
  return s;
}

// Real delays between requests of a host.
WebSettings polite() {
  WebSettings s = fast(100'000, 400'000, 20'000);
  s.https = 0.5;
  s.slow_host = 0.02;
  s.dns_nxdomain = 0.03;
  s.dns_servfail = 0.01;
  s.dns_cname = 0.2;
  s.robots_crawl_delay = 0.05;
  s.robots_disallow_all = 0.02;
  s.robots_redirect = 0.01;
  return s;
}

// Everything that can go wrong does.
WebSettings hostile() {
  WebSettings s = fast(2000, 60'000, 20'000);
  s.https = 0.4;
  s.close = 0.1;
  s.feed = 0.01;
  s.slow_host = 0.02;
  s.dead_host = 0.02;
  s.dns_nxdomain = 0.03;
  s.dns_servfail = 0.01;
  s.dns_timeout = 0.005;
  s.dns_cname = 0.2;
  s.robots_crawl_delay = 0.05;
  s.robots_named = 0.05;
  s.robots_retry = 0.02;
  s.robots_unavailable = 0.02;
  s.robots_huge = 0.01;
  s.robots_redirect = 0.02;
  s.robots_disallow_all = 0.02;
  s.sitemap = 0.2;
  s.trap_host = 0.05;
  s.redirect = 0.04;
  s.redirect_host = 0.02;
  s.redirect_chain = 0.01;
  s.redirect_loop = 0.005;
  s.not_found = 0.05;
  s.server_error = 0.01;
  s.too_many = s.unavailable = 0.003;
  s.length_long = s.length_short = s.truncated = s.reset = 0.003;
  s.hang = s.endless = s.gzip_bomb = 0.0005;
  s.drip = s.bad_head = s.huge_head = 0.001;
  s.charset_conflict = 0.005;
  return s;
}

// Tiny, with everything on, and nothing that takes long.
WebSettings test() {
  WebSettings s = hostile();
  s.seed = 4;  // the first with which so few hosts have it all
  s.hosts = 60;
  s.pages = 2500;
  s.zipf = 0.5;
  s.mean_size = 8'000;
  s.mean_links = 30;
  s.dead_host = s.dns_nxdomain = s.dns_servfail = s.dns_timeout = 0.04;
  s.robots_rules = s.robots_crawl_delay = s.robots_named = 0.1;
  s.robots_retry = s.robots_unavailable = s.robots_huge = s.robots_redirect = s.robots_disallow_all = 0.06;
  s.trap_host = 0.1;
  s.feed = 0.02;
  s.too_many = s.unavailable = 0.01;
  s.length_long = s.length_short = s.truncated = s.reset = 0.01;
  s.hang = s.endless = s.drip = s.bad_head = s.huge_head = s.gzip_bomb = 0.005;
  s.slow_delay = 50;
  s.drip_interval = 20;
  s.crawl_delay = 500;
  s.bomb_size = 100'000'000;
  return s;
}

// The same, and a good part of it is open only to those who come with cookies, and as members.
WebSettings members() {
  WebSettings s = test();
  s.cookie_host = s.login_host = 0.25;
  return s;
}

// Half of it over TLS, half of that by HTTP/2; some hosts want a session, which ends again and again.
WebSettings sessions() {
  WebSettings s = test();
  s.https = s.http2 = 0.5;
  s.form_host = 0.3;
  s.cookie_host = s.login_host = 0.1;
  s.length_long = s.length_short = s.bad_head = s.huge_head = 0;
  return s;
}

struct Profile {
  std::string_view name;
  WebSettings (*make)();
};
constexpr Profile kProfiles[] = {
    {"http-100k", http_100k}, {"https-100k", https_100k}, {"small-20k", small_20k}, {"modern-242k", modern_242k},
    {"hosts-1m", hosts_1m},   {"polite", polite},         {"hostile", hostile},     {"test", test},
    {"members", members},     {"sessions", sessions},
};

}  // namespace

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const Profile& profile : kProfiles) names.emplace_back(profile.name);
  return names;
}

caddis::Result<WebSettings> profile(std::string_view name) {
  for (const Profile& profile : kProfiles)
    if (caddis::equals_ignore_case(profile.name, name)) return profile.make();
  const std::string near = caddis::nearest_name(name, profile_names());
  return caddis::fail(ErrorCode::config, fmt::format("there is no profile '{}'{}", name,
                                                     near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

}  // namespace simweb
