#include "caddis/rest/form.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/io/content_codec.h"
#include "caddis/url/percent.h"

namespace caddis::rest {
namespace {

constexpr size_t kLongest = 16 << 20;
constexpr size_t kMostFields = 1000;

std::string decoded(std::string_view text) {
  std::string blanks(text);
  std::ranges::replace(blanks, '+', ' ');
  return url::percent_decode(blanks);
}

bool is_form(std::string_view type) {
  const std::string_view essence = trim(type.substr(0, type.find(';')));
  return essence.empty() || equals_ignore_case(essence, "application/x-www-form-urlencoded");
}

}  // namespace

Form Form::parse(std::string_view text) {
  Form form;
  for (const std::string_view pair : split(trim(text), '&')) {
    if (pair.empty()) continue;
    if (form.fields_.size() == kMostFields) break;
    const size_t equals = pair.find('=');
    const std::string_view value = equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    form.fields_.emplace_back(decoded(pair.substr(0, equals)), decoded(value));
  }
  return form;
}

Result<Form> Form::of(const http::ServerRequest& request) {
  const std::string_view type = request.header("Content-Type");
  if (!is_form(type))
    return fail(ErrorCode::unsupported,
                fmt::format("the body is {}: send application/x-www-form-urlencoded, as Heritrix takes it", type));
  const std::string_view coding = request.header("Content-Encoding");
  if (coding.empty()) return parse(request.body);
  const io::Decoded body = io::decode_content(request.body, coding, kLongest);
  if (!body.complete)
    return fail(body.bytes.size() >= kLongest ? ErrorCode::limit : ErrorCode::parse,
                fmt::format("the body cannot be unpacked: {}", body.problem));
  return parse(body.bytes);
}

std::optional<std::string> Form::find(std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, &std::pair<std::string, std::string>::first);
  if (found == fields_.end()) return std::nullopt;
  return found->second;
}

bool Form::ticked(std::string_view name) const {
  const auto value = find(name);
  return value && (value->empty() || *value == "on" || *value == "true" || *value == "yes" || *value == "1");
}

}  // namespace caddis::rest
