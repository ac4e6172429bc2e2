// Heads, and everything that answers do wrong.
#include <fmt/format.h>

#include <cmath>

#include "simweb/world/bodies.h"
#include "simweb/world/doors.h"
#include "simweb/world/hash.h"
#include "simweb/world/links.h"
#include "simweb/world/names.h"
#include "simweb/world/plan.h"
#include "simweb/world/world.h"

namespace simweb {
namespace {

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 401:
      return "Unauthorized";
    case 307:
      return "Temporary Redirect";
    case 308:
      return "Permanent Redirect";
    case 404:
      return "Not Found";
    case 429:
      return "Too Many Requests";
    case 500:
      return "Internal Server Error";
    default:
      return "Service Unavailable";
  }
}

constexpr char kGarbage[] = "\x16\x03\x01\0garbage\xff\xfe and no HTTP\r\n\r\n";  // with a NUL in it

class Responder {
 public:
  Responder(const World& world, const Request& request, Answer& answer)
      : world_(world),
        settings_(world.settings()),
        request_(request),
        answer_(answer),
        host_(world.host(request.host)),
        source_{world, host_, request.page, request.window},
        chance_(draw(settings_.seed, Salt::transfer, request.host, request.page.number)) {}

  void respond(bool framed) {
    clear();
    answer_.status = status();
    if (framed && not_modified()) return;
    write_body();
    if (!framed) return expose(answer_, answer_.parts);
    choose_transfer();
    write_head();
    if (answer_.chunked) frame_chunks(answer_);
    expose(answer_, answer_.chunked ? answer_.framed : answer_.parts);
    misbehave();
  }

 private:
  void clear() {
    answer_.transfer = Transfer::whole;
    answer_.close = answer_.gzip = answer_.chunked = false;
    answer_.cut = answer_.declared = 0;
    answer_.drip_bytes = answer_.drip_interval = 0;
    answer_.head.clear();
    answer_.text.clear();
    answer_.parts.clear();
    answer_.body.clear();
    answer_.body_size = 0;
    answer_.delay = delay();
  }

  uint32_t delay() const {
    if (host_.reach != Reach::slow) return 0;
    constexpr double kSigma = 0.8;
    const double z = normal(draw(settings_.seed, Salt::delay, host_.id, request_.page.number ^ request_.attempt << 20));
    return static_cast<uint32_t>(settings_.slow_delay * std::exp(kSigma * z - kSigma * kSigma / 2));
  }

  // The form is shown in place of a page, or as its own.
  bool is_form() const {
    if (request_.page.kind == Kind::login_form) return !request_.let_in;
    return !request_.let_in && door() == Door::form && shows_form(settings_, host_.id);
  }

  int status() const {
    const PageRef& page = request_.page;
    if (is_form()) return 200;
    if (!request_.let_in) return door_status(settings_, host_.id, door());
    switch (page.kind) {
      case Kind::redirect:
      case Kind::redirect_host:
      case Kind::redirect_chain:
      case Kind::redirect_loop:
      case Kind::chain_step:
      case Kind::loop_step: {
        constexpr int kStatuses[] = {301, 302, 301, 302, 303, 307, 308, 302};
        return kStatuses[chance_ >> 40 & 7];
      }
      case Kind::login_form:
        return 303;
      case Kind::not_found:
      case Kind::unknown:
        return 404;
      case Kind::server_error:
        return 500;
      case Kind::too_many:
        return request_.attempt < world_.refusals(host_, page) ? 429 : 200;
      case Kind::unavailable:
        return request_.attempt < world_.refusals(host_, page) ? 503 : 200;
      case Kind::favicon:
        return host_.id % 2 == 0 ? 200 : 404;
      case Kind::robots:
        return robots_status();
      default:
        return 200;
    }
  }

  int robots_status() const {
    switch (host_.robots) {
      case Robots::none:
        return 404;
      case Robots::unavailable:
        return 503;
      case Robots::retry:
        return request_.attempt < world_.refusals(host_, request_.page) ? 503 : 200;
      case Robots::redirect:
        return 302;
      default:
        return 200;
    }
  }

  bool has_etag() const {
    return answer_.status == 200 && !is_form() && is_numbered(request_.page.kind) && request_.page.kind <= Kind::feed;
  }

  void append_etag(std::string& out) const {
    const Content content = content_of(world_, host_, request_.page);
    const bool changes = request_.page.kind == Kind::feed;
    const uint64_t window = changes ? static_cast<uint64_t>(request_.window) : 0;
    out += "\"";
    append_base36(out, draw(token_of(world_, host_, content.number) ^ window, Salt::etag, host_.id, content.number));
    // A coding is another representation (RFC 9110, 8.8.3.3).
    out += gzip_wanted() ? "-gz\"" : "\"";
  }

  bool not_modified() {
    if (request_.if_none_match.empty() || !request_.let_in || !has_etag()) return false;
    std::string tag;
    append_etag(tag);
    if (request_.if_none_match.find(tag) == std::string_view::npos) return false;
    answer_.status = 304;
    answer_.head = "HTTP/1.1 304 Not Modified\r\nETag: " + tag + "\r\n\r\n";
    return true;
  }

  bool gzip_wanted() const {
    const PageRef& page = request_.page;
    if (!request_.accepts_gzip || is_form()) return false;
    if (page.kind == Kind::gzip_bomb) return true;
    // What misbehaves below says it plainly, so that the bytes of a broken answer can be compared.
    if (page.kind >= Kind::length_long && page.kind != Kind::charset_conflict) return false;
    if (!is_numbered(page.kind) || !format_of(source_).text) return false;
    const Content content = content_of(world_, host_, page);
    return unit(draw(settings_.seed, Salt::content, host_.id, content.number << 1 ^ uint64_t{1} << 63)) <
           settings_.gzip;
  }

  void write_body() {
    const int status = answer_.status;
    answer_.gzip = status == 200 && gzip_wanted();
    EntityWriter out(answer_, answer_.gzip);
    if (is_form())
      write_form(source_, out);
    else if (status == 200)
      write_entity(source_, out);
    else
      write_note(reason_phrase(status), out);
    out.finish();
  }

  bool may_be_framed_freely() const {
    const Kind kind = request_.page.kind;
    return kind < Kind::length_long || kind == Kind::truncated || kind == Kind::reset || kind == Kind::hang ||
           kind == Kind::charset_conflict;
  }

  void choose_transfer() {
    const uint64_t x = next_draw(chance_);
    answer_.chunked = !request_.http10 && !request_.http2 && !is_form() && answer_.status == 200 &&
                      may_be_framed_freely() && unit(x) < settings_.chunked;
    answer_.close = request_.http10 || (settings_.close > 0 && unit(next_draw(x)) < settings_.close);
    if (request_.page.kind == Kind::endless && request_.let_in) answer_.close = true;
    if (request_.http2) answer_.close = false;
  }

  Door door() const { return door_of(settings_, host_.id, request_.page.kind); }

  // For those who stand before a closed door.
  void append_door(std::string& head) const {
    if (door() == Door::login) {
      head += "WWW-Authenticate: Basic realm=\"simweb\"\r\n";
      return;
    }
    if (door() == Door::form) {
      if (!is_form()) head += fmt::format("Location: {}\r\n", kFormTarget);
      return;
    }
    head += "Set-Cookie: " + door_cookie(settings_, host_.id) + "; Path=/\r\nLocation: ";
    World::append_target(head, request_.page);
    head += "\r\n";
  }

  // For those who have filled in the form.
  void append_session(std::string& head) const {
    if (!request_.session.empty()) head += fmt::format("Set-Cookie: {}; Path=/; HttpOnly\r\n", request_.session);
    head += fmt::format("Location: {}\r\n", kWelcomeTarget);
  }

  void append_location(std::string& head) const {
    head += "Location: ";
    if (request_.page.kind == Kind::robots) {
      World::append_target(head, {Kind::robots_target});
    } else {
      const Target target = redirect_target(world_, host_, request_.page);
      if (target.outside || (target.chance & 1) != 0)
        append_absolute(head, world_, target.host, target.https, target.page);
      else
        World::append_target(head, target.page);
    }
    head += "\r\n";
  }

  uint64_t declared_length() const {
    const uint64_t size = size_of(answer_.parts);
    if (!request_.let_in) return size;
    if (request_.page.kind == Kind::length_long) return size + 1000 + chance_ % 5000;
    if (request_.page.kind == Kind::length_short) return size - size / 3;
    return size;
  }

  void write_head() {
    std::string& head = answer_.head;
    const int status = answer_.status;
    head += "HTTP/1.1 ";
    append_decimal(head, static_cast<uint64_t>(status));
    head += ' ';
    head += reason_phrase(status);
    head += "\r\nServer: simweb\r\nContent-Type: ";
    head += status == 200 && !is_form() ? format_of(source_).type : "text/html; charset=utf-8";
    head += "\r\nX-Frame-Options: SAMEORIGIN\r\n";
    if (is_form()) head += "Cache-Control: no-store\r\n";
    if (status == 200 && !is_form()) head += "Cache-Control: max-age=600\r\nVary: Accept-Encoding\r\n";
    if (!request_.let_in && request_.page.kind != Kind::login_form)
      append_door(head);
    else if (request_.page.kind == Kind::login_form && request_.let_in)
      append_session(head);
    else if (status >= 300 && status < 400)
      append_location(head);
    if (status == 429 || status == 503) {
      head += "Retry-After: ";
      append_decimal(head, settings_.retry_after);
      head += "\r\n";
    }
    if (has_etag()) {
      head += "ETag: ";
      append_etag(head);
      head += "\r\n";
    }
    if (request_.page.kind == Kind::feed && !is_form()) {
      head += "X-Window: ";
      append_decimal(head, static_cast<uint64_t>(request_.window));
      head += "\r\n";
    }
    if (answer_.gzip) head += "Content-Encoding: gzip\r\n";
    if (answer_.chunked) {
      head += "Transfer-Encoding: chunked\r\n";
    } else if (request_.page.kind != Kind::endless || !request_.let_in) {
      answer_.declared = declared_length();
      head += "Content-Length: ";
      append_decimal(head, answer_.declared);
      head += "\r\n";
    }
    head += answer_.close ? "Connection: close\r\n\r\n" : "\r\n";
  }

  void break_off(Transfer how) {
    answer_.transfer = how;
    answer_.cut = answer_.body_size / 2;
    answer_.close = true;
  }

  void misbehave() {
    if (answer_.status != 200 || is_form()) return;
    switch (request_.page.kind) {
      case Kind::length_long:
        return break_whole();
      case Kind::length_short:
        answer_.close = true;
        return;
      case Kind::truncated:
        return break_off(Transfer::cut);
      case Kind::reset:
        return break_off(Transfer::reset);
      case Kind::hang:
        break_off(Transfer::hang);
        if (chance_ % 2 == 0) {
          answer_.head.clear();
          answer_.cut = 0;
        }
        return;
      case Kind::drip:
        answer_.transfer = Transfer::drip;
        answer_.drip_bytes = static_cast<uint32_t>(answer_.body_size / 20 + 1);
        answer_.drip_interval = static_cast<uint32_t>(settings_.drip_interval);
        return;
      case Kind::endless:
        answer_.transfer = Transfer::endless;
        return;
      case Kind::bad_head:
        return spoil_head();
      case Kind::huge_head:
        return swell_head();
      default:
        return;
    }
  }

  // All of the body comes, and then the end, where the head promised more.
  void break_whole() {
    break_off(Transfer::cut);
    answer_.cut = answer_.body_size;
  }

  void spoil_head() {
    answer_.close = true;
    switch (chance_ % 3) {
      case 0:
        answer_.head.assign(kGarbage, sizeof kGarbage - 1);
        return;
      case 1:
        answer_.head.insert(answer_.head.find("Server:"), "this line has no colon\r\n: no name\r\nX Y: blank\r\n");
        return;
      default:
        answer_.head.replace(0, sizeof "HTTP/1.1 200 OK" - 1, "HTTP/1.1 OK");
    }
  }

  void swell_head() {
    std::string fields;
    for (int i = 0; i < 50; ++i) {
      fields += "X-Field-";
      append_decimal(fields, static_cast<uint64_t>(i));
      fields += ": ";
      fields.append(4000, 'x');
      fields += "\r\n";
    }
    answer_.head.insert(answer_.head.find("Server:"), fields);
  }

  const World& world_;
  const WebSettings& settings_;
  const Request& request_;
  Answer& answer_;
  const HostFacts host_;
  const Source source_;
  const uint64_t chance_;
};

}  // namespace

void World::respond(const Request& request, Answer& answer) const { Responder(*this, request, answer).respond(true); }
void World::entity(const Request& request, Answer& answer) const { Responder(*this, request, answer).respond(false); }

}  // namespace simweb
