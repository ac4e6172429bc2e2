#include "caddis/logins/challenge.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/http/fields.h"

namespace caddis::logins {
namespace {

constexpr size_t kMostChallenges = 20, kMostValues = 50;

// The length of the token at the front.
size_t token_length(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && http::is_token(text.substr(at, 1))) ++at;
  return at;
}

void add_value(Challenge& challenge, std::string_view name, std::string_view value) {
  if (challenge.values.size() < kMostValues) challenge.values.emplace_back(to_lower(name), http::unquote(trim(value)));
}

// Adds "name = value"; false if the text is none.
bool read_value(std::string_view text, Challenge& into) {
  const size_t length = token_length(text);
  const std::string_view rest = trim(text.substr(length));
  if (length == 0 || !rest.starts_with('=')) return false;
  add_value(into, text.substr(0, length), rest.substr(1));
  return true;
}

}  // namespace

std::optional<std::string_view> Challenge::find(std::string_view name) const {
  const auto found = std::ranges::find_if(values, [&](const auto& value) { return value.first == name; });
  if (found == values.end()) return {};
  return found->second;
}

// An item of the list is a value of the challenge before it, unless a word without '=' begins it.
std::vector<Challenge> parse_challenges(std::string_view field) {
  std::vector<Challenge> all;
  Challenge none;
  for (const std::string_view item : http::split_list(field)) {
    if (read_value(item, all.empty() ? none : all.back())) continue;
    const size_t length = token_length(item);
    if (length == 0 || all.size() == kMostChallenges) continue;
    Challenge& made = all.emplace_back();
    made.scheme = to_lower(item.substr(0, length));
    read_value(trim(item.substr(length)), made);
  }
  return all;
}

std::vector<Challenge> challenges_of(const http::Head& head, std::string_view field) {
  std::vector<Challenge> all;
  for (const std::string_view one : head.find_all(field))
    for (Challenge& challenge : parse_challenges(one))
      if (all.size() < kMostChallenges) all.push_back(std::move(challenge));
  return all;
}

}  // namespace caddis::logins
