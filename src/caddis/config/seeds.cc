#include "caddis/config/seeds.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/base/visible.h"
#include "caddis/url/ip.h"
#include "caddis/url/public_form.h"

namespace caddis::config {
namespace {

constexpr size_t kReported = 1000, kLongestReported = 500;  // of lines that are no seeds

// "example.com:8080/a" reads as a URL of the scheme "example.com", but is none.
bool is_host_with_port(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view rest = text.substr(colon + 1);
  const std::string_view port = rest.substr(0, rest.find_first_of("/?#"));
  return !port.empty() && port.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<url::Url> read(std::string_view text) {
  auto parsed = url::Url::parse(text);
  if (text.find("://") == std::string_view::npos && (!parsed || is_host_with_port(text)))
    return url::Url::parse("http://" + std::string(text));
  return parsed;
}

bool is_loopback(std::string_view host) {
  const auto ipv4 = url::parse_ipv4(host);
  return host == "localhost" || host.ends_with(".localhost") || host == "[::1]" || (ipv4 && *ipv4 >> 24 == 127);
}

}  // namespace

Result<url::Url> parse_seed(std::string_view text) {
  const auto parsed = read(text);
  if (!parsed)
    return fail(ErrorCode::config,
                fmt::format("seed '{}' is not a URL: {}", visible(shown_seed(text), 100), parsed.error().message));
  if (!parsed->is_http())
    return fail(ErrorCode::config, fmt::format("seed '{}' has the scheme {}; Caddis crawls http and https",
                                               visible(shown_seed(text), 100), visible(parsed->scheme(), 40)));
  return url::Url::parse(parsed->without_fragment());
}

std::string shown_seed(std::string_view text) {
  const size_t at = text.rfind('@');
  if (at == std::string_view::npos) return std::string(text);
  const auto parsed = read(text);
  if (parsed && parsed->has_userinfo()) return url::public_form(*parsed);
  if (parsed && (parsed->is_http() || parsed->scheme() == "mailto")) return std::string(text);
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

SeedList read_seed_list(std::string_view text, std::string_view file_name) {
  SeedList list;
  uint64_t number = 0;
  for (const std::string_view line : split(without_byte_order_mark(text), '\n')) {
    ++number;
    const std::string_view seed = trim(line);
    if (seed.empty() || seed.starts_with('#')) continue;
    auto url = parse_seed(seed);
    if (url) {
      list.seeds.emplace_back(seed);
      continue;
    }
    if (list.unusable.size() < kReported) list.unusable.push_back(shown_seed(seed).substr(0, kLongestReported));
    list.problems.add(fmt::format("{}:{}: {}", file_name, number, url.error().message));
  }
  return list;
}

bool only_loopback(const std::vector<url::Url>& seeds) {
  return std::ranges::all_of(seeds, [](const url::Url& seed) { return is_loopback(seed.hostname()); });
}

}  // namespace caddis::config
