#include "caddis/process/environment.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "caddis/base/strings.h"

namespace caddis::process {
namespace {

// Without LD_LIBRARY_PATH a child may not even start, if the crawl needs it.
constexpr std::array<std::string_view, 12> kNames = {"PATH",   "HOME",          "USER",         "LOGNAME",
                                                     "SHELL",  "LANG",          "LANGUAGE",     "TZ",
                                                     "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "LD_LIBRARY_PATH"};
// For builds with a sanitizer.
constexpr std::array<std::string_view, 4> kSanitizers = {"ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
                                                         "UBSAN_OPTIONS"};
constexpr std::array<std::string_view, 5> kProxies = {"http_proxy", "https_proxy", "ftp_proxy", "all_proxy",
                                                      "no_proxy"};

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_handed_on(std::string_view name, std::string_view value) {
  if (name.starts_with("LC_") || is_one_of(kNames, name) || is_one_of(kSanitizers, name)) return true;
  // "http://user:password@proxy:3128"
  return is_one_of(kProxies, to_lower(name)) && !value.contains('@');
}

}  // namespace

std::vector<std::string> environment_of_children(const char* const* environment) {
  std::vector<std::string> handed;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view word = *environment;
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos) continue;
    if (is_handed_on(word.substr(0, equals), word.substr(equals + 1))) handed.emplace_back(word);
  }
  return handed;
}

}  // namespace caddis::process
