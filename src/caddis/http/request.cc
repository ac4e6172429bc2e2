#include "caddis/http/request.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::http {
namespace {

void append_plain(std::string& out, std::string_view text) {
  static constexpr std::string_view kForbidden("\r\n\0", 3);
  if (text.find_first_of(kForbidden) == std::string_view::npos) {
    out += text;
    return;
  }
  for (const char c : text) {
    if (kForbidden.find(c) == std::string_view::npos) out += c;
  }
}

}  // namespace

bool Request::has_secrets() const { return shown || std::ranges::any_of(headers, &Header::secret); }

std::string Request::secret_names() const {
  std::string names;
  for (const Header& header : headers) {
    if (!header.secret) continue;
    if (!names.empty()) names += ", ";
    append_plain(names, header.name);
  }
  if (shown) names += (names.empty() ? "" : ", ") + shown->masked;
  return names;
}

std::string Request::serialize(bool secrets) const {
  std::string out;
  size_t size = method.size() + target.size() + 16 + body.size();
  for (const Header& header : headers) size += header.name.size() + header.value.size() + 4;
  out.reserve(size);
  append_plain(out, method);
  out += ' ';
  const bool shows = shown && !secrets;
  append_plain(out, shows ? shown->target : target);
  out += " HTTP/";
  out += static_cast<char>('0' + version.major % 10);
  out += '.';
  out += static_cast<char>('0' + version.minor % 10);
  out += "\r\n";
  for (const Header& header : headers) {
    if (header.secret && !secrets) continue;
    append_plain(out, header.name);
    out += ": ";
    if (shows && equals_ignore_case(header.name, "content-length"))
      out += std::to_string(shown->body.size());
    else
      append_plain(out, header.value);
    out += "\r\n";
  }
  out += "\r\n";
  out += shows ? shown->body : body;
  return out;
}

}  // namespace caddis::http
