#include "caddis/crawl/operator_scripts.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/counted.h"
#include "caddis/base/log.h"
#include "caddis/config/settings.h"
#include "caddis/crawl/crawl_state.h"

namespace caddis::crawl {
namespace {

// Whether a script names a setting whose value nobody may read in a log.
bool names_secret(const config::Settings& settings, std::string_view script) {
  for (const settings::ConstSection& section : config::sections_of(settings))
    for (const settings::Field& field : section.schema->fields())
      if (field.secret() && script.contains(fmt::format("{}.{}", section.schema->name(), field.name))) return true;
  return false;
}

// Without the users and passwords of its URLs.
std::string without_passwords(std::string_view script) {
  std::string shown(script);
  for (size_t at = 0; (at = shown.find("://", at)) != std::string::npos;) {
    at += 3;
    const size_t end = std::min(shown.find_first_of("/ \t\n'\"]", at), shown.size());
    const size_t user = shown.rfind('@', end);
    if (user != std::string::npos && user >= at && user < end) shown.replace(at, user - at, "(secret)");
  }
  return shown;
}

}  // namespace

void OperatorScripts::log(std::string_view name, std::string_view text) {
  constexpr size_t kMost = 2000;
  std::string shown = without_passwords(text);
  if (names_secret(state_.settings.now(), text)) shown = "(it names a secret setting)";
  if (shown.size() > kMost)
    shown = fmt::format("{}… ({} in all)", shown.substr(0, kMost), counted(text.size(), "byte"));
  log_info("crawl", "operator: runs the script {}: {}", name, shown);
  // It is no change itself; those that it makes are on record by themselves.
  log_.tell(CrawlEvent::Source::operated, fmt::format("runs the script {}: {}", name, shown));
}

}  // namespace caddis::crawl
