#include <algorithm>
#include <memory>

#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/cdx/unknown_fields.h"
#include "caddis/cdxserver/query_answer.h"
#include "caddis/cdxserver/xml_query.h"
#include "caddis/replay/calendar.h"
#include "caddis/replay/frame_page.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/list_bodies.h"
#include "caddis/replay/page_titles.h"
#include "caddis/replay/request_context.h"
#include "caddis/replay/search_page.h"
#include "caddis/replay/views.h"
#include "caddis/replay/wayback.h"

namespace caddis::replay {
namespace {

cdx::Query query_for(std::string_view url, uint64_t limit) {
  cdx::Query query;
  query.url = url;
  query.limit = limit;
  return query;
}

BodyBounds bounds_of(const RequestContext& context) { return {context.collection.clock(), context.options.limits}; }

bool is_read_by_a_person(const http::ServerRequest& request, Modifier modifier) {
  const Destination destination = destination_of(request);
  return is_page(modifier) && (destination == Destination::unknown || destination == Destination::window);
}

// That of the address that was asked for; "*", all captures, if it has none.
std::string asked_timestamp(const RequestContext& context) {
  const std::string_view target = context.request.target;
  const auto address = parse_address(target.substr(std::min(context.asked_prefix().size(), target.size())));
  return address && !address->timestamp.empty() ? address->timestamp : "*";
}

// What may be read by pages of any origin.
http::ServerResponse open_text(const RequestContext& context, std::string_view type,
                               std::unique_ptr<http::BodySource> source) {
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(type)}, {"Access-Control-Allow-Origin", "*"}};
  const auto begun = begin_body(response, std::move(source), bounds_of(context));
  return begun ? std::move(response) : cdxserver::refusal_of_body(begun.error());
}

http::ServerResponse answer_links(const RequestContext& context, cdx::Query query) {
  const auto unknown = cdx::UnknownFields::watch(query);
  auto run = cdx::QueryRun::start(context.collection.index(), query, cdx::kServedHeld);
  if (!run) return cdxserver::refusal_of(run.error());
  const auto broken = run->broken_lines();
  http::ServerResponse response = open_text(context, cdx::content_type_of(query.output),
                                            link_lines(context.collection.index(), *std::move(run), context.memento));
  cdxserver::tell_broken_lines(response, *broken);
  if (unknown && response.source == nullptr) cdxserver::tell_unknown(response, "unknown-fields", unknown->told());
  tell_incomplete(context, response);
  return response;
}

http::ServerResponse own_body(const RequestContext& context, int status, std::unique_ptr<http::BodySource> source) {
  http::ServerResponse response = own_page(status, std::string());
  const auto begun = begin_body(response, std::move(source), bounds_of(context));
  return begun ? std::move(response) : failed_body_page(context.writer, begun.error());
}

// False only where there is none; an index of lines that nobody can read is not searched through for it.
Result<bool> has_captures(cdx::CaptureIndex& index, const cdx::Query& query) {
  TRY(auto run, cdx::QueryRun::start(index, query, cdx::kServedHeld));
  cdx::Capture capture;
  uint64_t budget = cdx::kServedSlice;
  TRY(const auto found, run.next(capture, budget));
  return found != cdx::QueryRun::Found::end;
}

// The search for the answers to what was posted to the URL, which stand in the index with its fields behind them; empty if
// there are none. With a query of its own, the URL is not at the beginning of their keys.
std::string address_of_posted(const RequestContext& context, const std::string& url) {
  if (url.find_first_of("?#") != std::string::npos) return {};
  const SearchForm form{context.collection.name(), url + "?__wb_method=", "prefix", "", "", "", ""};
  cdx::Query query = query_for(form.url, 1);
  query.match = cdx::MatchType::prefix;
  const auto any = has_captures(context.collection.index(), query);
  return any && *any ? '/' + form.collection + "/search?" + form_query(form) : std::string();
}

}  // namespace

http::ServerResponse own_page(int status, std::string html) {
  http::ServerResponse response(status);
  response.headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Content-Security-Policy", std::string(own_content_security_policy())},
                      {"Referrer-Policy", "same-origin"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Vary", "Accept-Language, Cookie"}};
  response.body = std::move(html);
  return response;
}

http::ServerResponse failed_body_page(const pages::Writer& writer, const Error& error) {
  const std::string_view title = error.code == ErrorCode::limit     ? "title-too-large"
                                 : error.code == ErrorCode::timeout ? "title-too-slow"
                                                                    : "title-unreadable";
  return own_page(cdxserver::refusal_of_body(error).status, message_page(writer, writer.text(title), error.message));
}

http::ServerResponse redirect_to(int status, std::string location) {
  http::ServerResponse response(status);
  response.headers = {{"Location", std::move(location)}};
  return response;
}

http::ServerResponse answer_cdx(const RequestContext& context, cdx::Dialect dialect) {
  const auto query = cdx::parse_query(context.request.query, dialect);
  if (!query) return cdxserver::refusal_of(query.error());
  if (query->output == cdx::Output::link) return answer_links(context, *query);
  http::ServerResponse response = cdxserver::answer_query(context.collection.index(), *query, context.request,
                                                          context.collection.clock(), context.options.limits);
  tell_incomplete(context, response);
  return response;
}

http::ServerResponse answer_xml(const RequestContext& context) {
  http::ServerResponse response = cdxserver::answer_xml_query(context.collection.index(), context.request,
                                                              context.collection.clock(), {}, context.options.limits);
  tell_incomplete(context, response);
  return response;
}

void tell_incomplete(const RequestContext& context, http::ServerResponse& response) {
  std::string told;
  for (const std::string& problem : context.collection.index().unanswered())
    told += (told.empty() ? "" : "; ") + problem;
  cdxserver::tell_incomplete(response, told);
}

http::ServerResponse answer_captures(const RequestContext& context, const Address& address) {
  // A period without captures has a calendar, too, which leads to them.
  cdx::Query query = query_for(address.url, UINT64_MAX);
  const auto any = has_captures(context.collection.index(), query);
  if (!any) return cdxserver::refusal_of(any.error());
  const std::string posted = address_of_posted(context, address.url);
  if (!*any && posted.empty()) return answer_missing(context, address.url, address.modifier, {});
  if (address.is_exact) query.exact_url = cdx::normal_url(address.url);
  auto run = cdx::QueryRun::start(context.collection.index(), query, cdx::kServedHeld);
  if (!run) return cdxserver::refusal_of(run.error());
  CalendarQuestion question{context.collection.name(), address.url, address.from, address.to, address.is_exact};
  question.posted_address = posted;
  question.heading = context.collection.heading();
  question.title_of = [titles = std::make_shared<PageTitles>(context.collection)](const cdx::Capture& capture) {
    return titles->of(capture);
  };
  return own_body(context, 200, calendar_body(std::move(question), *std::move(run), context.writer));
}

http::ServerResponse answer_urls(const RequestContext& context, const Address& address) {
  Search search;
  search.form = {context.collection.name(),
                 address.url,
                 address.kind == Address::Kind::domain ? "domain" : "prefix",
                 address.from,
                 address.to.empty() ? address.from : address.to,
                 "",
                 ""};
  auto body = search_body({&context.collection}, std::move(search), context.writer);
  return body ? own_body(context, 200, *std::move(body)) : cdxserver::refusal_of(body.error());
}

http::ServerResponse answer_missing(const RequestContext& context, std::string_view url, Modifier modifier,
                                    Unshown unshown) {
  const pages::Writer& writer = context.writer;
  if (is_for_a_frame(context.request, modifier)) {
    const std::string words = unshown.is_for_now ? writer.text(unshown.title()) + ". " + writer.text("frame-see-others")
                                                 : writer.text("frame-missing");
    return alone_page(context, unshown.status(), asked_timestamp(context), url, words);
  }
  if (!is_read_by_a_person(context.request, modifier)) {
    std::string sentence(url);
    for (const std::string& problem : unshown.problems) sentence += "; a capture cannot be shown: " + problem;
    return own_page(unshown.status(), message_page(writer, writer.text(unshown.title()), sentence));
  }
  MissingView view;
  view.collection = context.collection.name();
  view.url = url;
  const int status = unshown.status();
  view.title = unshown.title();
  view.problems = std::move(unshown.problems);
  view.index_problems = context.collection.problems();
  return own_body(context, status, missing_body(context, std::move(view)));
}

}  // namespace caddis::replay
