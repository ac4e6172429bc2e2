#include "caddis/access/login_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "caddis/base/html_text.h"
#include "caddis/base/strings.h"

namespace caddis::access {
namespace {

constexpr size_t kLargest = 16 * 1024;
constexpr size_t kMostFields = 50;

constexpr std::string_view kPage = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Caddis: log in</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh; margin: 0;
  background: #f4f5f3; color: #1d2321 }}
form {{ background: #fff; padding: 2rem; border-radius: 8px; border: 1px solid #d6dad6; width: min(20rem, 80vw) }}
h1 {{ font-size: 1.3rem; margin: 0 0 1rem }}
label {{ display: block; margin: 0 0 1rem }}
input {{ display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .5rem; border: 1px solid #889;
  border-radius: 4px; background: #fff; color: inherit }}
button {{ font: inherit; padding: .5rem 1.5rem; border: 0; border-radius: 4px; background: #14532d; color: #fff }}
[role=alert] {{ color: #9b1c1c; margin: 0 0 1rem }}
@media (prefers-color-scheme: dark) {{
  body {{ background: #151917; color: #e6ebe8 }} form, input {{ background: #1f2522; border-color: #46504b }}
  [role=alert] {{ color: #f3a6a6 }} button {{ background: #2f855a }}
}}
</style></head>
<body><main><form method="post" action="{}/login">
<h1>Caddis</h1>
{}<input type="hidden" name="next" value="{}">
<label>Name <input name="name" autocomplete="username" autocapitalize="none" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Log in</button>
</form></main></body></html>
)";

}  // namespace

std::string decoded_form(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_code =
        text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
    if (is_code) {
      out += static_cast<char>(hex_value(text[i + 1]) << 4 | hex_value(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

Result<BodyFields> BodyFields::parse(const http::ServerRequest& request) {
  BodyFields fields;
  if (request.body.size() > kLargest) return fail(ErrorCode::limit, "the body is too large for what is asked here");
  const std::string_view body = trim(request.body);
  fields.is_form_ = !body.starts_with('{') &&
                    starts_with_ignore_case(request.header("Content-Type"), "application/x-www-form-urlencoded");
  if (fields.is_form_) {
    for (const std::string_view pair : split(request.body, '&')) {
      if (pair.empty() || fields.values_.size() == kMostFields) continue;
      const size_t equals = std::min(pair.find('='), pair.size());
      fields.values_.emplace_back(decoded_form(pair.substr(0, equals)),
                                  equals == pair.size() ? "" : decoded_form(pair.substr(equals + 1)));
    }
    return fields;
  }
  if (body.empty()) return fields;
  const auto read = nlohmann::json::parse(request.body, nullptr, false);
  if (!read.is_object()) return fail(ErrorCode::parse, "the body is no JSON object");
  for (const auto& [name, value] : read.items()) {
    if (value.is_string())
      fields.values_.emplace_back(name, value.get_ref<const std::string&>());
    else if (value.is_number_integer() || value.is_boolean())
      fields.values_.emplace_back(name, value.dump());
    else if (value.is_null())
      fields.values_.emplace_back(name, std::nullopt);
    else
      return fail(ErrorCode::parse, fmt::format("'{}' has to be a text, a number, or true or false", name));
  }
  return fields;
}

Result<void> BodyFields::expect_only(std::span<const std::string_view> known) const {
  for (const auto& [name, value] : values_)
    if (std::ranges::find(known, name) == known.end())
      return fail(ErrorCode::parse, fmt::format("there is no field '{}': {} are known", name, fmt::join(known, ", ")));
  return {};
}

std::optional<std::string> BodyFields::find(std::string_view name) const {
  const auto found = std::ranges::find_if(values_, [&](const auto& value) { return value.first == name; });
  if (found == values_.end()) return {};
  return found->second;
}

http::ServerResponse login_page(int status, std::string_view base, std::string_view problem, std::string_view next) {
  http::ServerResponse page(status);
  page.headers.emplace_back("Content-Type", "text/html; charset=utf-8");
  page.headers.emplace_back("Content-Security-Policy",
                            "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
                            "frame-ancestors 'none'");
  const std::string alert = problem.empty() ? "" : fmt::format("<p role=\"alert\">{}</p>\n", html_escape(problem));
  page.body = fmt::format(kPage, html_escape(base), alert, html_escape(next));
  return page;
}

}  // namespace caddis::access
