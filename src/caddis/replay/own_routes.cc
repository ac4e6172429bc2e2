#include "caddis/replay/own_routes.h"

#include <algorithm>
#include <iterator>

#include "caddis/cdx/query.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/replay/calendar.h"
#include "caddis/replay/list_bodies.h"
#include "caddis/replay/search_page.h"
#include "caddis/replay/views.h"
#include "caddis/replay/wayback.h"

namespace caddis::replay {
namespace {

http::ServerResponse failed_page_of(const pages::Writer& writer, const Error& error) {
  const bool is_asked_wrong = error.code == ErrorCode::parse || error.code == ErrorCode::limit;
  const std::string title = writer.text(is_asked_wrong ? "title-asked-wrong" : "title-unreadable");
  return own_page(cdxserver::refusal_of(error).status, message_page(writer, title, error.message));
}

constexpr std::string_view kRoutes[] = {"search", "export", "info", "compare", "qa"};

http::ServerResponse answer_search(const RequestContext& context, std::string_view query_string) {
  auto search = parse_search(query_string, context.collection.name());
  if (!search) return failed_page(context, search.error());
  if (search->form.match == "exact" && search->form.status.empty() && search->form.type.empty())
    return answer_captures(context, {.kind = Address::Kind::captures,
                                     .timestamp = "",
                                     .from = search->form.from,
                                     .to = search->form.to,
                                     .is_exact = false,
                                     .modifier = Modifier::page,
                                     .url = search->form.url});
  auto body = search_body({&context.collection}, *std::move(search), context.writer);
  if (!body) return failed_page(context, body.error());
  http::ServerResponse response = own_page(200, std::string());
  const auto begun = begin_body(response, *std::move(body), {context.collection.clock(), context.options.limits});
  return begun ? std::move(response) : failed_body_page(context.writer, begun.error());
}

http::ServerResponse answer_export(const RequestContext& context, std::string_view query_string) {
  auto search = parse_search(query_string, context.collection.name());
  if (!search) return failed_page(context, search.error());
  auto response = export_results(context.collection, *search, FormValues(query_string).get("as"), context.writer,
                                 context.options.limits);
  return response ? *std::move(response) : failed_page(context, response.error());
}

}  // namespace

FormValues::FormValues(std::string_view query_string) : values_(cdx::parse_form(query_string)) {}

std::string_view FormValues::get(std::string_view name) const {
  for (const auto& [known, value] : values_)
    if (known == name) return value;
  return {};
}

bool is_own_route(std::string_view rest) {
  return std::ranges::find(kRoutes, rest.substr(0, rest.find('?'))) != std::end(kRoutes);
}

http::ServerResponse answer_own_route(const RequestContext& context, std::string_view rest) {
  const std::string_view name = rest.substr(0, rest.find('?'));
  const std::string_view query = rest.substr(std::min(name.size() + 1, rest.size()));
  if (name == "search") return answer_search(context, query);
  if (name == "export") return answer_export(context, query);
  if (name == "info") return answer_info(context, FormValues(query));
  if (name == "compare") return answer_compare(context, FormValues(query));
  return answer_qa(context, FormValues(query));
}

http::ServerResponse answer_search_everywhere(const pages::Writer& writer, const std::vector<Collection*>& collections,
                                              std::string_view query_string, const cdxserver::AnswerLimits& limits) {
  const auto fail_with = [&](const Error& error) { return failed_page_of(writer, error); };
  auto search = parse_search(query_string, "");
  if (!search) return fail_with(search.error());
  auto body = search_body(collections, *std::move(search), writer);
  if (!body) return fail_with(body.error());
  http::ServerResponse response = own_page(200, std::string());
  const auto begun = begin_body(response, *std::move(body), {collections.front()->clock(), limits});
  return begun ? std::move(response) : failed_body_page(writer, begun.error());
}

Result<std::optional<cdx::Capture>> capture_at(Collection& collection, std::string_view url,
                                               std::string_view timestamp) {
  TRY(const cdx::UrlCaptures captures, collection.index().captures_of(url));
  TRY(auto near, captures.closest(timestamp.empty() ? "99991231235959" : timestamp, 12));
  if (near.empty()) return std::optional<cdx::Capture>();
  const std::string wanted = cdx::normal_url(url);
  const auto rank = [&](const cdx::Capture& capture) {
    return std::pair(cdx::timestamp_distance(capture.timestamp, timestamp.empty() ? "99991231235959" : timestamp),
                     cdx::normal_url(capture.url) != wanted);
  };
  return std::optional(std::move(*std::ranges::min_element(near, {}, rank)));
}

http::ServerResponse failed_page(const RequestContext& context, const Error& error) {
  return failed_page_of(context.writer, error);
}

}  // namespace caddis::replay
