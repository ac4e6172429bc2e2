// The users file of a running server, and of the commands that change it: read again when somebody else has changed it,
// replaced as a whole, and readable by its owner alone. If root changes it, it stays its owner's; a new one is for the
// owner of its folder.
//
// Any thread; `refresh` and `change` block.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "caddis/access/user_file.h"
#include "caddis/base/error.h"
#include "caddis/io/file_stamp.h"
#include "caddis/io/files.h"

namespace caddis::access {

class UserStore {
 public:
  UserStore(io::Files& files, std::string path) : files_(files), path_(std::move(path)) {}

  // The users as read last; never null.
  std::shared_ptr<const UserFile> users() const;
  // Reads the file if it has changed. A file that is not there has no users. After an error the former users stand.
  Result<void> refresh();
  // Reads the file, has `edit` change what it says, and writes it; only one process does so at a time. An error of
  // `edit` leaves the file as it is.
  Result<void> change(const std::function<Result<void>(UserFile&)>& edit);
  const std::string& path() const { return path_; }

 private:
  Result<UserFile> read() const;
  void put(UserFile users, const io::FileStamp& stamp);

  io::Files& files_;
  const std::string path_;
  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<const UserFile> users_ = std::make_shared<UserFile>();
  io::FileStamp stamp_;
  std::mutex changing_;
};

// Edits, each with words for people if they fail. The last admin stays one.
Result<void> add_user(UserFile& file, User user);
Result<void> remove_user(UserFile& file, std::string_view name);
Result<void> set_role(UserFile& file, std::string_view name, Role role);
// `keeps_digest`: also what HTTP Digest needs.
Result<void> set_password(UserFile& file, std::string_view name, std::string_view password, bool keeps_digest);
Result<void> remove_token(UserFile& file, std::string_view id);

struct NewToken {
  Token token;
  std::string secret;  // shown once
};
Result<NewToken> add_token(UserFile& file, std::string_view user, Role role, std::optional<WallTime> expires,
                           std::string_view purpose);
// As the file keeps it.
std::string token_hash(std::string_view secret);

// A user with that password. ErrorCode::config for a name or password that cannot be.
Result<User> make_user(std::string_view name, Role role, std::string_view password, bool keeps_digest);

}  // namespace caddis::access
