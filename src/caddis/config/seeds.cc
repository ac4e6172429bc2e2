#include "caddis/config/seeds.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/base/visible.h"
#include "caddis/config/scope_line.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/ip.h"
#include "caddis/url/public_form.h"

namespace caddis::config {
namespace {

// "example.com:8080/a" reads as a URL of the scheme "example.com", but is none.
bool is_host_with_port(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view rest = text.substr(colon + 1);
  const std::string_view port = rest.substr(0, rest.find_first_of("/?#"));
  return !port.empty() && port.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<url::Url> read(std::string_view written) {
  const std::string text = url::with_whois_server(written);
  auto parsed = url::Url::parse(text);
  if (text.find("://") == std::string::npos && (!parsed || is_host_with_port(text)))
    return url::Url::parse("http://" + text);
  return parsed;
}

}  // namespace

Result<url::Url> parse_seed(std::string_view text) {
  if (is_bullet(text))
    return fail(ErrorCode::config,
                fmt::format("'- {}' is no seed: {}", visible(shown_seed(trim(text.substr(1))), 100), kBulletAdvice));
  if (text.starts_with('+') || text.starts_with('-'))
    return fail(
        ErrorCode::config,
        fmt::format(
            "'{}' is no seed: lines with + and - in a list of seeds change the scope, and name a SURT prefix, a "
            "URL or a host; elsewhere write 'accept surt PREFIX' or 'reject surt PREFIX' among scope.rules",
            visible(shown_seed(text), 100)));
  const auto parsed = read(text);
  if (!parsed)
    return fail(ErrorCode::config,
                fmt::format("seed '{}' is not a URL: {}", visible(shown_seed(text), 100), parsed.error().message));
  if (!url::can_be_crawled(*parsed))
    return fail(ErrorCode::config,
                fmt::format("seed '{}' has the scheme {}; Caddis crawls http, https, ftp, sftp and whois, and file "
                            "(file:///srv/site/) if the setting fetch.files allows it",
                            visible(shown_seed(text), 100), visible(parsed->scheme(), 40)));
  return url::Url::parse(parsed->without_fragment());
}

std::string shown_seed(std::string_view text) {
  const size_t at = text.rfind('@');
  if (at == std::string_view::npos) return std::string(text);
  const auto parsed = read(text);
  if (parsed && parsed->has_userinfo()) return url::public_form(*parsed);
  if (parsed && (url::can_be_crawled(*parsed) || parsed->scheme() == "mailto")) return std::string(text);
  return "…" + std::string(text.substr(at));
}

void SeedProblems::add(std::string problem) {
  if (first_.size() < kTold)
    first_.push_back(std::move(problem));
  else
    ++more_;
}

std::vector<std::string> SeedProblems::told() const {
  std::vector<std::string> told = first_;
  if (more_ > 0) told.push_back(fmt::format("and {} like these", counted(more_, "more seed is", "more seeds are")));
  return told;
}

std::string_view seed_on_line(std::string_view line) {
  std::string_view seed = trim(line);
  if (seed.starts_with('#')) return {};
  // A fragment begins with the same character, but no blank stands before it.
  for (size_t at = seed.find('#'); at != seed.npos; at = seed.find('#', at + 1))
    if (seed[at - 1] == ' ' || seed[at - 1] == '\t') return trim(seed.substr(0, at));
  return seed;
}

std::string shown_unusable(std::string_view text) {
  constexpr size_t kLongest = 500;
  std::string shown = shown_seed(text).substr(0, kLongest);
  std::ranges::replace_if(shown, [](unsigned char c) { return c <= ' ' || c == 0x7f; }, '_');
  if (!is_utf8(shown)) std::ranges::replace_if(shown, [](unsigned char c) { return c >= 0x80; }, '_');
  return shown;
}

bool is_loopback(const url::Url& seed) {
  if (seed.scheme() == "file") return true;
  const std::string_view host = seed.hostname();
  const auto ipv4 = url::parse_ipv4(host);
  return host == "localhost" || host.ends_with(".localhost") || host == "[::1]" || (ipv4 && *ipv4 >> 24 == 127);
}

bool only_loopback(const std::vector<url::Url>& seeds) { return std::ranges::all_of(seeds, is_loopback); }

}  // namespace caddis::config
