#include "caddis/harvest/domain_name.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <set>

#include "caddis/base/strings.h"
#include "caddis/heritrix/java_pattern.h"
#include "caddis/url/domain.h"
#include "caddis/url/host.h"
#include "caddis/url/unicode_host.h"
#include "caddis/url/url.h"

namespace caddis::harvest {
namespace {

constexpr size_t kLongestSeed = 8192;
constexpr size_t kLongestTrap = 1000;

// Names of machines have these, and the underscore all the same.
constexpr std::string_view kSignsOfNames = "abcdefghijklmnopqrstuvwxyz0123456789-._";

bool is_address(std::string_view host) {
  return host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

// "mailto:a@b.example" and "https://b.example" have one; "b.example:8080/x" and "b.example/?to=http://c.example" do not.
bool has_scheme(std::string_view seed) {
  const size_t at = seed.find_first_of(":/?#[");
  if (at == std::string_view::npos || seed[at] != ':') return false;
  const std::string_view port = seed.substr(at + 1, seed.find_first_of("/?#", at) - at - 1);
  return port.empty() || port.find_first_not_of("0123456789") != std::string_view::npos;
}

std::string with_scheme(std::string_view seed) {
  return has_scheme(seed) ? std::string(seed) : fmt::format("http://{}", seed);
}

Result<url::Url> parse_seed(std::string_view seed) {
  if (seed.size() > kLongestSeed)
    return fail(ErrorCode::parse, fmt::format("a seed has {} characters at most", kLongestSeed));
  auto parsed = url::Url::parse(with_scheme(seed));
  if (!parsed) return fail(ErrorCode::parse, fmt::format("'{}' is no URL: {}", seed, parsed.error().message));
  const std::string_view scheme = parsed->scheme();
  const bool is_known = parsed->is_http() || scheme == "ftp" || scheme == "sftp";
  if (!is_known || parsed->hostname().empty())
    return fail(ErrorCode::parse, fmt::format("'{}' is no URL that can be harvested", seed));
  return parsed;
}

}  // namespace

Result<std::string> domain_name_of(std::string_view text) {
  const std::string_view given = trim(text);
  std::string ascii;
  const bool is_host = !given.empty() && given.find_first_of("/:?#@ \\%") == std::string_view::npos &&
                       url::append_host(ascii, given, true) &&
                       ascii.find_first_not_of(kSignsOfNames) == std::string::npos;
  if (!is_host) return fail(ErrorCode::parse, fmt::format("'{}' is no name of a domain", given));
  if (is_address(ascii)) return ascii;
  const std::string_view domain = url::registrable_domain(ascii);
  if (domain.empty())
    return fail(ErrorCode::parse, fmt::format("'{}' is no domain that can be registered, but what such end in", given));
  if (domain != ascii)
    return fail(ErrorCode::parse,
                fmt::format("'{}' is part of the domain {}; name that, and add a seed", given, domain));
  return ascii;
}

std::string shown_domain(std::string_view name) { return url::domain_to_unicode(name); }

std::string searched_name(std::string_view name) {
  return name.find("xn--") == std::string_view::npos ? std::string() : shown_domain(name);
}

std::string folded_name(std::string_view part) {
  std::string ascii;
  return url::append_domain_to_ascii(ascii, part) ? shown_domain(ascii) : std::string(part);
}

Result<std::string> domain_of_url(std::string_view url) {
  TRY(const url::Url parsed, parse_seed(url));
  const std::string_view host = parsed.hostname();
  if (is_address(host)) return std::string(host);
  const std::string_view domain = url::registrable_domain(host);
  if (domain.empty()) return fail(ErrorCode::parse, fmt::format("'{}' has no domain that can be registered", url));
  return std::string(domain);
}

std::vector<std::string_view> live_seeds(std::string_view list) {
  std::vector<std::string_view> seeds;
  for (const std::string_view line : split(list, '\n')) {
    const std::string_view seed = trim(line);
    if (!seed.empty() && !seed.starts_with('#')) seeds.push_back(seed);
  }
  return seeds;
}

Result<void> check_seed(std::string_view seed) {
  if (trim(seed).find_first_of(" \t") != std::string_view::npos)
    return fail(ErrorCode::parse,
                "a blank in a seed; write each seed in a line of its own, and %20 for a blank that a URL has");
  TRY_VOID(parse_seed(seed));
  return {};
}

Result<void> check_seeds(std::string_view list, std::string_view before) {
  const auto seeds_before = live_seeds(before);
  const std::set<std::string_view> known(seeds_before.begin(), seeds_before.end());
  size_t number = 0;
  for (const std::string_view line : split(list, '\n')) {
    ++number;
    const std::string_view seed = trim(line);
    if (seed.empty() || seed.starts_with('#') || known.contains(seed)) continue;
    if (auto good = check_seed(seed); !good) return pass(std::move(good.error()), fmt::format("line {}", number));
  }
  return {};
}

std::vector<std::string> crawlable_seeds(std::string_view list) {
  std::vector<std::string> seeds;
  for (const std::string_view seed : live_seeds(list))
    if (const auto parsed = parse_seed(seed)) seeds.emplace_back(parsed->without_fragment());
  return seeds;
}

std::string first_seed_of(std::string_view domain) {
  return is_address(domain) ? fmt::format("http://{}", domain) : fmt::format("http://www.{}", domain);
}

Result<std::vector<std::string>> trap_patterns(std::string_view traps) {
  std::vector<std::string> patterns;
  size_t number = 0;
  for (const std::string_view line : split(traps, '\n')) {
    ++number;
    const std::string_view trap = trim(line);
    if (trap.empty()) continue;
    if (trap.size() > kLongestTrap)
      return fail(ErrorCode::parse,
                  fmt::format("line {}: an expression has {} characters at most", number, kLongestTrap));
    auto pattern = heritrix::re2_search(trap);
    if (!pattern) return fail(ErrorCode::parse, fmt::format("line {}: {}", number, pattern.error().message));
    RE2::Options options;
    options.set_log_errors(false);
    if (const RE2 compiled(*pattern, options); !compiled.ok())
      return fail(ErrorCode::parse, fmt::format("line {}: {}", number, compiled.error()));
    patterns.push_back(*std::move(pattern));
  }
  return patterns;
}

}  // namespace caddis::harvest
