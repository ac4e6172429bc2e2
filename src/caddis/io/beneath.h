// Files and folders of the operating system that lie in folders which somebody has opened to others, and nothing outside
// of them, whatever links and races would lead elsewhere.
//
//   auto found = io::open_beneath(folders, "/srv/site/a.html");
//   if (found) found->read_at(0, buffer, size);
//
// A path is made real first (links and dots), held against the real path of the folder, and then walked from the folder
// on, name by name, without following a link: one that is put into the way meanwhile is refused.
//
// Any thread; all of it may wait for a disk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::io {

// A file or a folder, held open.
class FoundBeneath {
 public:
  // As the system tells them.
  struct Facts {
    bool is_folder = false;
    uint64_t size = 0;
    WallTime modified;
    int64_t changed = 0;  // nanoseconds since 1970: status or content

    bool operator==(const Facts&) const = default;
  };
  // One of the names in a folder.
  enum class Kind : uint8_t { file, folder, link, special };
  struct Name {
    Kind kind = Kind::file;
    uint64_t size = 0;
    WallTime modified;
  };

  FoundBeneath(FoundBeneath&& other) noexcept;
  FoundBeneath& operator=(FoundBeneath&&) = delete;
  FoundBeneath(const FoundBeneath&) = delete;
  FoundBeneath& operator=(const FoundBeneath&) = delete;
  ~FoundBeneath();

  // As it was when it was opened.
  const Facts& facts() const { return facts_; }
  // As it is now.
  Result<Facts> facts_now() const;
  // A file's bytes, up to `size` bytes; fewer only at the end, 0 behind it.
  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const;
  // The names in a folder as they are written, sorted by their bytes, without "." and "..". ErrorCode::limit if
  // there are more than `most`.
  Result<std::vector<std::string>> names(size_t most) const;
  // One of the names in a folder, which may be gone (ErrorCode::not_found). Links are not followed.
  Result<Name> look_at(const std::string& name) const;

 private:
  friend class BeneathWalk;
  FoundBeneath(int fd, Facts facts) : fd_(fd), facts_(facts) {}

  int fd_ = -1;
  Facts facts_;
};

// Opens `path`, which is absolute, if it lies in one of `folders`, absolute too. ErrorCode::config: it does not, or a
// link leads outside, or back into a folder above itself; unsupported: it is neither file nor folder (a device, a pipe,
// a socket), which is never opened; not_found; denied: this user may not read it; io: it may go well later.
Result<FoundBeneath> open_beneath(const std::vector<std::string>& folders, const std::string& path);

// Returns the folder that `path` lies in as both are written, the longest; nothing if there is none. Pure.
const std::string* folder_of(const std::vector<std::string>& folders, std::string_view path);

}  // namespace caddis::io
