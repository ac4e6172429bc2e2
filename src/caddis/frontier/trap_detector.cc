#include "caddis/frontier/trap_detector.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::frontier {
namespace {

constexpr uint32_t kFew = 50;                   // visits before pages are compared
constexpr uint64_t kOneOf = 4;                  // of which that many are
constexpr size_t kRemembered = 4;               // pages
constexpr double kNothingNew = 0.1;             // share of a page's words
constexpr int64_t kRepeating = 10, kTrap = 40;  // pages one behind the other that said nothing new
constexpr size_t kMostFew = 200'000, kMostMany = 4096;

// A segment that is an id: long, letters and digits only, many digits.
bool is_id(std::string_view segment) {
  constexpr size_t kLong = 16;
  if (segment.size() < kLong || !std::ranges::all_of(segment, is_alnum)) return false;
  return static_cast<size_t>(std::ranges::count_if(segment, is_digit)) >= segment.size() / 4;
}

void append_alike(std::string& out, std::string_view segment) {
  if (is_id(segment)) {
    out += '*';
    return;
  }
  for (const char c : segment) {
    if (!is_digit(c))
      out += c;
    else if (out.empty() || out.back() != '#')
      out += '#';
  }
}

}  // namespace

std::string path_pattern(std::string_view url) {
  if (const size_t scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find('#'));
  const size_t query = url.find('?');
  const std::string_view path = url.substr(0, query);
  const size_t host = std::min(path.find('/'), path.size());
  std::string pattern;
  pattern.reserve(url.size());
  pattern = path.substr(0, host);
  for (std::string_view rest = path.substr(host); !rest.empty();) {
    rest.remove_prefix(1);
    const size_t segment = std::min(rest.find('/'), rest.size());
    pattern += '/';
    append_alike(pattern, rest.substr(0, segment));
    rest.remove_prefix(segment);
  }
  if (query == std::string_view::npos) return pattern;
  std::vector<std::string_view> names;
  for (const std::string_view parameter : split(url.substr(query + 1), '&'))
    names.push_back(parameter.substr(0, parameter.find('=')));
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  char before = '?';
  for (const std::string_view name : names) {
    pattern += before;
    append_alike(pattern, name);
    before = '&';
  }
  return pattern;
}

bool TrapDetector::wants_page(std::string_view url) {
  const std::string name = path_pattern(url);
  if (const auto known = many_.find(name); known != many_.end()) return known->second.visits++ % kOneOf == 0;
  if (few_.size() >= kMostFew) few_.clear();
  const uint64_t hash = std::hash<std::string>()(name);
  if (++few_[hash] < kFew) return false;
  few_.erase(hash);
  if (many_.size() >= kMostMany) forget();
  many_[name].visits = kFew;
  return true;
}

// Half of the patterns that are watched: those with fewest visits, none that is repeating before one that is novel.
void TrapDetector::forget() {
  std::vector<std::pair<std::pair<bool, uint64_t>, const std::string*>> order;
  for (const auto& [name, pattern] : many_) order.push_back({{pattern.state != State::novel, pattern.visits}, &name});
  const auto middle = order.begin() + static_cast<ptrdiff_t>(order.size() / 2);
  std::ranges::nth_element(order, middle, {}, [](const auto& item) { return item.first; });
  std::vector<std::string> names;
  for (auto at = order.begin(); at != middle; ++at) names.push_back(*at->second);
  for (const std::string& name : names) {
    if (many_[name].state != State::novel) --repeating_;
    many_.erase(name);
  }
}

std::optional<TrapDetector::State> TrapDetector::observe(std::string_view url, const text::Sketch& page) {
  const auto found = many_.find(path_pattern(url));
  if (found == many_.end()) return std::nullopt;
  Pattern& pattern = found->second;
  const bool is_new = text::novelty(page, pattern.last) > kNothingNew;
  pattern.last.push_back(page);
  if (pattern.last.size() > kRemembered) pattern.last.erase(pattern.last.begin());
  pattern.repeats = is_new ? 0 : pattern.repeats + 1;
  const State before = pattern.state;
  pattern.state = pattern.repeats >= kTrap        ? State::trap
                  : pattern.repeats >= kRepeating ? State::repeating
                                                  : State::novel;
  if (pattern.state == before) return std::nullopt;
  if (before == State::novel) ++repeating_;
  if (pattern.state == State::novel) --repeating_;
  return pattern.state;
}

TrapDetector::State TrapDetector::state_of(std::string_view url) const {
  const auto found = many_.find(path_pattern(url));
  return found == many_.end() ? State::novel : found->second.state;
}

}  // namespace caddis::frontier
