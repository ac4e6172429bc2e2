#include "caddis/inspect/file_names.h"

#include "caddis/base/hash.h"
#include "caddis/base/strings.h"
#include "fmt/format.h"

namespace caddis::inspect {
namespace {

constexpr size_t kMaxPart = 200, kMaxPath = 2000;

bool is_safe(char c) { return is_alnum(c) || std::string_view("-_.~+=,;@!$()%").find(c) != std::string_view::npos; }

// One name of a path.
std::string safe_part(std::string_view part) {
  std::string safe;
  for (const char c : part) {
    if (is_safe(c)) {
      safe += c;
    } else {
      safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  // "." and ".." lead elsewhere, and a dot in front hides the file.
  if (safe.starts_with('.')) safe.replace(0, 1, "%2E");
  if (safe.ends_with('.')) safe.replace(safe.size() - 1, 1, "%2E");
  if (safe.size() <= kMaxPart) return safe;
  const size_t dot = safe.rfind('.');
  const std::string ending = dot != std::string::npos && safe.size() - dot <= 8 ? safe.substr(dot) : "";
  return fmt::format("{}~{:016x}{}", safe.substr(0, kMaxPart - 32), siphash(part, 0, 0), ending);
}

void append_parts(std::string& path, std::string_view text) {
  for (const std::string_view part : split(text, '/')) {
    if (part.empty()) continue;
    if (!path.empty()) path += '/';
    path += safe_part(part);
  }
}

}  // namespace

std::string file_name_of(std::string_view url) {
  url = url.substr(0, url.find('#'));
  const size_t scheme = url.find("://");
  std::string_view rest = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
  const size_t question = rest.find('?');
  const std::string_view query = question == std::string_view::npos ? "" : rest.substr(question + 1);
  rest = rest.substr(0, question);
  const size_t slash = rest.find('/');
  std::string_view host = rest.substr(0, slash);
  if (const size_t at = host.rfind('@'); scheme != std::string_view::npos && at != std::string_view::npos)
    host.remove_prefix(at + 1);
  std::string site(host);
  for (char& c : site) c = c == ':' ? '_' : c;
  std::string path = safe_part(site.empty() ? "_" : site);
  std::string_view tail = slash == std::string_view::npos ? "" : rest.substr(slash);
  const bool is_folder = scheme != std::string_view::npos && (tail.empty() || tail.ends_with('/'));
  std::string named(tail);
  if (is_folder) named += "/index.html";
  if (!query.empty()) {
    named += '@';
    for (const char c : query) named += c == '/' ? std::string("%2F") : std::string(1, c);
  }
  append_parts(path, named);
  if (path.size() <= kMaxPath) return path;
  return fmt::format("{}/{:016x}", safe_part(site), siphash(url, 0, 0));
}

}  // namespace caddis::inspect
