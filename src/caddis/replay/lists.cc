#include <algorithm>
#include <iterator>

#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"
#include "caddis/replay/frame_page.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/request_context.h"
#include "caddis/replay/views.h"
#include "caddis/url/url.h"

namespace caddis::replay {
namespace {

constexpr size_t kCalendarCaptures = 20'000;
constexpr size_t kTimeMapCaptures = 100'000;
constexpr size_t kListedUrls = 1'000;
constexpr size_t kNear = 10;
// Logs of large crawls have many gigabytes: whoever waits for a page waits no longer than this.
constexpr auto kLogSearch = std::chrono::seconds(1);

cdx::Query query_for(std::string_view url, uint64_t limit) {
  cdx::Query query;
  query.url = url;
  query.limit = limit;
  return query;
}

http::ServerResponse open_text(std::string_view type, std::string body) {
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(type)}, {"Access-Control-Allow-Origin", "*"}};
  response.body = std::move(body);
  return response;
}

http::ServerResponse plain_error(const Error& error) {
  const int status = error.code == ErrorCode::parse || error.code == ErrorCode::limit ? 400 : 500;
  http::ServerResponse response = http::text_response(status, error.message);
  set_header(response.headers, "Access-Control-Allow-Origin", "*");
  return response;
}

// "http://example.com/a/b" -> "http://example.com/a/": where near captures are looked for, at the host in the end.
std::vector<std::string> places_around(std::string_view text) {
  std::vector<std::string> places;
  const auto url = url::Url::parse(text);
  if (!url || !url->is_http()) return places;
  const std::string_view path = url->pathname();
  const size_t slash = path.rfind('/', path.size() > 1 ? path.size() - 2 : 0);
  const std::string site = std::string(url->protocol()) + "//" + std::string(url->host());
  places.push_back(site + std::string(path.substr(0, slash + 1)));
  if (places.back() != site + "/") places.push_back(site + "/");
  return places;
}

bool is_read_by_a_person(const http::ServerRequest& request, Modifier modifier) {
  const Destination destination = destination_of(request);
  return is_page(modifier) && (destination == Destination::unknown || destination == Destination::window);
}

// That of the address that was asked for; "*", all captures, if it has none.
std::string asked_timestamp(const RequestContext& context) {
  const std::string_view target = context.request.target;
  const auto address = parse_address(target.substr(std::min(context.prefix.size(), target.size())));
  return address && !address->timestamp.empty() ? address->timestamp : "*";
}

void search_logs(const RequestContext& context, MissingView& view) {
  const auto parsed = url::Url::parse(view.url);
  const std::string logged(parsed ? parsed->without_fragment() : view.url);
  const Clock& clock = context.collection.clock();
  const SteadyTime until = clock.steady() + kLogSearch;
  for (const std::string& launch : context.collection.launches()) {
    LogSearch search = find_in_crawl_log(context.files, launch, logged, clock, until);
    view.all_logs = view.all_logs && search.complete;
    std::ranges::move(search.visits, std::back_inserter(view.visits));
  }
}

}  // namespace

http::ServerResponse own_page(int status, std::string html) {
  http::ServerResponse response(status);
  response.headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Content-Security-Policy", std::string(own_content_security_policy())},
                      {"Referrer-Policy", "same-origin"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = std::move(html);
  return response;
}

http::ServerResponse redirect_to(int status, std::string location) {
  http::ServerResponse response(status);
  response.headers = {{"Location", std::move(location)}};
  return response;
}

http::ServerResponse answer_cdx(const RequestContext& context) {
  const auto query = cdx::parse_query(context.request.query);
  if (!query) return plain_error(query.error());
  const auto captures = cdx::run_query(context.collection.index(), *query);
  if (!captures) return plain_error(captures.error());
  if (query->output == cdx::Output::link)
    return open_text(cdx::content_type_of(query->output), link_timemap(context.memento, query->url, *captures));
  std::string body;
  for (const cdx::Capture& capture : *captures) {
    body += cdx::format_capture(capture, *query);
    body += '\n';
  }
  return open_text(cdx::content_type_of(query->output), std::move(body));
}

http::ServerResponse answer_timemap(const RequestContext& context, std::string_view rest) {
  const size_t slash = rest.find('/');
  const std::string_view form = rest.substr(0, slash);
  cdx::Query query =
      query_for(slash == std::string_view::npos ? "" : repair_url(rest.substr(slash + 1)), kTimeMapCaptures);
  if (form == "link")
    query.output = cdx::Output::link;
  else if (form == "cdxj")
    query.output = cdx::Output::cdxj;
  else if (form == "json")
    query.output = cdx::Output::json;
  else
    return http::text_response(
        404, "a TimeMap is asked for as timemap/link/<url>, timemap/cdxj/<url> or timemap/json/<url>");
  const auto captures = cdx::run_query(context.collection.index(), query);
  if (!captures) return plain_error(captures.error());
  if (captures->empty()) return http::text_response(404, "no captures of " + query.url);
  if (query.output == cdx::Output::link)
    return open_text(cdx::content_type_of(query.output), link_timemap(context.memento, query.url, *captures));
  std::string body;
  for (const cdx::Capture& capture : *captures) body += cdx::format_capture(capture, query) + '\n';
  return open_text(cdx::content_type_of(query.output), std::move(body));
}

http::ServerResponse answer_timegate(const RequestContext& context, std::string_view url, Modifier modifier) {
  std::string wanted = "99991231235959";
  if (const std::string_view accept = context.request.header("accept-datetime"); !accept.empty()) {
    const auto timestamp = parse_accept_datetime(accept);
    if (!timestamp) return plain_error(timestamp.error());
    wanted = *timestamp;
  }
  const std::string key = cdx::index_key(url);
  const auto nearest = context.collection.index().closest(key, wanted, 1);
  if (!nearest) return plain_error(nearest.error());
  if (nearest->empty()) return answer_missing(context, url, modifier, {});
  const cdx::Capture& capture = nearest->front();
  const auto around = context.collection.index().neighbours(key, capture.timestamp);
  http::ServerResponse response = redirect_to(
      302, context.prefix + capture.timestamp + std::string(to_string(modifier)) + '/' + header_url(capture.url));
  response.headers.emplace_back("Vary", "accept-datetime");
  response.headers.emplace_back("Link", memento_links(context.memento, url, &capture, around ? &*around : nullptr));
  return response;
}

http::ServerResponse answer_captures(const RequestContext& context, const Address& address) {
  CalendarView view{context.collection.name(), address.url, address.from, address.to, {}, false};
  cdx::Query query = query_for(address.url, kCalendarCaptures + 1);
  query.from = address.from;
  query.to = address.to.empty() ? address.from : address.to;
  auto captures = cdx::run_query(context.collection.index(), query);
  if (!captures) return plain_error(captures.error());
  view.captures = *std::move(captures);
  if (view.captures.empty()) return answer_missing(context, address.url, address.modifier, {});
  view.cut = view.captures.size() > kCalendarCaptures;
  if (view.cut) view.captures.pop_back();
  return own_page(200, calendar_page(view));
}

http::ServerResponse answer_urls(const RequestContext& context, const Address& address) {
  CalendarView view{context.collection.name(), address.url, address.from, address.to, {}, false};
  cdx::Query query = query_for(address.url, kListedUrls + 1);
  query.match = cdx::MatchType::prefix;
  query.from = address.from;
  query.to = address.to.empty() ? address.from : address.to;
  query.collapse.push_back({"urlkey", SIZE_MAX});
  auto captures = cdx::run_query(context.collection.index(), query);
  if (!captures) return plain_error(captures.error());
  view.captures = *std::move(captures);
  view.cut = view.captures.size() > kListedUrls;
  if (view.cut) view.captures.pop_back();
  return own_page(200, url_list_page(view));
}

http::ServerResponse answer_missing(const RequestContext& context, std::string_view url, Modifier modifier,
                                    std::vector<std::string> problems) {
  if (is_for_a_frame(context.request, modifier))
    return alone_page(context, 404, asked_timestamp(context), url, "This is not in the archive. See what is there");
  if (!is_read_by_a_person(context.request, modifier)) {
    std::string sentence(url);
    for (const std::string& problem : problems) sentence += "; a capture cannot be shown: " + problem;
    return own_page(404, message_page("Not in the archive", sentence));
  }
  MissingView view;
  view.collection = context.collection.name();
  view.url = url;
  view.problems = std::move(problems);
  search_logs(context, view);
  if (auto same = cdx::run_query(context.collection.index(), query_for(url, kNear))) view.same_url = *std::move(same);
  for (const std::string& place : places_around(url)) {
    if (!view.near.empty() || !view.same_url.empty()) break;
    cdx::Query query = query_for(place, kNear);
    query.match = cdx::MatchType::prefix;
    query.collapse.push_back({"urlkey", SIZE_MAX});
    if (auto near = cdx::run_query(context.collection.index(), query)) view.near = *std::move(near);
  }
  return own_page(404, missing_page(view));
}

}  // namespace caddis::replay
