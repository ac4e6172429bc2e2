// A text file that is written line by line, and has its name only when it is whole: until then it is `<path>.tmp`.
//
//   TRY(auto file, NewTextFile::create(files, path));
//   TRY_VOID(file.add("a line"));
//   TRY_VOID(file.finish());
//
// One thread. Memory: a megabyte, and the line at hand.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::io {

class NewTextFile {
 public:
  // ErrorCode::conflict if the path is taken. A `<path>.tmp` that is there is what an earlier process left, and goes.
  // `files` outlives the object.
  static Result<NewTextFile> create(Files& files, const std::string& path);
  NewTextFile(NewTextFile&&) noexcept = default;
  NewTextFile& operator=(NewTextFile&&) = delete;
  // Removes what was not sealed.
  ~NewTextFile();

  // `has_end`: false for a last line without a line end.
  Result<void> add(std::string_view line, bool has_end = true);
  // All of it is on disk, as `<path>.tmp`, which is the caller's from now on. Nothing is added any more.
  Result<void> seal();
  // The same, and it gets its name, durably. ErrorCode::conflict if the path was taken meanwhile.
  Result<void> finish();

 private:
  NewTextFile(Files& files, std::string path, std::unique_ptr<File> file);
  Result<void> flush();

  Files* files_;
  std::string path_, text_;
  std::unique_ptr<File> file_;  // until it is sealed
};

}  // namespace caddis::io
