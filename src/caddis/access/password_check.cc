#include "caddis/access/password_check.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <utility>

#include "caddis/access/secret.h"
#include "caddis/io/digest.h"

namespace caddis::access {
namespace {

constexpr size_t kMostAtOnce = 8;
constexpr size_t kMostRemembered = 256;
constexpr Duration kRemembered = std::chrono::minutes(5);

// Somebody whose password nobody knows.
const PasswordHash& nobody() {
  static const PasswordHash hash{.salt = std::string(16, '\0'), .key = std::string(32, '\0')};
  return hash;
}

}  // namespace

PasswordCheck::PasswordCheck(aio::Loop& loop, aio::Blocking& workers)
    : loop_(loop), workers_(workers), key_(new_secret()) {}

aio::Task<PasswordCheck::Outcome> PasswordCheck::check(std::shared_ptr<const UserFile> users, std::string name,
                                                       std::string password) {
  const User* const user = users->find_user(name);
  const PasswordHash& hash = user == nullptr ? nobody() : user->password;
  // Another password has another salt, so what is remembered of the former is of no use any more.
  const std::string digest =
      io::sha256(fmt::format("{}{}{}{}", key_, io::sha256(name), io::sha256(hash.salt), io::sha256(password)));
  const SteadyTime now = loop_.clock().steady();
  if (const auto found = right_.find(digest); found != right_.end() && found->second > now) co_return Outcome::right;
  if (running_ >= kMostAtOnce) co_return Outcome::busy;
  ++running_;
  bool is_right = false;
  std::function<void()> work = [&] { is_right = is_password(hash, password); };
  co_await workers_.run(loop_, std::move(work));
  --running_;
  if (user == nullptr || !is_right) co_return Outcome::wrong;
  if (right_.size() >= kMostRemembered) right_.clear();
  right_[digest] = loop_.clock().steady() + kRemembered;
  co_return Outcome::right;
}

}  // namespace caddis::access
