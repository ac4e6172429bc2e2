#include "caddis/cdx/query.h"

#include <algorithm>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"

namespace caddis::cdx {
namespace {

void json_member(std::string& out, std::string_view name, std::string_view json) {
  out += out.size() == 1 ? "\"" : ", \"";
  out += name;
  out += "\": ";
  out += json;
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

// A field as it is shown. OutbackCDX has the place of the record as a range of bytes, too, as HTTP asks for it.
std::string shown(const Capture& capture, std::string_view name) {
  if (name != "range") return std::string(field(capture, name));
  const auto offset = capture.offset_number(), length = capture.length_number();
  if (!offset || !length || *length == 0) return {};
  return "bytes=" + std::to_string(*offset) + '-' + std::to_string(*offset + *length - 1);
}

std::string chosen_as_json(const Capture& capture, const std::vector<std::string>& names) {
  std::string out = "{";
  for (const std::string& name : names) {
    const std::string value = shown(capture, name);
    if (!value.empty()) json_member(out, name, json_string(value));
  }
  return out + "}";
}

std::string chosen_as_text(const Capture& capture, const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    if (!out.empty()) out += ' ';
    const std::string value = shown(capture, name);
    out += value.empty() ? "-" : value;
  }
  return out;
}

// Numbers as OutbackCDX has them; text, as the Internet Archive has all.
bool is_number_field(std::string_view name) {
  for (const std::string_view one : {"timestamp", "status", "statuscode", "length", "offset"})
    if (name == one) return true;
  return false;
}

std::string json_value(const Capture& capture, const std::string& name, bool with_numbers) {
  const std::string value = shown(capture, name);
  const bool is_number = with_numbers && is_number_field(name) && !value.empty() && value.size() < 18 &&
                         (value == "0" || value.front() != '0') && std::ranges::all_of(value, is_digit);
  return is_number ? std::string(value) : json_string(value.empty() ? "-" : value);
}

std::string chosen_as_row(const Capture& capture, const std::vector<std::string>& names, Dialect dialect) {
  std::string out = "[";
  for (const std::string& name : names) {
    if (out.size() > 1) out += ',';
    out += json_value(capture, name, dialect == Dialect::outback);
  }
  return out + "]";
}

std::string chosen_as_dict(const Capture& capture, const std::vector<std::string>& names) {
  std::string out = "{";
  for (const std::string& name : names) json_member(out, name, json_value(capture, name, true));
  return out + "}";
}

std::string json_line(const Capture& capture) {
  const std::string line = cdxj_line(capture);
  const size_t object = line.find('{', capture.urlkey.size());
  std::string out = "{";
  json_member(out, "urlkey", json_string(capture.urlkey));
  json_member(out, "timestamp", json_string(capture.timestamp));
  const std::string_view members = std::string_view(line).substr(object + 1);
  if (members != "}") out += ", ";
  out += members;
  return out;
}

}  // namespace

std::vector<std::string> shown_fields(const Query& query) {
  if (!query.fields.empty()) return query.fields;
  if (query.dialect == Dialect::internet_archive)
    return {"urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"};
  if (query.output == Output::rows || query.output == Output::dicts) return all_fields();
  return {};
}

std::vector<std::string> all_fields() {
  return {"urlkey",      "timestamp",  "url",    "mime",   "status",  "digest",
          "redirecturl", "robotflags", "length", "offset", "filename"};
}

std::string format_capture(const Capture& capture, const Query& query) {
  const std::vector<std::string>& names = query.fields;
  switch (query.output) {
    case Output::text:
    case Output::link:
      if (!names.empty()) return chosen_as_text(capture, names);
      return query.resolve_revisits ? cdx14_line(capture) : cdx11_line(capture);
    case Output::json:
      return names.empty() ? json_line(capture) : chosen_as_json(capture, names);
    case Output::rows:
      return chosen_as_row(capture, names, query.dialect);
    case Output::dicts:
      return chosen_as_dict(capture, names);
    case Output::cdxj:
      break;
  }
  if (names.empty()) return cdxj_line(capture);
  return capture.urlkey + ' ' + capture.timestamp + ' ' + chosen_as_json(capture, names);
}

std::string_view content_type_of(Output output) {
  switch (output) {
    case Output::json:
      return "application/x-ndjson";
    case Output::rows:
    case Output::dicts:
      return "application/json";
    case Output::link:
      return "application/link-format";
    case Output::cdxj:
      return "text/x-cdxj";
    case Output::text:
      return "text/plain";
  }
  return "text/plain";
}

}  // namespace caddis::cdx
