#include "caddis/harvestserver/command_words.h"

#include <string_view>

namespace caddis::harvestserver {
namespace {

bool is_told(std::string_view name) {
  return name == "LANG" || name.starts_with("LC_") || name == "TZ" || name == "CADDIS_CONTACT";
}

}  // namespace

std::string environment_words(const char* const* environment) {
  std::string words;
  for (; *environment != nullptr; ++environment) {
    const std::string_view variable = *environment;
    if (is_told(variable.substr(0, variable.find('=')))) words.append("; ").append(variable);
  }
  return words;
}

}  // namespace caddis::harvestserver
