#include "caddis/extract/script_base.h"

#include <array>
#include <utility>

#include "caddis/extract/url_guess.h"

namespace caddis::extract {
namespace {

constexpr auto kNone = std::string_view::npos;

// The text of the string that is the value of the key `key` behind `from`; empty if none follows it at once.
std::string value_of_key(std::string_view script, size_t from, std::string_view key) {
  constexpr size_t kFront = 4096;
  script = script.substr(from, kFront);
  const size_t at = script.find(key);
  if (at == kNone || at == 0 || (script[at - 1] != '"' && script[at - 1] != '\'')) return {};
  JsStrings strings(script.substr(at + key.size() + 1));
  JsString value;
  if (!strings.next(value) || value.before != ':' || value.is_part) return {};
  return value.has_escape ? js_unescape(value.raw) : std::string(value.raw);
}

// The folder of `n.p = "/app/"`; what is no folder is no public path.
std::string_view webpack_path(std::string_view script) {
  for (const std::string_view assignment : {".p=\"", ".p = \""}) {
    for (size_t at = script.find(assignment); at != kNone; at = script.find(assignment, at)) {
      at += assignment.size();
      const std::string_view value = script.substr(at, script.find('"', at) - at);
      if (value == "/" || (value.ends_with('/') && (is_anchored_path(value) || is_absolute_url(value)))) return value;
    }
  }
  return {};
}

}  // namespace

std::string drupal_base(std::string_view script) {
  constexpr std::string_view kCall = "(Drupal.settings,", kState = "{\"path\":{\"baseUrl\":";
  if (const size_t call = script.find(kCall); call != kNone) return value_of_key(script, call, "basePath");
  const size_t start = script.find_first_not_of(" \t\r\n");
  return start != kNone && script.substr(start).starts_with(kState) ? value_of_key(script, start, "baseUrl")
                                                                    : std::string();
}

BuiltFiles::BuiltFiles(std::string_view script)
    : public_path_(webpack_path(script)), maps_files_(script.find("__vite__mapDeps") != kNone) {}

bool BuiltFiles::names(const JsString& string) const {
  if (string.is_open || string.raw.starts_with('/')) return false;
  if (string.before == '+')
    return string.word == "__webpack_public_path__" || (string.word == "p" && !string.owner.empty());
  return maps_files_ && string.before == '=' &&
         (string.word == "f" || string.word == "viteFileDeps" || string.word == "__vite__fileDeps");
}

url::Url BuiltFiles::folder_of(std::string_view path, const url::Url& script, const url::Url& page) const {
  const auto below = [](std::string_view folder, const url::Url& base) {
    auto parsed = url::Url::parse(folder, &base);
    return parsed ? *std::move(parsed) : base;
  };
  if (!public_path_.empty()) return below(public_path_, page);
  const size_t slash = path.find('/');
  if (slash == kNone || path.starts_with('.')) return script;
  const std::string_view place = script.pathname();
  const size_t shared = place.rfind("/" + std::string(path.substr(0, slash + 1)));
  return shared == kNone ? below("/", page) : below(place.substr(0, shared + 1), script);
}

}  // namespace caddis::extract
