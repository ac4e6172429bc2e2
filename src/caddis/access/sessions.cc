#include "caddis/access/sessions.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "caddis/access/secret.h"
#include "caddis/io/digest.h"

namespace caddis::access {
namespace {

constexpr Duration kIdle = std::chrono::hours(12), kLongest = std::chrono::days(7);
constexpr size_t kMostOfUser = 20, kMost = 2000;

bool has_ended(const Sessions::Session& session, SteadyTime now) {
  return now - session.used > kIdle || now - session.began > kLongest;
}

}  // namespace

std::string Sessions::begin(std::string user, std::string stamp, SteadyTime now) {
  make_room(user, now);
  std::string secret = new_secret();
  sessions_.emplace(
      io::sha256(secret),
      Session{.user = std::move(user), .stamp = std::move(stamp), .csrf = new_secret(), .began = now, .used = now});
  return secret;
}

void Sessions::make_room(std::string_view user, SteadyTime now) {
  std::erase_if(sessions_, [&](const auto& row) { return has_ended(row.second, now); });
  const auto end_oldest = [&](bool is_of_user) {
    auto oldest = sessions_.end();
    for (auto row = sessions_.begin(); row != sessions_.end(); ++row) {
      if (is_of_user && row->second.user != user) continue;
      if (oldest == sessions_.end() || row->second.used < oldest->second.used) oldest = row;
    }
    if (oldest != sessions_.end()) sessions_.erase(oldest);
  };
  const auto count = std::ranges::count_if(sessions_, [&](const auto& row) { return row.second.user == user; });
  if (static_cast<size_t>(count) >= kMostOfUser) end_oldest(true);
  if (sessions_.size() >= kMost) end_oldest(false);
}

const Sessions::Session* Sessions::find(std::string_view secret, SteadyTime now) {
  const auto found = sessions_.find(io::sha256(secret));
  if (found == sessions_.end()) return nullptr;
  if (has_ended(found->second, now)) {
    sessions_.erase(found);
    return nullptr;
  }
  found->second.used = now;
  return &found->second;
}

void Sessions::end(std::string_view secret) { sessions_.erase(io::sha256(secret)); }

}  // namespace caddis::access
