#include "caddis/engine/file_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/engine/byte_range.h"
#include "caddis/engine/job_json.h"
#include "caddis/io/links.h"

namespace caddis::engine {
namespace {

class FilePart final : public http::BodySource {
 public:
  FilePart(std::unique_ptr<io::File> file, const BytePart& part)
      : file_(std::move(file)), at_(part.begin), left_(part.size) {}

  Result<bool> next(std::string& piece) override {
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(left_, piece_size));
    piece.resize(wanted);
    TRY(const size_t got, file_->read_at(at_, piece.data(), wanted));
    if (got < wanted) return fail(ErrorCode::io, "the file has become shorter");
    at_ += got;
    left_ -= got;
    return left_ > 0;
  }

 private:
  std::unique_ptr<io::File> file_;
  uint64_t at_, left_;
};

std::string_view type_of(std::string_view path) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".json", "application/json"},
      {".jsonl", "application/x-ndjson"},
      {".yaml", "text/plain; charset=utf-8"},
      {".log", "text/plain; charset=utf-8"},
      {".csv", "text/csv"},
      {".txt", "text/plain; charset=utf-8"},
      {".cxml", "text/xml"},
      {".gz", "application/gzip"},
      {".zip", "application/zip"},
  };
  for (const auto& [ending, type] : kTypes)
    if (path.ends_with(ending)) return type;
  return "application/octet-stream";
}

Result<http::ServerResponse> answer_folder(io::Files& files, const std::string& path) {
  TRY(const auto entries, files.list(path));
  std::vector<std::string> rows;
  for (const io::DirectoryEntry& entry : entries)
    rows.push_back(
        JsonObject().add("name", entry.name).add("is_folder", entry.is_directory).add("bytes", entry.size).finish());
  return http::json_response(200, JsonObject().add_raw("files", json_array(rows)).finish());
}

}  // namespace

Result<std::string> confined_path(const std::string& root, const std::string& folder, std::string_view path) {
  const auto missing = [&] { return fail(ErrorCode::not_found, fmt::format("there is no file '{}'", path)); };
  if (path.contains('\0')) return missing();
  TRY(const std::string home, io::real_path(root));
  auto found = io::real_path(io::join_path(folder, path));
  if (!found || (*found != home && !found->starts_with(home + "/"))) return missing();
  return found;
}

access::Role needed_for(std::string_view real_path) {
  if (real_path.contains("/state/") || real_path.ends_with("/state")) return access::Role::admin;
  const bool is_config = real_path.ends_with(".cxml") || real_path.contains("/imported") ||
                         (real_path.ends_with(".yaml") && !real_path.contains("/crawls/"));
  return is_config ? access::Role::manager : access::Role::viewer;
}

Result<http::ServerResponse> answer_file(io::Files& files, const std::string& path,
                                         const http::ServerRequest& request) {
  if (files.is_directory(path)) return answer_folder(files, path);
  TRY(auto file, files.open_read_foreign(path));
  TRY(const uint64_t size, file->size());
  http::ServerResponse response(200);
  const auto part = part_of(request.header("range"), size);
  response.headers.emplace_back("Accept-Ranges", "bytes");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  if (!part) {
    response.status = 416;
    response.headers.emplace_back("Content-Range", fmt::format("bytes */{}", size));
    return response;
  }
  response.headers.emplace_back("Content-Type", type_of(path));
  if (!part->is_whole) {
    response.status = 206;
    response.headers.emplace_back("Content-Range",
                                  fmt::format("bytes {}-{}/{}", part->begin, part->begin + part->size - 1, size));
  }
  response.stream_size = part->size;
  if (part->size > 0) response.source = std::make_unique<FilePart>(std::move(file), *part);
  return response;
}

}  // namespace caddis::engine
