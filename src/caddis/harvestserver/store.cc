#include "caddis/harvestserver/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/io/digest.h"

namespace caddis::harvestserver {
namespace {

constexpr size_t kPiece = 1 << 20;
constexpr size_t kLongestName = 250;

Result<void> check_file_name(std::string_view name) {
  const bool is_plain =
      std::ranges::all_of(name, [](char c) { return is_alnum(c) || c == '.' || c == '-' || c == '_' || c == '~'; });
  if (is_plain && !name.empty() && name.size() <= kLongestName && name.front() != '.') return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no name of a file", name));
}

}  // namespace

Result<std::string> sha256_of(io::Files& files, const std::string& path) {
  TRY(const auto file, files.open_read(path));
  io::Sha256 digest;
  std::string buffer(kPiece, '\0');
  for (uint64_t at = 0;;) {
    TRY(const size_t got, file->read_at(at, buffer.data(), buffer.size()));
    if (got == 0) return to_hex(digest.finish());
    digest.update(std::string_view(buffer).substr(0, got));
    at += got;
  }
}

Store::Store(io::Files& files, std::string folder)
    : files_(&files), folder_(std::move(folder)), layout_(folder_ + "/archive") {}

Result<Store> Store::open(io::Files& files, const std::string& data_folder) {
  Store store(files, data_folder);
  for (const std::string& folder : store.layout_.folders()) TRY_VOID(files.make_dirs(folder));
  return store;
}

std::string Store::incoming(int64_t job, std::string_view name) const {
  return fmt::format("{}/incoming/{}/{}", folder_, job, name);
}

Result<std::string> Store::path_of(std::string_view kind, std::string_view name) const {
  TRY_VOID(check_file_name(name));
  if (kind == "warc" || kind == "metadata") return fmt::format("{}/{}", layout_.archive(), name);
  if (kind == "index" || kind == "digests") return fmt::format("{}/{}", layout_.indexes(), name);
  return fail(ErrorCode::config, fmt::format("'{}' is none of warc, metadata, index, digests", kind));
}

Result<uint64_t> Store::received(int64_t job, std::string_view name) const {
  TRY_VOID(check_file_name(name));
  const std::string path = incoming(job, name);
  if (!files_->exists(path)) return 0;
  TRY(const auto file, files_->open_read(path));
  return file->size();
}

Result<uint64_t> Store::add(int64_t job, std::string_view name, uint64_t at, std::string_view bytes) const {
  TRY_VOID(check_file_name(name));
  const std::string path = incoming(job, name);
  TRY_VOID(files_->make_dirs(io::parent_path(path)));
  TRY(const auto file, files_->open_append(path));
  TRY(const uint64_t size, file->size());
  if (size != at)
    return fail(ErrorCode::conflict, fmt::format("{} bytes of '{}' are here: go on behind them", size, name));
  TRY_VOID(file->append(bytes));
  return at + bytes.size();
}

Result<void> Store::finish(int64_t job, std::string_view name, std::string_view kind, std::string_view sha256) const {
  TRY(const std::string place, path_of(kind, name));
  const std::string path = incoming(job, name);
  if (files_->exists(place)) {
    // Sent or told once more: the answer had been lost, or another file of the job was not taken.
    TRY(const std::string there, sha256_of(*files_, place));
    if (there == sha256) return files_->exists(path) ? files_->remove(path) : Result<void>();
    return fail(ErrorCode::conflict, fmt::format("the archive has another file '{}': it is never replaced", name));
  }
  // A file without a byte has come in no piece.
  TRY_VOID(files_->make_dirs(io::parent_path(path)));
  TRY(const auto file, files_->open_append(path));
  TRY_VOID(file->sync());
  TRY(const std::string digest, sha256_of(*files_, path));
  if (digest != sha256) {
    TRY_VOID(files_->remove(path));
    return fail(ErrorCode::corrupt, fmt::format("'{}' has come with another digest: send it again", name));
  }
  TRY_VOID(files_->rename(path, place));
  TRY_VOID(files_->sync_dir(io::parent_path(place)));
  return files_->sync_dir(io::parent_path(path));
}

}  // namespace caddis::harvestserver
