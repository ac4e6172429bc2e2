// The files of streams as the disk and the rows have them, for who has no set at work.

#include <map>

#include "caddis/base/strings.h"
#include "caddis/store/stream_row.h"
#include "caddis/store/streams.h"

namespace caddis::store {

Result<std::vector<std::string>> log_parts(io::Files& files, const std::string& path) {
  std::map<int64_t, std::string> parts;
  if (files.exists(path)) parts[1] = path;
  const std::string start = std::string(io::base_name(path)) + ".";
  TRY(const auto entries, files.list(io::parent_path(path)));
  for (const auto& entry : entries) {
    if (entry.is_directory || !entry.name.starts_with(start)) continue;
    const auto number = parse_int(std::string_view(entry.name).substr(start.size()));
    if (number && *number > 1) parts[*number] = path + "." + std::to_string(*number);
  }
  std::vector<std::string> found;
  for (auto& [number, part] : parts) found.push_back(std::move(part));
  return found;
}

Result<std::vector<std::string>> committed_files(Kv& kv, Family family, std::string_view stream,
                                                 const std::string& root) {
  std::vector<std::string> paths;
  const std::string prefix = std::string(stream) + '\0';
  const auto cursor = kv.cursor(family);
  for (cursor->seek(prefix); cursor->valid() && cursor->key().starts_with(prefix); cursor->next()) {
    TRY(StreamRow row, decode_stream_row(cursor->key(), cursor->value(), root));
    paths.push_back(std::move(row.path));
  }
  TRY_VOID(cursor->status());
  return paths;
}

Result<LogParts> committed_parts(Kv& kv, Family family, std::string_view log, const std::string& root) {
  LogParts parts;
  const std::string prefix = std::string(log) + '\0';
  const auto cursor = kv.cursor(family);
  for (cursor->seek(prefix); cursor->valid() && cursor->key().starts_with(prefix); cursor->next()) {
    TRY(StreamRow row, decode_stream_row(cursor->key(), cursor->value(), root));
    if (row.state == StreamRow::State::released)
      parts.released += row.length;
    else if (row.state != StreamRow::State::lost)
      parts.parts.push_back({std::move(row.path), row.length});
  }
  TRY_VOID(cursor->status());
  return parts;
}

}  // namespace caddis::store
