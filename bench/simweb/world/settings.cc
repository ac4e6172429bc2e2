#include "simweb/world/settings.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <limits>
#include <span>
#include <variant>

#include "caddis/base/strings.h"

namespace simweb {
namespace {

using caddis::ErrorCode;
using Whole = uint64_t WebSettings::*;
using Real = double WebSettings::*;
using Text = std::string WebSettings::*;

struct Row {
  std::string_view name;
  std::variant<Whole, Real, Text> field;
  double min, max;
  std::string_view doc;
};

constexpr double kMaxHosts = 1e8;

#define FIELD(name) #name, &WebSettings::name
#define SHARE(name, doc) {#name, &WebSettings::name, 0, 1, doc}
const Row kRows[] = {
    {FIELD(seed), 0, 1e18, "which of all webs with these settings"},
    {FIELD(product), 0, 0, "product token that robots.txt files speak of"},
    {FIELD(hosts), 1, kMaxHosts, "number of hosts"},
    {FIELD(pages), 1, 1e11, "pages of all hosts together, about"},
    {FIELD(zipf), 0, 3, "exponent of the distribution of pages over hosts"},
    {FIELD(min_pages), 1, 1e6, "pages of the smallest host"},
    {FIELD(hosts_per_address), 1, 1e6, "hosts that share an address"},
    {FIELD(http_port), 1, 65535, "port of http URLs"},
    {FIELD(https_port), 1, 65535, "port of https URLs"},
    {FIELD(mean_size), 1000, 5e6, "mean size of a page in bytes"},
    {FIELD(size_sigma), 0, 3, "spread of sizes (lognormal); 0: all the same"},
    {FIELD(max_size), 10'000, 1e9, "largest page in bytes"},
    {FIELD(mean_links), 0, 500, "mean number of links of a page"},
    {FIELD(links_sigma), 0, 2, "spread of the number of links (lognormal)"},
    SHARE(internal, "links within the host"),
    SHARE(image, "pages that are images"),
    SHARE(style, "style sheets"),
    SHARE(script, "scripts"),
    SHARE(pdf, "PDF files"),
    SHARE(feed, "feeds, which change with time"),
    SHARE(chunked, "answers in chunked coding"),
    SHARE(gzip, "texts in gzip coding, where the client takes it"),
    SHARE(close, "answers with Connection: close"),
    SHARE(duplicate, "HTML pages equal to another one of the host"),
    SHARE(near_duplicate, "HTML pages that share their text with another one"),
    SHARE(other_charset, "HTML pages in other charsets than UTF-8"),
    {FIELD(feed_period), 1, 1e12, "a feed changes so often, ms"},
    {FIELD(version), 0, 1e9, "which state of the web; 0: as it is at first"},
    SHARE(changed, "pages that differ in other versions from version 0"),
    SHARE(https, "hosts with https"),
    SHARE(rsa, "of these, with RSA certificates"),
    SHARE(tls_tickets, "of these, with session tickets"),
    SHARE(http2, "of these, with HTTP/2"),
    SHARE(slow_host, "slow hosts"),
    SHARE(dead_host, "hosts that close every connection"),
    {FIELD(slow_delay), 0, 60'000, "mean delay of slow hosts, ms"},
    SHARE(dns_nxdomain, "hosts whose name does not exist"),
    SHARE(dns_servfail, "hosts whose name server fails"),
    SHARE(dns_timeout, "hosts whose name server does not answer"),
    SHARE(dns_cname, "hosts behind CNAME chains"),
    {FIELD(dns_ttl), 1, 1e6, "longest time to live of an address, s"},
    SHARE(robots_rules, "hosts with rules in robots.txt"),
    SHARE(robots_crawl_delay, "hosts with rules and a Crawl-delay"),
    SHARE(robots_named, "hosts with rules for the product, closed to others"),
    SHARE(robots_retry, "hosts whose robots.txt comes at the third request"),
    SHARE(robots_unavailable, "hosts whose robots.txt is 503 always"),
    SHARE(robots_huge, "hosts with 480 KB of robots.txt"),
    SHARE(robots_redirect, "hosts whose robots.txt is a redirect"),
    SHARE(robots_disallow_all, "hosts that are closed to all"),
    {FIELD(crawl_delay), 100, 600'000, "largest Crawl-delay, ms"},
    SHARE(hidden, "forbidden pages, where there are rules"),
    SHARE(sitemap, "hosts with sitemaps"),
    SHARE(trap_host, "hosts with traps"),
    SHARE(cookie_host, "hosts whose pages want a cookie"),
    SHARE(login_host, "hosts whose pages want a user and a password"),
    SHARE(form_host, "hosts whose pages want a session, which a form gives"),
    {FIELD(session_pages), 0, 1e9, "pages that a session shows before it ends; 0: any number"},
    SHARE(redirect, "redirects within a host"),
    SHARE(redirect_host, "redirects to another host"),
    SHARE(redirect_chain, "chains of redirects"),
    SHARE(redirect_loop, "loops of redirects"),
    SHARE(not_found, "404"),
    SHARE(server_error, "500"),
    SHARE(too_many, "429 at first"),
    SHARE(unavailable, "503 at first"),
    SHARE(length_long, "Content-Length too large"),
    SHARE(length_short, "Content-Length too small"),
    SHARE(truncated, "bodies that end early"),
    SHARE(reset, "connections reset in the body"),
    SHARE(hang, "answers that stop without an end"),
    SHARE(drip, "bodies drop by drop"),
    SHARE(bad_head, "heads that are no HTTP"),
    SHARE(huge_head, "heads of 200 KB"),
    SHARE(endless, "bodies without an end"),
    SHARE(gzip_bomb, "gzip bombs"),
    SHARE(charset_conflict, "pages that name two charsets"),
    {FIELD(retry_after), 0, 3600, "Retry-After, s"},
    {FIELD(drip_interval), 1, 60'000, "between two drops, ms"},
    {FIELD(bomb_size), 1e6, 4e12, "bytes of an inflated bomb"},
};
#undef SHARE
#undef FIELD

std::string value_of(const WebSettings& settings, const Row& row) {
  return std::visit([&](auto field) { return fmt::format("{}", settings.*field); }, row.field);
}

caddis::Result<double> number(const Row& row, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= row.min && value <= row.max))
    return caddis::fail(ErrorCode::config,
                        fmt::format("{}={}: must be a number from {:g} to {:g}", row.name, text, row.min, row.max));
  return value;
}

caddis::Result<void> assign(WebSettings& settings, const Row& row, std::string_view text) {
  if (const auto* field = std::get_if<Text>(&row.field)) {
    if (text.empty() || text.find_first_of(" \t\r\n:#/*") != text.npos)
      return caddis::fail(ErrorCode::config, fmt::format("{}={}: must be one word", row.name, text));
    settings.** field = text;
    return {};
  }
  if (const auto* field = std::get_if<Real>(&row.field)) {
    TRY(settings.**field, number(row, text));
    return {};
  }
  const auto whole = caddis::parse_int(text);  // not through double, which would round a large seed
  if (!whole || static_cast<double>(*whole) < row.min || static_cast<double>(*whole) > row.max)
    return caddis::fail(ErrorCode::config, fmt::format("{}={}: must be a whole number from {:.0f} to {:.0f}", row.name,
                                                       text, row.min, row.max));
  settings.*std::get<Whole>(row.field) = static_cast<uint64_t>(*whole);
  return {};
}

caddis::Result<void> check_sum(std::string_view what, std::initializer_list<double> shares) {
  double sum = 0;
  for (const double share : shares) sum += share;
  if (sum <= 1 + 1e-9) return {};
  return caddis::fail(ErrorCode::config,
                      fmt::format("the shares of {} add up to {:g}: make them at most 1", what, sum));
}

}  // namespace

std::vector<SettingRow> rows(const WebSettings& settings) {
  std::vector<SettingRow> all;
  for (const Row& row : kRows) all.push_back({row.name, row.doc, value_of(settings, row)});
  return all;
}

caddis::Result<void> set(WebSettings& settings, std::string_view text) {
  const size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  if (equals == text.npos)
    return caddis::fail(ErrorCode::config, fmt::format("'{}': a setting is written name=value", text));
  std::vector<std::string> names;
  for (const Row& row : kRows) {
    if (row.name == name) return assign(settings, row, text.substr(equals + 1));
    names.emplace_back(row.name);
  }
  const std::string near = caddis::nearest_name(name, names);
  return caddis::fail(ErrorCode::config, fmt::format("there is no setting '{}'{}", name,
                                                     near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

caddis::Result<void> validate(const WebSettings& s) {
  TRY_VOID(check_sum("DNS failures", {s.dns_nxdomain, s.dns_servfail, s.dns_timeout, s.dns_cname}));
  TRY_VOID(check_sum("slow and dead hosts", {s.slow_host, s.dead_host}));
  TRY_VOID(check_sum("robots.txt", {s.robots_rules, s.robots_crawl_delay, s.robots_named, s.robots_retry,
                                    s.robots_unavailable, s.robots_huge, s.robots_redirect, s.robots_disallow_all}));
  TRY_VOID(check_sum("hosts with doors", {s.cookie_host, s.login_host, s.form_host}));
  TRY_VOID(check_sum("duplicates", {s.duplicate, s.near_duplicate}));
  TRY_VOID(
      check_sum("kinds of page",
                {s.image,         s.style,          s.script,        s.pdf,       s.feed,         s.redirect,
                 s.redirect_host, s.redirect_chain, s.redirect_loop, s.not_found, s.server_error, s.too_many,
                 s.unavailable,   s.length_long,    s.length_short,  s.truncated, s.reset,        s.hang,
                 s.drip,          s.bad_head,       s.huge_head,     s.endless,   s.gzip_bomb,    s.charset_conflict,
                 3 * s.hidden}));
  if (s.http2 > 0 && s.length_long + s.length_short + s.bad_head + s.huge_head > 0)
    return caddis::fail(ErrorCode::config,
                        "length_long, length_short, bad_head and huge_head are of HTTP/1.1: set them or http2 to 0");
  if (s.http_port == s.https_port)
    return caddis::fail(ErrorCode::config, fmt::format("http_port and https_port are both {}", s.http_port));
  return {};
}

}  // namespace simweb
