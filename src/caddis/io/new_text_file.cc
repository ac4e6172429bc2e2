#include "caddis/io/new_text_file.h"

#include <cstddef>
#include <utility>

namespace caddis::io {
namespace {

constexpr size_t kBuffer = 1 << 20;

std::string unfinished(const std::string& path) { return path + ".tmp"; }

}  // namespace

NewTextFile::NewTextFile(Files& files, std::string path, std::unique_ptr<File> file)
    : files_(&files), path_(std::move(path)), file_(std::move(file)) {}

NewTextFile::~NewTextFile() {
  if (!file_) return;
  file_.reset();
  (void)files_->remove(unfinished(path_));  // the next one who creates it tries again
}

Result<NewTextFile> NewTextFile::create(Files& files, const std::string& path) {
  if (files.exists(path)) return fail(ErrorCode::conflict, path + " is there: it is not overwritten");
  if (files.exists(unfinished(path))) TRY_VOID(files.remove(unfinished(path)));
  TRY(auto file, files.open_append(unfinished(path)));
  return NewTextFile(files, path, std::move(file));
}

Result<void> NewTextFile::add(std::string_view line, bool has_end) {
  text_ += line;
  if (has_end) text_ += '\n';
  return text_.size() >= kBuffer ? flush() : Result<void>();
}

Result<void> NewTextFile::flush() {
  auto done = file_->append(text_);
  text_.clear();
  return done;
}

Result<void> NewTextFile::seal() {
  TRY_VOID(flush());
  TRY_VOID(file_->sync());
  file_.reset();
  return {};
}

Result<void> NewTextFile::finish() {
  TRY_VOID(flush());
  TRY_VOID(file_->sync());
  if (files_->exists(path_)) return fail(ErrorCode::conflict, path_ + " has appeared meanwhile");
  TRY_VOID(files_->rename(unfinished(path_), path_));
  file_.reset();
  return files_->sync_dir(parent_path(path_));
}

}  // namespace caddis::io
