#include "caddis/sources/record_source.h"

#include "caddis/base/strings.h"

namespace caddis::sources {

Result<void> check_file_name(std::string_view name) {
  const auto denied = [&] {
    return fail(ErrorCode::denied, "the index names an archive file outside the collection: " + std::string(name));
  };
  if (name.empty() || name.starts_with('/') || name.find('\0') != std::string_view::npos) return denied();
  for (const std::string_view part : split(name, '/'))
    if (part == ".." || part == ".") return denied();
  return {};
}

Result<std::unique_ptr<io::File>> RecordSources::open(const cdx::Capture& capture) {
  std::vector<Error> errors;
  for (const auto& source : sources_) {
    auto file = source->open(capture);
    if (file) return file;
    errors.push_back(std::move(file).error());
  }
  if (errors.empty()) return fail(ErrorCode::not_found, capture.filename + ": there is no place where it may lie");
  // Whoever does not answer may have it: that says more than that the others do not.
  Error told = errors.front();
  for (size_t i = 1; i < errors.size(); ++i) {
    if (told.code == ErrorCode::not_found) told.code = errors[i].code;
    told.message += "; " + errors[i].message;
  }
  return std::unexpected(std::move(told));
}

}  // namespace caddis::sources
