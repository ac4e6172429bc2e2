#include "caddis/cdx/line.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/cdx_letters.h"
#include "caddis/cdx/flat_json.h"
#include "caddis/url/canonicalize.h"
#include "caddis/warc/digest_field.h"

namespace caddis::cdx {
namespace {

void add_member(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out += out.ends_with('{') ? "\"" : ", \"";
  out += name;
  out += "\": ";
  append_json_string(out, value);
}

std::string known(std::string_view value) { return value == "-" ? std::string() : std::string(value); }

bool is_timestamp(std::string_view text) {
  return text.size() >= 4 && text.size() <= 17 && std::ranges::all_of(text, is_digit);
}

std::string* member_for(Capture& capture, std::string_view name) {
  if (name == "url") return &capture.url;
  if (name == "mime") return &capture.mime;
  if (name == "status") return &capture.status;
  if (name == "digest") return &capture.digest;
  if (name == "length") return &capture.length;
  if (name == "offset") return &capture.offset;
  if (name == "filename") return &capture.filename;
  if (name == "redirect") return &capture.redirect;
  if (name == "robotflags") return &capture.robotflags;
  if (name == "orig.length") return &capture.original_length;
  if (name == "orig.offset") return &capture.original_offset;
  if (name == "orig.filename") return &capture.original_filename;
  return nullptr;
}

Result<Capture> parse_cdxj(std::string_view key, std::string_view timestamp, std::string_view text) {
  Capture capture;
  capture.urlkey = key;
  capture.timestamp = timestamp;
  FlatJson json(text);
  while (json.next()) {
    const std::string_view value = json.is_string() ? json.text() : json.raw();
    if (std::string* member = member_for(capture, json.name()))
      *member = json.raw() == "null" ? std::string_view() : value;
    else
      capture.extra.emplace_back(json.name(), json.raw());
  }
  if (!json.error().empty()) return fail(ErrorCode::parse, std::string(json.error()));
  return capture;
}

Result<Capture> from_fields(const std::vector<std::string_view>& fields, std::string_view letters) {
  if (letters.size() != fields.size())
    return fail(ErrorCode::parse,
                "a CDX line of " + std::to_string(fields.size()) + " fields; 9, 10, 11 and 14 are known");
  Capture capture;
  for (size_t i = 0; i < fields.size(); ++i)
    if (const auto member = member_for_letter(letters[i]))
      capture.*member = letters[i] == 'N' ? std::string(fields[i]) : known(fields[i]);
  if (!is_timestamp(capture.timestamp)) return fail(ErrorCode::parse, "a CDX line without a timestamp of digits");
  return capture;
}

Result<void> check_line(std::string_view line) {
  if (line.size() > kMaxLine) return fail(ErrorCode::limit, "an index line longer than 4 MiB");
  if (line.empty() || line.front() == '!' || line.front() == ' ')
    return fail(ErrorCode::not_found, "a header, no capture");
  return {};
}

std::string_view without_line_end(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::string index_key(std::string_view url, const url::KeyPolicy& policy, std::string_view timestamp) {
  auto key = url::canonicalize(policy, url, timestamp);
  std::string text = key ? *std::move(key) : std::string(url);
  // A line that begins with a blank or '!' would be a header.
  if (text.empty() || text.front() == '!') text = url;
  std::string clean;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) > ' ')
      clean += c;
    else
      clean += '%' + to_hex(std::string_view(&c, 1));
  }
  return clean;
}

std::string index_mime(std::string_view content_type) {
  const std::string_view type = trim(content_type.substr(0, content_type.find(';')));
  std::string mime;
  for (const char c : type.substr(0, type.find_first_of(" ,\t")))
    if (static_cast<unsigned char>(c) > ' ') mime += c;
  return mime.empty() ? "unk" : mime;
}

std::string_view index_digest(std::string_view labelled) {
  if (starts_with_ignore_case(labelled, "sha1:")) labelled.remove_prefix(5);
  return labelled;
}

bool same_digest(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto parsed = [](std::string_view digest) {
    return warc::parse_digest_field(digest.contains(':') ? std::string(digest) : fmt::format("sha1:{}", digest));
  };
  const auto first = parsed(a), second = parsed(b);
  return first && second && first->algorithm == second->algorithm && !first->raw.empty() && first->raw == second->raw;
}

std::string cdxj_line(const Capture& capture) {
  std::string line = capture.urlkey;
  line.reserve(line.size() + capture.url.size() + 256);
  line += ' ';
  line += capture.timestamp;
  line += " {";
  add_member(line, "url", capture.url);
  add_member(line, "mime", capture.mime);
  add_member(line, "status", capture.status);
  add_member(line, "digest", capture.digest);
  add_member(line, "redirect", capture.redirect);
  add_member(line, "robotflags", capture.robotflags);
  add_member(line, "length", capture.length);
  add_member(line, "offset", capture.offset);
  add_member(line, "filename", capture.filename);
  add_member(line, "orig.length", capture.original_length);
  add_member(line, "orig.offset", capture.original_offset);
  add_member(line, "orig.filename", capture.original_filename);
  for (const auto& [name, json] : capture.extra) {
    line += line.ends_with('{') ? "" : ", ";
    append_json_string(line, name);
    line += ": ";
    line += json;
  }
  line += '}';
  return line;
}

std::string request_url(std::string_view url, std::string_view method, std::string_view request_body) {
  const char separator = url.contains('?') ? '&' : '?';
  return fmt::format("{}{}__wb_method={}&{}", url, separator, method, request_body);
}

std::string cdxj_line(const CaptureFields& fields, const url::KeyPolicy& policy) {
  Capture capture;
  capture.timestamp = timestamp14(fields.date);
  capture.urlkey = index_key(fields.url, policy, capture.timestamp);
  capture.url = fields.url;
  capture.mime = index_mime(fields.mime);
  if (fields.status > 0 && !capture.is_revisit()) capture.status = std::to_string(fields.status);
  capture.digest = index_digest(fields.digest);
  capture.length = std::to_string(fields.length);
  capture.offset = std::to_string(fields.offset);
  capture.filename = fields.filename;
  if (fields.method.empty()) return cdxj_line(capture);
  capture.urlkey = index_key(request_url(fields.url, fields.method, fields.request_body), policy, capture.timestamp);
  for (const auto& [name, text] : {std::pair("method", fields.method), std::pair("requestBody", fields.request_body)}) {
    std::string json;
    append_json_string(json, text);
    capture.extra.emplace_back(name, std::move(json));
  }
  return cdxj_line(capture);
}

std::string cdx11_line(const Capture& capture) { return cdx_line(capture, cdx_letters(11)); }
std::string cdx14_line(const Capture& capture) { return cdx_line(capture, cdx_letters(14)); }

Result<Capture> parse_line(std::string_view line) {
  line = without_line_end(line);
  TRY_VOID(check_line(line));
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) return fail(ErrorCode::parse, "an index line of fewer than three fields");
  const std::string_view timestamp = line.substr(first + 1, second - first - 1);
  if (!is_timestamp(timestamp)) return fail(ErrorCode::parse, "an index line whose second field is no timestamp");
  if (second + 1 < line.size() && line[second + 1] == '{')
    return parse_cdxj(line.substr(0, first), timestamp, line.substr(second + 1));
  const auto fields = split(line, ' ');
  return from_fields(fields, cdx_letters(fields.size()));
}

Result<Capture> parse_cdx_line(std::string_view line, std::string_view header) {
  line = without_line_end(line);
  TRY_VOID(check_line(line));
  const char separator = header.empty() ? ' ' : header.front();
  std::string letters;
  const auto names = split(trim(header.substr(std::min<size_t>(1, header.size()))), separator);
  for (size_t i = 1; i < names.size(); ++i) letters += names[i].size() == 1 ? names[i].front() : '?';
  return from_fields(split(line, separator), letters);
}

}  // namespace caddis::cdx
