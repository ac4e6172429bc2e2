#include "caddis/access/user_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "caddis/access/secret.h"
#include "caddis/base/strings.h"
#include "caddis/io/change_lock.h"
#include "caddis/io/digest.h"
#include "caddis/io/file_owner.h"

namespace caddis::access {
namespace {

constexpr uint64_t kLargestFile = 16 << 20;
constexpr size_t kMostTokens = 10'000;

std::unexpected<Error> no_such_user(std::string_view name) {
  return fail(ErrorCode::not_found, fmt::format("there is no user '{}'", name));
}

User* find(UserFile& file, std::string_view name) {
  const auto found = std::ranges::find(file.users, name, &User::name);
  return found == file.users.end() ? nullptr : &*found;
}

bool is_last_admin(const UserFile& file, const User& user) {
  return user.role == Role::admin && std::ranges::count(file.users, Role::admin, &User::role) == 1;
}

}  // namespace

std::shared_ptr<const UserFile> UserStore::users() const {
  const std::scoped_lock lock(mutex_);
  return users_;
}

Result<UserFile> UserStore::read() const {
  if (!files_.exists(path_)) return UserFile();
  TRY(const std::string text, files_.read_all(path_, kLargestFile));
  auto parsed = UserFile::parse(text);
  if (!parsed) return pass(std::move(parsed).error(), path_);
  return parsed;
}

void UserStore::put(UserFile users, const io::FileStamp& stamp) {
  auto made = std::make_shared<const UserFile>(std::move(users));
  const std::scoped_lock lock(mutex_);
  users_ = std::move(made);
  stamp_ = stamp;
}

Result<void> UserStore::refresh() {
  io::FileStamp now;
  if (files_.exists(path_)) {
    TRY(now, io::stamp_of(files_, path_));
  }
  {
    const std::scoped_lock lock(mutex_);
    if (now == stamp_) return {};
  }
  TRY(UserFile read_users, read());
  put(std::move(read_users), now);
  return {};
}

Result<void> UserStore::change(const std::function<Result<void>(UserFile&)>& edit) {
  const std::scoped_lock changing(changing_);
  TRY_VOID(files_.make_dirs(io::parent_path(path_)));
  TRY_VOID(io::make_for_owner_of(files_, path_, path_ + ".lock"));
  TRY(const auto held, io::lock_for_change(files_, path_, path_ + ".lock", "a change of the users"));
  TRY(UserFile changed, read());
  TRY_VOID(edit(changed));
  const std::string temporary = path_ + ".tmp";  // of write_atomically_private
  if (files_.exists(temporary)) TRY_VOID(files_.remove(temporary));
  TRY_VOID(io::make_for_owner_of(files_, path_, temporary));
  TRY_VOID(files_.write_atomically_private(path_, changed.to_text()));
  TRY(const io::FileStamp stamp, io::stamp_of(files_, path_));
  put(std::move(changed), stamp);
  return {};
}

Result<User> make_user(std::string_view name, Role role, std::string_view password, bool keeps_digest) {
  if (!is_user_name(name))
    return fail(ErrorCode::config, fmt::format("'{}' is no name: 1 to 64 letters, digits and . _ @ -, beginning with a "
                                               "letter or digit",
                                               name));
  TRY_VOID(check_strength(password));
  User made{.name = std::string(name), .role = role, .password = hash_password(password), .digest = {}};
  if (keeps_digest) made.digest = digest_secrets(name, password);
  return made;
}

Result<void> add_user(UserFile& file, User user) {
  if (file.find_user(user.name) != nullptr)
    return fail(ErrorCode::conflict, fmt::format("there is a user '{}' already", user.name));
  file.users.push_back(std::move(user));
  return {};
}

Result<void> remove_user(UserFile& file, std::string_view name) {
  const User* const user = file.find_user(name);
  if (user == nullptr) return no_such_user(name);
  if (is_last_admin(file, *user))
    return fail(ErrorCode::conflict, fmt::format("'{}' is the last admin: make another one first", name));
  const std::string removed(name);  // `name` may be that of the user
  std::erase_if(file.tokens, [&](const Token& token) { return token.user == removed; });
  std::erase_if(file.users, [&](const User& one) { return one.name == removed; });
  return {};
}

Result<void> set_role(UserFile& file, std::string_view name, Role role) {
  User* const user = find(file, name);
  if (user == nullptr) return no_such_user(name);
  if (role != Role::admin && is_last_admin(file, *user))
    return fail(ErrorCode::conflict, fmt::format("'{}' is the last admin: make another one first", name));
  user->role = role;
  return {};
}

Result<void> set_password(UserFile& file, std::string_view name, std::string_view password, bool keeps_digest) {
  User* const user = find(file, name);
  if (user == nullptr) return no_such_user(name);
  TRY(User made, make_user(name, user->role, password, keeps_digest));
  *user = std::move(made);
  return {};
}

Result<void> remove_token(UserFile& file, std::string_view id) {
  if (file.find_token(id) == nullptr) return fail(ErrorCode::not_found, fmt::format("there is no token '{}'", id));
  std::erase_if(file.tokens, [&](const Token& token) { return token.id == id; });
  return {};
}

Result<NewToken> add_token(UserFile& file, std::string_view user, Role role, std::optional<WallTime> expires,
                           std::string_view purpose) {
  const User* const owner = file.find_user(user);
  if (owner == nullptr) return no_such_user(user);
  if (role > owner->role)
    return fail(ErrorCode::config, fmt::format("a token of '{}' can be at most {}", user, to_string(owner->role)));
  if (!is_purpose(purpose))
    return fail(ErrorCode::config, "the purpose of a token has at most 200 bytes, and no control characters");
  if (file.tokens.size() >= kMostTokens) return fail(ErrorCode::limit, "there are too many tokens: remove some");
  NewToken made;
  made.secret = new_secret();
  if (expires) expires = std::chrono::floor<std::chrono::seconds>(*expires);
  made.token = {.id = new_secret().substr(0, 12),
                .user = std::string(user),
                .role = role,
                .expires = expires,
                .hash = token_hash(made.secret),
                .purpose = std::string(purpose)};
  file.tokens.push_back(made.token);
  return made;
}

std::string token_hash(std::string_view secret) { return to_hex(io::sha256(secret)); }

}  // namespace caddis::access
