#include "caddis/collection/layout.h"

#include <fmt/format.h>

#include "caddis/io/files.h"

namespace caddis::collection {

std::string Layout::inner(std::string_view name) const { return io::join_path(folder_, name); }

std::string Layout::index_of(std::string_view launch) const { return fmt::format("{}/{}.cdxj", indexes(), launch); }

std::string Layout::digests_of(std::string_view index_name) const {
  return indexes() + "/" + std::string(index_name.substr(0, index_name.rfind('.'))) + ".digests";
}

std::string Layout::within(std::string_view folder) const {
  return folder.starts_with('/') ? std::string(folder) : inner(folder);
}

bool is_index_name(std::string_view file_name) { return file_name.ends_with(".cdxj") || file_name.ends_with(".cdx"); }

}  // namespace caddis::collection
