#include "caddis/cdx/query.h"

#include "caddis/base/json_text.h"
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

std::string chosen_as_json(const Capture& capture, const std::vector<std::string>& names) {
  std::string out = "{";
  for (const std::string& name : names) {
    const std::string_view value = field(capture, name);
    if (!value.empty()) json_member(out, name, json_string(value));
  }
  return out + "}";
}

std::string chosen_as_text(const Capture& capture, const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    if (!out.empty()) out += ' ';
    const std::string_view value = field(capture, name);
    out += value.empty() ? "-" : value;
  }
  return out;
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

std::string format_capture(const Capture& capture, const Query& query) {
  switch (query.output) {
    case Output::text:
    case Output::link:
      if (!query.fields.empty()) return chosen_as_text(capture, query.fields);
      return query.resolve_revisits ? cdx14_line(capture) : cdx11_line(capture);
    case Output::json:
      return query.fields.empty() ? json_line(capture) : chosen_as_json(capture, query.fields);
    case Output::cdxj:
      break;
  }
  if (query.fields.empty()) return cdxj_line(capture);
  return capture.urlkey + ' ' + capture.timestamp + ' ' + chosen_as_json(capture, query.fields);
}

std::string_view content_type_of(Output output) {
  switch (output) {
    case Output::json:
      return "application/x-ndjson";
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
