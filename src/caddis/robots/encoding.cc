#include "caddis/robots/encoding.h"

#include "caddis/base/strings.h"

namespace caddis::robots {
namespace {

constexpr char kHexDigits[] = "0123456789ABCDEF";

bool is_unreserved(unsigned char c) {
  return is_alnum(static_cast<char>(c)) || c == '-' || c == '.' || c == '_' || c == '~';
}

void append_escaped(std::string& out, unsigned char c) {
  out += '%';
  out += kHexDigits[c >> 4];
  out += kHexDigits[c & 15];
}

enum class Form { literal, rule, request };

std::string convert(std::string_view path, Form form) {
  std::string out;
  out.reserve(path.size());
  for (size_t i = 0; i < path.size(); ++i) {
    const auto c = static_cast<unsigned char>(path[i]);
    if (c == '%' && i + 2 < path.size() && hex_value(path[i + 1]) >= 0 && hex_value(path[i + 2]) >= 0) {
      const auto byte = static_cast<unsigned char>(hex_value(path[i + 1]) * 16 + hex_value(path[i + 2]));
      i += 2;
      if (form != Form::literal && is_unreserved(byte))
        out += static_cast<char>(byte);
      else
        append_escaped(out, byte);
    } else if (c >= 0x80 || (form == Form::request && (c == '*' || c == '$'))) {
      append_escaped(out, c);
    } else if (form == Form::rule && c == '$' && i + 1 < path.size()) {
      append_escaped(out, c);  // an operator only at the end
    } else {
      out += static_cast<char>(c);
    }
  }
  return out;
}

}  // namespace

std::string literal_form(std::string_view path) { return convert(path, Form::literal); }
std::string normal_form_of_rule(std::string_view path) { return convert(path, Form::rule); }
std::string normal_form_of_request(std::string_view path) { return convert(path, Form::request); }

bool is_normal_request(std::string_view path) {
  for (unsigned char c : path) {
    if (c >= 0x80 || c == '%' || c == '*' || c == '$') return false;
  }
  return true;
}

std::string path_and_query(std::string_view url) {
  url = url.substr(0, url.find('#'));
  const size_t scheme = url.find("://");
  if (url.starts_with("//"))
    url.remove_prefix(2);
  else if (scheme != url.npos && url.substr(0, scheme).find_first_of("/?;") == url.npos)
    url.remove_prefix(scheme + 3);
  const size_t start = url.find_first_of("/?;");
  if (start == url.npos) return "/";
  return (url[start] == '/' ? "" : "/") + std::string(url.substr(start));
}

}  // namespace caddis::robots
