#include "caddis/replay/memento.h"

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/replay/address.h"

namespace caddis::replay {
namespace {

void add_link(std::string& out, std::string_view target, std::string_view rest, std::string_view separator) {
  if (!out.empty()) out += separator;
  out += '<';
  // Nothing may end the URI or the header: captured URLs hold what servers sent.
  for (const char c : header_url(target)) c == '>' ? out += "%3E" : out += c;
  out += '>';
  out += rest;
}

std::string memento_attributes(const MementoBase& base, const cdx::Capture& capture, std::string_view rel) {
  return "; rel=\"" + std::string(rel) + "\"; datetime=\"" + memento_date(capture.timestamp) + "\"; collection=\"" +
         base.collection + '"';
}

// All relations that one capture has, as RFC 7089 writes them: "first prev memento".
std::string relations(const cdx::Capture& capture, const cdx::UrlCaptures::Neighbours& around) {
  const auto is = [&](const std::optional<cdx::Capture>& other) {
    return other && other->timestamp == capture.timestamp;
  };
  std::string rel;
  if (is(around.first)) rel += "first ";
  if (is(around.previous)) rel += "prev ";
  if (is(around.next)) rel += "next ";
  if (is(around.last)) rel += "last ";
  return rel + "memento";
}

}  // namespace

std::string memento_links(const MementoBase& base, std::string_view url, const cdx::Capture* current,
                          const cdx::UrlCaptures::Neighbours* neighbours) {
  std::string out;
  add_link(out, url, "; rel=\"original\"", ", ");
  add_link(out, base.timegate(url), "; rel=\"timegate\"", ", ");
  add_link(out, base.timemap(url), "; rel=\"timemap\"; type=\"application/link-format\"", ", ");
  if (neighbours == nullptr) {
    if (current != nullptr) add_link(out, base.memento(*current), memento_attributes(base, *current, "memento"), ", ");
    return out;
  }
  std::string written;  // timestamps that stand in the list
  const auto add = [&](const cdx::Capture& capture) {
    const std::string mark = ' ' + capture.timestamp;
    if (written.find(mark) != std::string::npos) return;
    written += mark;
    add_link(out, base.memento(capture), memento_attributes(base, capture, relations(capture, *neighbours)), ", ");
  };
  if (current != nullptr) add(*current);
  for (const auto* capture : {&neighbours->first, &neighbours->previous, &neighbours->next, &neighbours->last})
    if (*capture) add(**capture);
  return out;
}

std::string timemap_head(const MementoBase& base, std::string_view url, std::string_view first, std::string_view last) {
  std::string out;
  std::string period = "; rel=\"self\"; type=\"application/link-format\"";
  if (!first.empty()) period += "; from=\"" + memento_date(first) + "\"; until=\"" + memento_date(last) + '"';
  add_link(out, base.timemap(url), period, ",\n");
  add_link(out, base.timegate(url), "; rel=\"timegate\"", ",\n");
  add_link(out, url, "; rel=\"original\"", ",\n");
  return out;
}

std::string timemap_entry(const MementoBase& base, const cdx::Capture& capture, bool is_first, bool is_last) {
  std::string rel = is_first ? "first " : "";
  if (is_last) rel += "last ";
  std::string link;
  add_link(link, base.memento(capture), memento_attributes(base, capture, rel + "memento"), ",\n");
  return ",\n" + link;
}

std::string memento_date(std::string_view timestamp) {
  const auto time = parse_timestamp(timestamp.substr(0, 14));
  return http_date(time ? *time : WallTime{});
}

Result<std::string> parse_accept_datetime(std::string_view value) {
  // The form of asctime alone has no zone (RFC 9110, section 5.6.7).
  if (value.contains(',') && !trim(value).ends_with("GMT"))
    return fail(ErrorCode::parse, "Accept-Datetime: '" + std::string(value) +
                                      "' is not in GMT, as it has to be: Fri, 02 Jan 2026 03:04:05 GMT");
  auto time = parse_http_date(value);
  if (!time) return pass(std::move(time).error(), "Accept-Datetime");
  return timestamp14(*time);
}

}  // namespace caddis::replay
