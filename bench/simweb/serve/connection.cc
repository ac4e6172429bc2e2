#include "simweb/serve/connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <utility>

namespace simweb {

using namespace std::chrono_literals;

namespace {

constexpr auto linger_time = 2s;

}  // namespace

Connection::Connection(Site& site, std::unique_ptr<Transport> transport, uint32_t address, bool tls, Gone gone)
    : site_(site),
      transport_(std::move(transport)),
      address_(address),
      gone_(std::move(gone)),
      last_active_(site.loop.now()),
      desk_(site, address, tls) {
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
  if ((events & EPOLLOUT) != 0 && http2_ && http2_->send() == Transport::State::closed) return close();
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
  if (moved.bytes > 0 && transport_->is_http2()) {
    go_on_as_http2();
    return phase_ == Phase::reading;
  }
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
    ++site_.recorder.odd().bad;
    refuse(parsed.status);
    return false;
  }
  // A form is answered when all of it has come.
  constexpr uint64_t kMostOfForm = 16 * 1024;
  const bool is_form = head.method == "POST" && head.body_size <= kMostOfForm;
  if (is_form && in_.size() < parsed.head_size + head.body_size) return false;
  const size_t taken = parsed.head_size + (is_form ? head.body_size : 0);
  skip_ = is_form ? 0 : head.body_size;
  keep_ = head.keep_alive;
  answer(head, std::string_view(in_).substr(parsed.head_size, taken - parsed.head_size));
  if (phase_ == Phase::gone) return false;
  // The views of `head` end here.
  if (taken == in_.size())
    in_.clear();
  else
    in_.erase(0, taken);
  begin_sending();
  return true;
}

void Connection::refuse(int status) {
  take(desk_.refusal(status));
  if (phase_ == Phase::reading) {
    in_.clear();
    begin_sending();
  }
}

void Connection::answer(const RequestHead& head, std::string_view body) {
  phase_ = Phase::sending;
  take(desk_.reply(head, body, false));
}

void Connection::take(Reply reply) {
  const Answer& answer = *reply.answer;
  asked_ = std::move(reply.asked);
  head_only_ = reply.head_only;
  keep_ = keep_ && !answer.close && (answer.transfer == Transfer::whole || answer.transfer == Transfer::drip);
  sending_.emplace(std::move(reply.answer), reply.limit, reply.again);
}

void Connection::go_on_as_http2() {
  if (!http2_) http2_ = Http2Session::create(site_, desk_, *transport_, [this] { close(); });
  const bool goes_on = http2_->receive(in_);
  in_.clear();
  if (!goes_on || http2_->send() == Transport::State::closed) close();
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
  desk_.ended(asked_, sending_->answer(), whole);
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
  http2_.reset();
  desk_.leave_host();
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
