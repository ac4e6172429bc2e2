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

Result<std::string> written_path(Files& files, const std::string& path) {
  std::error_code error;
  if (&files != &real_files() || !std::filesystem::is_symlink(path, error)) return path;
  auto real = real_path(path);
  if (!real && real.error().code == ErrorCode::not_found)
    return fail(ErrorCode::config, path + " is a link to " + std::filesystem::read_symlink(path, error).string() +
                                       ", where no file is: mount its disk, make the file, or remove the link");
  return real;
}

Result<void> remove_tree(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error) return fail_errno("cannot remove " + path, error.value());
  return {};
}

}  // namespace caddis::io
