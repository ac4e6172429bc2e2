// The answers of Memento (RFC 7089): TimeGates and TimeMaps.
#include <utility>

#include "caddis/cdxserver/query_answer.h"
#include "caddis/replay/blocked.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/negotiation.h"
#include "caddis/replay/request_context.h"
#include "caddis/replay/timemap.h"
#include "caddis/replay/wayback.h"

namespace caddis::replay {
namespace {

// Its text is made in one piece.
Error too_large() {
  return {
      ErrorCode::limit,
      "the TimeMap was larger than it may be (--size-limit): ask for its captures in parts, by from= and to= of cdx"};
}

}  // namespace

http::ServerResponse answer_timemap(const RequestContext& context, std::string_view rest) {
  const auto request = parse_timemap(rest);
  if (!request) return cdxserver::refusal_of(request.error());
  if (auto refused = refuse_blocked(context, request->url, "", Modifier::other)) return *std::move(refused);
  const auto captures = context.collection.index().captures_of(request->url);
  if (!captures) return cdxserver::refusal_of(captures.error());
  const cdxserver::AnswerLimits& limits = context.options.limits;
  const auto page = timemap_page(*captures, request->from, context.collection.clock(), limits.time);
  if (!page) return cdxserver::refusal_of_body(page.error());
  if (page->captures.empty()) return http::text_response(404, "no captures of " + request->url);
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(cdx::content_type_of(request->form))}};
  if (request->form != cdx::Output::link)
    response.headers.emplace_back("Link", timemap_links(*request, *page, context.memento));
  response.body = timemap_text(*request, *page, context.memento);
  if (limits.bytes > 0 && response.body.size() > limits.bytes) return cdxserver::refusal_of_body(too_large());
  cdxserver::tell_broken_lines(response, page->broken);
  tell_incomplete(context, response);
  return response;
}

http::ServerResponse answer_timegate(const RequestContext& context, std::string_view url, Modifier modifier) {
  const auto wanted = asked_datetime(context.request);
  if (!wanted) return cdxserver::refusal_of(wanted.error());
  if (auto refused = refuse_blocked(context, url, "", modifier)) return *std::move(refused);
  const auto captures = context.collection.index().captures_of(url);
  const auto nearest = captures ? captures->closest(*wanted, 1) : std::unexpected(captures.error());
  if (!nearest) return cdxserver::refusal_of(nearest.error());
  if (nearest->empty()) return answer_missing(context, url, modifier, {});
  const cdx::Capture& capture = nearest->front();
  const auto preference = preference_of(context.request);
  if (preference) modifier = preference->modifier;
  const auto around = captures->neighbours(capture.timestamp);
  http::ServerResponse response = redirect_to(
      302, context.prefix + capture.timestamp + std::string(to_string(modifier)) + '/' + header_url(capture.url));
  add_vary(response.headers, "accept-datetime");
  if (preference) {
    add_vary(response.headers, "prefer");
    response.headers.emplace_back("Preference-Applied", preference->name);
  }
  response.headers.emplace_back("Link", memento_links(context.memento, url, &capture, around ? &*around : nullptr));
  return response;
}

}  // namespace caddis::replay
