#include "caddis/http/request.h"

#include <algorithm>

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

bool Request::has_secrets() const { return std::ranges::any_of(headers, &Header::secret); }

std::string Request::secret_names() const {
  std::string names;
  for (const Header& header : headers) {
    if (!header.secret) continue;
    if (!names.empty()) names += ", ";
    append_plain(names, header.name);
  }
  return names;
}

std::string Request::serialize(bool secrets) const {
  std::string out;
  size_t size = method.size() + target.size() + 16 + body.size();
  for (const Header& header : headers) size += header.name.size() + header.value.size() + 4;
  out.reserve(size);
  append_plain(out, method);
  out += ' ';
  append_plain(out, target);
  out += " HTTP/";
  out += static_cast<char>('0' + version.major % 10);
  out += '.';
  out += static_cast<char>('0' + version.minor % 10);
  out += "\r\n";
  for (const Header& header : headers) {
    if (header.secret && !secrets) continue;
    append_plain(out, header.name);
    out += ": ";
    append_plain(out, header.value);
    out += "\r\n";
  }
  out += "\r\n";
  out += body;
  return out;
}

}  // namespace caddis::http
