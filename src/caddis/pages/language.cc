#include "caddis/pages/language.h"

#include <optional>

#include "caddis/base/strings.h"

namespace caddis::pages {
namespace {

// "0.8" as thousandths; nothing if it is no weight.
std::optional<int> weight_of(std::string_view text) {
  if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return std::nullopt;
  int weight = (text[0] - '0') * 1000;
  if (text.size() == 1) return weight;
  if (text[1] != '.') return std::nullopt;
  int place = 100;
  for (const char c : text.substr(2)) {
    if (!is_digit(c)) return std::nullopt;
    weight += (c - '0') * place;
    place /= 10;
  }
  return weight <= 1000 ? std::optional(weight) : std::nullopt;
}

}  // namespace

const Language* find_language(std::string_view code) {
  for (const Language& language : kLanguages)
    if (language.code == code) return &language;
  return nullptr;
}

const Language& preferred_language(std::string_view accept_language) {
  const Language* best = &kLanguages.front();
  int best_weight = 0;
  for (const std::string_view item : split(accept_language.substr(0, 1000), ',')) {
    const size_t semicolon = item.find(';');
    const std::string range = to_lower(trim(item.substr(0, semicolon)));
    int weight = 1000;
    if (semicolon != std::string_view::npos) {
      std::string_view parameter = trim(item.substr(semicolon + 1));
      if (!parameter.starts_with("q=")) continue;
      weight = weight_of(parameter.substr(2)).value_or(0);
    }
    const Language* const language = find_language(std::string_view(range).substr(0, range.find('-')));
    if (language == nullptr || weight <= best_weight) continue;
    best = language;
    best_weight = weight;
  }
  return *best;
}

}  // namespace caddis::pages
