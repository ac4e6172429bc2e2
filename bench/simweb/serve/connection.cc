#include "simweb/serve/connection.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <limits>

#include "caddis/base/strings.h"
#include "simweb/world/doors.h"

namespace simweb {

using namespace std::chrono_literals;

namespace {

constexpr auto linger_time = 2s;

// Seconds, or -1 where the head has no such field.
int64_t retry_after(const Answer& answer) {
  if (answer.status != 429 && answer.status != 503) return -1;
  constexpr std::string_view field = "\r\nRetry-After: ";
  const size_t at = answer.head.find(field);
  if (at == std::string::npos) return -1;
  const std::string_view rest = std::string_view(answer.head).substr(at + field.size());
  return caddis::parse_int(rest.substr(0, rest.find('\r'))).value_or(-1);
}

}  // namespace

Connection::Connection(Site& site, std::unique_ptr<Transport> transport, uint32_t address, bool tls, Gone gone)
    : site_(site),
      transport_(std::move(transport)),
      address_(address),
      tls_(tls),
      gone_(std::move(gone)),
      last_active_(site.loop.now()) {
  site_.recorder.connected(address_);
  idle_timer_ = site_.loop.call_at(last_active_ + site_.idle_timeout, [this] { check_idle(); });
}

Connection::~Connection() {
  if (phase_ == Phase::gone) return;
  site_.loop.cancel(timer_);
  site_.loop.cancel(idle_timer_);
}

void Connection::ready(uint32_t events) {
  last_active_ = site_.loop.now();
  if ((events & (EPOLLHUP | EPOLLERR)) != 0) return close();
  if ((events & (EPOLLIN | EPOLLRDHUP)) != 0) readable_ = true;
  if ((events & EPOLLRDHUP) != 0) half_closed_ = true;
  if ((events & EPOLLOUT) != 0 && phase_ == Phase::sending) send();
  go_on();
  // Who ends his side while he is being answered has gone: no crawler half-closes.
  if (half_closed_ && phase_ != Phase::reading && phase_ != Phase::gone) close();
}

void Connection::go_on() {
  while (phase_ == Phase::reading) {
    if (take_request()) continue;
    if (phase_ != Phase::reading || !readable_ || !read_more()) break;
  }
  if (phase_ == Phase::lingering)
    while (phase_ == Phase::lingering && readable_ && read_more()) in_.clear();
}

bool Connection::read_more() {
  std::array<char, 16 * 1024> bytes;
  const Transport::Moved moved = transport_->read(bytes);
  if (moved.state == Transport::State::closed) {
    close();
    return false;
  }
  readable_ = moved.state == Transport::State::ok && moved.more;
  in_.append(bytes.data(), moved.bytes);
  return moved.bytes > 0;
}

bool Connection::take_request() {
  if (skip_ > 0) {
    const size_t part = std::min<uint64_t>(skip_, in_.size());
    in_.erase(0, part);
    skip_ -= part;
  }
  if (in_.empty()) return false;
  RequestHead head;
  const ParsedRequest parsed = parse_request(in_, searched_, head);
  if (parsed.state == ParsedRequest::State::incomplete) {
    searched_ = in_.size();
    return false;
  }
  searched_ = 0;
  if (parsed.state == ParsedRequest::State::bad) {
    site_.recorder.bad_request();
    refuse(parsed.status);
    return false;
  }
  skip_ = head.body_size;
  keep_ = head.keep_alive;
  answer(head);
  if (phase_ == Phase::gone) return false;
  // The views of `head` end here.
  if (parsed.head_size == in_.size())
    in_.clear();
  else
    in_.erase(0, parsed.head_size);
  begin_sending();
  return true;
}

// Answers that are none of the web's pages, and the last ones on their connection.
void Connection::refuse(int status) {
  auto answer = site_.take_answer();
  answer->status = status;
  answer->transfer = Transfer::whole;
  answer->close = true;
  answer->delay = 0;
  answer->body.clear();
  answer->body_size = 0;
  answer->head = fmt::format("HTTP/1.1 {} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status);
  keep_ = false;
  sending_.emplace(std::move(answer), 0, false);
  if (phase_ == Phase::reading) {
    in_.clear();
    begin_sending();
  }
}

bool Connection::turn_to_host(std::string_view name) {
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

void Connection::leave_host() {
  if (host_known_ && !named_.wildcard) site_.recorder.left(host_.id);
}

void Connection::answer(const RequestHead& head) {
  phase_ = Phase::sending;
  if (head.method != "GET" && head.method != "HEAD") return refuse(405);
  if (!turn_to_host(head.host)) {
    site_.recorder.unknown_host();
    return refuse(421);
  }
  PageRef page;  // unknown, unless asked by the host's own scheme
  if (host_.https == tls_) page = site_.world.route(host_, named_, path_of(head.target));
  head_only_ = head.method == "HEAD";
  if (head_only_)
    site_.recorder.head_asked();
  else
    asked_ = site_.recorder.asked(host_, named_, page, path_of(head.target), address_, site_.clock.steady());

  const bool let_in = lets_in(head, page);
  if (asked_) asked_->let_in = let_in;
  auto answer = site_.take_answer();
  site_.world.respond({.host = host_.id,
                       .page = page,
                       .attempt = asked_ ? asked_->attempt : 0,
                       .window = site_.window(),
                       .accepts_gzip = head.accepts_gzip,
                       .http10 = head.http_1_0,
                       .let_in = let_in,
                       .if_none_match = head.if_none_match},
                      *answer);
  keep_ = keep_ && !answer->close && (answer->transfer == Transfer::whole || answer->transfer == Transfer::drip);
  uint64_t limit = std::numeric_limits<uint64_t>::max();
  if (head_only_ || answer->transfer == Transfer::drip) limit = 0;
  if (answer->transfer == Transfer::cut || answer->transfer == Transfer::reset || answer->transfer == Transfer::hang)
    limit = std::min(limit, answer->cut);
  const bool again = answer->transfer == Transfer::endless;
  sending_.emplace(std::move(answer), limit, again);
}

// Subdomains of traps have no doors: their names are not known to any cookie.
bool Connection::lets_in(const RequestHead& head, const PageRef& page) const {
  return named_.wildcard ||
         simweb::lets_in(site_.world.settings(), host_.id, page.kind, head.cookie, head.authorization);
}

void Connection::begin_sending() {
  if (const uint32_t delay = sending_->answer().delay; delay > 0) {
    phase_ = Phase::delayed;
    return set_timer(std::chrono::milliseconds(delay), &Connection::send);
  }
  send();
}

void Connection::send() {
  phase_ = Phase::sending;
  Transport::State state = sending_->send(*transport_);
  if (state == Transport::State::ok) state = transport_->flush();
  if (state == Transport::State::closed) return close();
  last_active_ = site_.loop.now();
  if (state == Transport::State::blocked) return;
  if (sending_->done()) return after_sending();
  // Others have their turn before it goes on; a timer due now would run in the same batch.
  set_timer(1ns, &Connection::send);
}

void Connection::after_sending() {
  switch (head_only_ ? Transfer::whole : sending_->answer().transfer) {
    case Transfer::whole:
    case Transfer::endless:
      end_answer(true);
      if (!keep_) return end_connection();
      phase_ = Phase::reading;
      return;
    case Transfer::cut:
      end_answer(false);
      return end_connection();
    case Transfer::reset:
      return close(true);
    case Transfer::hang:
      phase_ = Phase::silent;
      return;
    case Transfer::drip:
      phase_ = Phase::dripping;
      return set_timer(std::chrono::milliseconds(sending_->answer().drip_interval), &Connection::drip);
  }
}

void Connection::drip() {
  if (sending_->allow(sending_->answer().drip_bytes)) return send();
  end_answer(true);
  if (!keep_) return end_connection();
  phase_ = Phase::reading;
  go_on();
}

void Connection::end_answer(bool whole) {
  if (asked_) {
    const Answer& answer = sending_->answer();
    site_.recorder.answered(*asked_, answer.status, whole, retry_after(answer), site_.clock.steady());
  }
  asked_.reset();
  head_only_ = false;
  site_.give_back(sending_->release());
  sending_.reset();
}

void Connection::end_connection() {
  transport_->finish();
  if (in_.empty() && !readable_) return close();
  // Closing with bytes unread would reset the connection, and the client might lose the answer.
  phase_ = Phase::lingering;
  shutdown(transport_->fd(), SHUT_WR);
  in_.clear();
  set_timer(linger_time, &Connection::check_idle);
}

void Connection::close(bool reset) {
  if (phase_ == Phase::gone) return;
  if (sending_) end_answer(false);
  leave_host();
  site_.recorder.disconnected(address_);
  site_.loop.cancel(timer_);
  site_.loop.cancel(idle_timer_);
  if (reset) transport_->reset_on_close();
  phase_ = Phase::gone;
  transport_.reset();
  gone_(*this);
}

void Connection::set_timer(caddis::Duration delay, void (Connection::*work)()) {
  timer_ = site_.loop.call_at(site_.loop.now() + delay, [this, work] {
    (this->*work)();
    go_on();
  });
}

void Connection::check_idle() {
  if (phase_ == Phase::lingering) return close();
  const bool idle = site_.loop.now() - last_active_ >= site_.idle_timeout;
  if (phase_ == Phase::reading && idle) return close();
  idle_timer_ =
      site_.loop.call_at((idle ? site_.loop.now() : last_active_) + site_.idle_timeout, [this] { check_idle(); });
}

}  // namespace simweb
