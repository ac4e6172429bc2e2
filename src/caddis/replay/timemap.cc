#include "caddis/replay/timemap.h"

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/replay/address.h"

namespace caddis::replay {
namespace {

// That of the page that begins at `from`.
std::string page_address(const TimeMapRequest& request, const MementoBase& base, std::string_view from) {
  std::string address = base.prefix + "timemap/" + request.form_name + '/';
  if (!from.empty()) address += std::string(from) + '/';
  return address + request.url;
}

std::string link_to(std::string_view target, std::string_view rest) {
  std::string out = "<";
  for (const char c : header_url(target)) c == '>' ? out += "%3E" : out += c;
  return out + ">; " + std::string(rest);
}

std::string period(std::string_view from, std::string_view until) {
  return "; from=\"" + memento_date(from) + "\"; until=\"" + memento_date(until) + '"';
}

std::string type_of(const TimeMapRequest& request) {
  return "; type=\"" + std::string(cdx::content_type_of(request.form)) + '"';
}

// The other pages that this one leads to: the first, and the next.
std::vector<std::string> page_links(const TimeMapRequest& request, const TimeMapPage& page, const MementoBase& base) {
  std::vector<std::string> links;
  if (!request.from.empty())
    links.push_back(link_to(page_address(request, base, ""),
                            "rel=\"timemap\"" + type_of(request) + "; from=\"" + memento_date(page.first) + '"'));
  if (!page.next.empty())
    links.push_back(link_to(page_address(request, base, page.next),
                            "rel=\"timemap\"" + type_of(request) + period(page.next, page.last)));
  return links;
}

}  // namespace

Result<TimeMapRequest> parse_timemap(std::string_view rest) {
  TimeMapRequest request;
  size_t slash = rest.find('/');
  request.form_name = rest.substr(0, slash);
  rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  if (request.form_name == "link")
    request.form = cdx::Output::link;
  else if (request.form_name == "cdxj")
    request.form = cdx::Output::cdxj;
  else if (request.form_name == "json")
    request.form = cdx::Output::json;
  else
    return fail(ErrorCode::not_found,
                "a TimeMap is asked for as timemap/link/<url>, timemap/cdxj/<url> or timemap/json/<url>");
  slash = rest.find('/');
  if (slash != std::string_view::npos && slash <= 17 && slash >= 14 &&
      std::ranges::all_of(rest.substr(0, slash), is_digit)) {
    request.from = rest.substr(0, slash);
    rest.remove_prefix(slash + 1);
  }
  request.url = repair_url(rest);
  return request;
}

Result<TimeMapPage> timemap_page(const cdx::UrlCaptures& captures, std::string_view from, const Clock& clock,
                                 Duration longest) {
  TimeMapPage page;
  const SteadyTime began = clock.steady();
  const auto is_late = [&] { return longest > Duration::zero() && clock.steady() - began >= longest; };
  TRY(const auto ends, captures.neighbours(from.empty() ? "0" : from));
  if (ends.first) page.first = ends.first->timestamp;
  if (ends.last) page.last = ends.last->timestamp;
  size_t bytes = 0;
  TRY(page.broken, captures.each_from(from, [&](cdx::Capture& capture) {
    if (is_late()) return false;
    const bool begins = page.captures.empty() || page.captures.back().timestamp != capture.timestamp;
    if (begins && (page.captures.size() >= kTimeMapCaptures || bytes >= kTimeMapBytes)) {
      page.next = capture.timestamp;
      return false;
    }
    if (!begins && page.captures.back().url == capture.url) return true;
    bytes += capture.url.size() + capture.filename.size() + capture.mime.size() + capture.digest.size() + 64;
    page.captures.push_back(std::move(capture));
    return bytes < 4 * kTimeMapBytes;  // of one second
  }));
  if (is_late())
    return fail(ErrorCode::timeout, "the TimeMap took longer than it may (--time-limit): ask for a later part of it");
  return page;
}

std::string timemap_text(const TimeMapRequest& request, const TimeMapPage& page, const MementoBase& base) {
  std::string text;
  if (request.form != cdx::Output::link) {
    cdx::Query query;
    query.output = request.form;
    for (const cdx::Capture& capture : page.captures) text += cdx::format_capture(capture, query) + '\n';
    return text;
  }
  text = link_to(page_address(request, base, request.from),
                 "rel=\"self\"" + type_of(request) +
                     period(page.captures.front().timestamp, page.captures.back().timestamp)) +
         ",\n" + link_to(base.timegate(request.url), "rel=\"timegate\",\n") + link_to(request.url, "rel=\"original\"");
  for (const std::string& link : page_links(request, page, base)) text += ",\n" + link;
  for (const cdx::Capture& capture : page.captures)
    text += timemap_entry(base, capture, capture.timestamp == page.first, capture.timestamp == page.last);
  return text + '\n';
}

std::string timemap_links(const TimeMapRequest& request, const TimeMapPage& page, const MementoBase& base) {
  std::string links = link_to(page_address(request, base, request.from), "rel=\"self\"" + type_of(request)) + ", " +
                      link_to(base.timegate(request.url), "rel=\"timegate\"") + ", " +
                      link_to(request.url, "rel=\"original\"");
  for (const std::string& link : page_links(request, page, base)) links += ", " + link;
  return links;
}

}  // namespace caddis::replay
