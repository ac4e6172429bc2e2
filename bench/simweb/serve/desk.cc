#include "simweb/serve/desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "caddis/base/strings.h"
#include "simweb/world/doors.h"

namespace simweb {
namespace {

// Seconds, or -1 where the head has no such field.
int64_t retry_after(const Answer& answer) {
  if (answer.status != 429 && answer.status != 503) return -1;
  constexpr std::string_view field = "\r\nRetry-After: ";
  const size_t at = answer.head.find(field);
  if (at == std::string::npos) return -1;
  const std::string_view rest = std::string_view(answer.head).substr(at + field.size());
  return caddis::parse_int(rest.substr(0, rest.find('\r'))).value_or(-1);
}

uint64_t limit_of(const Answer& answer, bool head_only) {
  switch (answer.transfer) {
    case Transfer::drip:
      return 0;
    case Transfer::cut:
    case Transfer::reset:
    case Transfer::hang:
      return head_only ? 0 : answer.cut;
    default:
      return head_only ? 0 : std::numeric_limits<uint64_t>::max();
  }
}

}  // namespace

Reply Desk::refusal(int status) {
  Reply made;
  made.answer = site_.take_answer();
  Answer& answer = *made.answer;
  answer.status = status;
  answer.transfer = Transfer::whole;
  answer.close = true;
  answer.delay = 0;
  answer.body.clear();
  answer.body_size = 0;
  answer.head = fmt::format("HTTP/1.1 {} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status);
  return made;
}

bool Desk::turn_to_host(std::string_view name) {
  if (!host_name_.empty() && name == host_name_) return host_known_;
  leave_host();
  host_name_ = name;
  const auto named = site_.world.host_of(name);
  host_known_ = named.has_value();
  if (!host_known_) return false;
  named_ = *named;
  host_ = site_.world.host(named->id);
  if (!named_.wildcard) site_.recorder.serves(host_.id);
  return true;
}

void Desk::leave_host() {
  if (host_known_ && !named_.wildcard) site_.recorder.left(host_.id);
  host_known_ = false;
  host_name_.clear();
}

Reply Desk::reply(const RequestHead& head, std::string_view body, bool http2) {
  const bool is_post = head.method == "POST";
  if (head.method != "GET" && head.method != "HEAD" && !is_post) return refusal(405);
  if (!turn_to_host(head.host)) {
    ++site_.recorder.odd().unknown_host;
    return refusal(421);
  }
  PageRef page;  // unknown, unless asked by the host's own scheme
  if (host_.https == tls_) page = site_.world.route(host_, named_, path_of(head.target));
  if (is_post && page.kind != Kind::login_form) return refusal(405);
  Reply made;
  made.head_only = head.method == "HEAD";
  if (made.head_only)
    ++site_.recorder.odd().head;
  else
    made.asked = site_.recorder.asked(host_, named_, page, path_of(head.target), address_, site_.clock.steady());
  if (tls_ && speaks_http2(site_.world.settings(), host_.id)) site_.recorder.spoke(http2);

  std::optional<std::string> session;
  if (is_post) session = site_.sessions.begin(host_.id, body);
  const bool let_in = page.kind == Kind::login_form ? session.has_value() : lets_in(head, page);
  if (made.asked) made.asked->let_in = let_in;
  made.answer = site_.take_answer();
  site_.world.respond({.host = host_.id,
                       .page = page,
                       .attempt = made.asked ? made.asked->attempt : 0,
                       .window = site_.window(),
                       .accepts_gzip = head.accepts_gzip,
                       .http10 = head.http_1_0,
                       .http2 = http2,
                       .let_in = let_in,
                       .session = session ? std::string_view(*session) : std::string_view(),
                       .if_none_match = head.if_none_match},
                      *made.answer);
  made.limit = limit_of(*made.answer, made.head_only);
  made.again = made.answer->transfer == Transfer::endless;
  return made;
}

// Subdomains of traps have no doors: their names are not known to any cookie.
bool Desk::lets_in(const RequestHead& head, const PageRef& page) {
  const WebSettings& settings = site_.world.settings();
  if (named_.wildcard) return true;
  if (door_of(settings, host_.id, page.kind) == Door::form) return site_.sessions.shows(host_.id, head.cookie);
  return simweb::lets_in(settings, host_.id, page.kind, head.cookie, head.authorization);
}

void Desk::ended(const std::optional<Asked>& asked, const Answer& answer, bool whole) {
  if (asked) site_.recorder.answered(*asked, answer.status, whole, retry_after(answer), site_.clock.steady());
}

}  // namespace simweb
