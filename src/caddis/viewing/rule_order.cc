#include "caddis/viewing/rule_order.h"

#include <fmt/format.h>

#include <string_view>

#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"

namespace caddis::viewing {
namespace {

// "com,example" of a host, whatever its port.
Result<std::string> key_of_host(std::string_view host) {
  const std::string key = cdx::index_key("http://" + std::string(host) + "/");
  const size_t end = key.find(')');
  if (host.find('/') != std::string_view::npos || end == std::string::npos || end == 0 || key.starts_with("http://"))
    return fail(ErrorCode::config, fmt::format("'{}' is no host", host));
  return key.substr(0, end);
}

// Heritrix's form, "http://(com,example,)/a", as the index has it.
std::string index_form(std::string_view surt) {
  std::string text(surt);
  const size_t open = text.find("://(");
  if (open == std::string::npos) return text;
  text.erase(0, open + 4);
  if (const size_t close = text.find(",)"); close != std::string::npos) text.erase(close, 1);
  return text;
}

}  // namespace

int exactness_of(Subject::Kind kind) {
  switch (kind) {
    case Subject::Kind::all:
      return 0;
    case Subject::Kind::prefix:
    case Subject::Kind::host:
    case Subject::Kind::domain:
      return 1;
    case Subject::Kind::regex:
      return 2;
    case Subject::Kind::url:
      break;
  }
  return 3;
}

int exactness_of_viewer(const Rule& rule) {
  if (!rule.users.empty()) return 3;
  if (!rule.groups.empty()) return 2;
  return rule.networks.empty() ? 0 : 1;
}

RuleRank rank_of(const Rule& rule, int exactness, size_t length, size_t place) {
  return {-rule.priority,
          -exactness,
          -static_cast<std::ptrdiff_t>(length),
          -exactness_of_viewer(rule),
          rule.is_for_all_times(),
          -static_cast<std::ptrdiff_t>(place)};
}

Result<std::vector<std::string>> prefixes_of(const Subject& subject) {
  if (subject.kind == Subject::Kind::prefix) return std::vector{to_lower(index_form(subject.text))};
  TRY(const std::string host, key_of_host(subject.text));
  std::vector<std::string> all = {host + ')', host + ':'};
  if (subject.kind == Subject::Kind::domain) all.push_back(host + ',');
  return all;
}

}  // namespace caddis::viewing
