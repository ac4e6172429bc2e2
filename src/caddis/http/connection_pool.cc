#include "caddis/http/connection_pool.h"

#include <algorithm>
#include <utility>

namespace caddis::http {
namespace {

// One that has something to say before it was asked is of no use, but for HTTP/2: there it may be a ping.
bool is_usable(const Connection& connection) {
  return connection.http2 ? !connection.stream->peer_left() : connection.stream->is_quiet();
}

}  // namespace

ConnectionPool::~ConnectionPool() {
  if (timer_) loop_.cancel(*timer_);
}

std::optional<Connection> ConnectionPool::take(const std::string& key) {
  const SteadyTime oldest = loop_.clock().steady() - limits_.max_idle_age;
  for (;;) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return std::nullopt;
    Connection connection = take(found);
    if (connection.idle_since >= oldest && is_usable(connection)) return connection;
  }
}

Connection ConnectionPool::take(ByKey::iterator idle) {
  Connection connection = std::move(*idle->second);
  idle_.erase(idle->second);
  by_key_.erase(idle);
  const auto there = idle_at_.find(connection.address);
  if (--there->second == 0) idle_at_.erase(there);
  return connection;
}

void ConnectionPool::drop(Idle::iterator idle) {
  const auto [from, to] = by_key_.equal_range(idle->key);
  take(std::find_if(from, to, [&](const auto& each) { return each.second == idle; }));
}

void ConnectionPool::keep(Connection connection) {
  if (limits_.max_idle == 0) return;
  connection.stream->set_deadline(SteadyTime::max());
  connection.idle_since = loop_.clock().steady();
  if (!make_room(connection.address)) return;
  ++idle_at_[connection.address];
  idle_.push_back(std::move(connection));
  by_key_.emplace(idle_.back().key, std::prev(idle_.end()));
  drop_old();
}

// Whether a further connection to that address may wait.
bool ConnectionPool::make_room(const std::string& address) {
  const SteadyTime too_long = loop_.clock().steady() - limits_.max_idle_age / 2;
  const auto there = address.empty() ? idle_at_.end() : idle_at_.find(address);
  const bool is_address_full = there != idle_at_.end() && there->second >= limits_.max_idle_per_address;
  if (!is_address_full && idle_.size() < limits_.max_idle) return true;
  const auto oldest = is_address_full ? std::ranges::find(idle_, address, &Connection::address) : idle_.begin();
  if (oldest->idle_since > too_long) return false;
  drop(oldest);
  return true;
}

// Closes those that have waited too long, and comes back for the next.
void ConnectionPool::drop_old() {
  const SteadyTime now = loop_.clock().steady();
  while (!idle_.empty() && idle_.front().idle_since + limits_.max_idle_age <= now) drop(idle_.begin());
  if (timer_ || idle_.empty()) return;
  timer_ = loop_.at(idle_.front().idle_since + limits_.max_idle_age, [this] {
    timer_.reset();
    drop_old();
  });
}

void ConnectionPool::clear() {
  by_key_.clear();
  idle_at_.clear();
  idle_.clear();
}

}  // namespace caddis::http
