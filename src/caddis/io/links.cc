#include "caddis/io/links.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

namespace caddis::io {

Result<void> make_link(const std::string& target, const std::string& path) {
  std::error_code error;
  const auto there = std::filesystem::symlink_status(path, error);
  if (std::filesystem::exists(there) && !std::filesystem::is_symlink(there))
    return fail(ErrorCode::conflict, path + " is there, and no link");
  const std::string made = path + ".new";
  (void)std::remove(made.c_str());
  if (::symlink(target.c_str(), made.c_str()) != 0) return fail_errno("cannot make the link " + path, errno);
  if (std::rename(made.c_str(), path.c_str()) != 0) return fail_errno("cannot make the link " + path, errno);
  return {};
}

Result<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> found(::realpath(path.c_str(), nullptr), std::free);
  if (!found) return fail_errno("cannot find " + path, errno);
  return std::string(found.get());
}

Result<void> remove_tree(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error) return fail_errno("cannot remove " + path, error.value());
  return {};
}

}  // namespace caddis::io
