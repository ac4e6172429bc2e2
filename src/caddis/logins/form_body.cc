#include "caddis/logins/form_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "caddis/base/hash.h"
#include "caddis/base/strings.h"

namespace caddis::logins {
namespace {

std::string_view value_of(const FormField& field, Secrets secrets) {
  return field.is_secret && secrets == Secrets::hidden ? std::string_view("*") : std::string_view(field.value);
}

// Lines end with CR LF.
std::string with_line_ends(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (is_pair) continue;
    if (text[i] == '\r' || text[i] == '\n')
      out += "\r\n";
    else
      out += text[i];
  }
  return out;
}

void append_encoded(std::string& out, std::string_view text) {
  for (const char c : with_line_ends(text)) {
    if (is_alnum(c) || c == '*' || c == '-' || c == '.' || c == '_')
      out += c;
    else if (c == ' ')
      out += '+';
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
}

std::string quoted_name(std::string_view name) {
  std::string out;
  for (const char c : with_line_ends(name)) {
    if (c == '\r' || c == '\n' || c == '"')
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

// One that stands in no field. Nothing of a secret can be read off it.
std::string boundary_for(const std::vector<FormField>& fields) {
  const auto holds = [](std::string_view boundary) {
    return
        [boundary](const FormField& field) { return field.value.contains(boundary) || field.name.contains(boundary); };
  };
  const std::string shown = form_query(fields, Secrets::hidden);
  for (uint64_t tries = 0;; ++tries) {
    std::string boundary = fmt::format("----form{:016x}", siphash(shown, 0, tries));
    if (std::ranges::none_of(fields, holds(boundary))) return boundary;
  }
}

std::string multipart(const std::vector<FormField>& fields, std::string_view boundary, Secrets secrets) {
  std::string out;
  for (const FormField& field : fields)
    out += fmt::format("--{}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{}\r\n", boundary,
                       quoted_name(field.name), with_line_ends(value_of(field, secrets)));
  return out + fmt::format("--{}--\r\n", boundary);
}

std::string plain_text(const std::vector<FormField>& fields, Secrets secrets) {
  std::string out;
  for (const FormField& field : fields)
    out += fmt::format("{}={}\r\n", with_line_ends(field.name), with_line_ends(value_of(field, secrets)));
  return out;
}

}  // namespace

std::string form_query(const std::vector<FormField>& fields, Secrets secrets) {
  std::string out;
  for (const FormField& field : fields) {
    if (!out.empty()) out += '&';
    append_encoded(out, field.name);
    out += '=';
    append_encoded(out, value_of(field, secrets));
  }
  return out;
}

FormBody form_body(const std::vector<FormField>& fields, FormCoding coding) {
  if (coding == FormCoding::text)
    return {"text/plain", plain_text(fields, Secrets::written), plain_text(fields, Secrets::hidden)};
  if (coding == FormCoding::multipart) {
    const std::string boundary = boundary_for(fields);
    return {"multipart/form-data; boundary=" + boundary, multipart(fields, boundary, Secrets::written),
            multipart(fields, boundary, Secrets::hidden)};
  }
  return {"application/x-www-form-urlencoded", form_query(fields, Secrets::written),
          form_query(fields, Secrets::hidden)};
}

}  // namespace caddis::logins
