#include "caddis/crawl/seeds.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/counted.h"
#include "caddis/base/printable.h"
#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/url/ip.h"

namespace caddis::crawl {
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

bool is_loopback(std::string_view host) {
  const auto ipv4 = url::parse_ipv4(host);
  return host == "localhost" || host.ends_with(".localhost") || host == "[::1]" || (ipv4 && *ipv4 >> 24 == 127);
}

}  // namespace

Result<url::Url> parse_seed(std::string_view text) {
  auto parsed = url::Url::parse(text);
  if (text.find("://") == std::string_view::npos && (!parsed || is_host_with_port(text)))
    parsed = url::Url::parse("http://" + std::string(text));
  if (!parsed)
    return fail(ErrorCode::config,
                fmt::format("seed '{}' is not a URL: {}", printable(text, 100), printable(parsed.error().message)));
  if (!parsed->is_http())
    return fail(ErrorCode::config, fmt::format("seed '{}' has the scheme {}; Caddis crawls http and https",
                                               printable(text, 100), printable(parsed->scheme(), 40)));
  return url::Url::parse(parsed->without_fragment());
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
    if (list.unusable.size() < kReported) list.unusable.emplace_back(seed.substr(0, kLongestReported));
    list.problems.add(fmt::format("{}:{}: {}", file_name, number, url.error().message));
  }
  return list;
}

bool only_loopback(const std::vector<url::Url>& seeds) {
  return std::ranges::all_of(seeds, [](const url::Url& seed) { return is_loopback(seed.hostname()); });
}

}  // namespace caddis::crawl
