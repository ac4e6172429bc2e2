// How captures are kept: the `archive` section of crawl.yaml.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/settings/schema.h"

namespace caddis::archive {

enum class CompressionChoice {
  fast,   // ISA-L: a fifteenth more bytes at an eighth of the cost
  small,  // libdeflate: the size of zlib's level 6
};

struct ArchiveSettings {
  std::string prefix = "WEB";
  std::string name_template = "{prefix}-{timestamp17}-{serialno}-{pid}-{host}-{port}";
  int64_t max_file_size = 1'000'000'000;
  CompressionChoice compression = CompressionChoice::fast;
  bool outlinks = true;
  std::string host_name;
  std::string operator_name;
  std::string description;
  std::string is_part_of;
};

}  // namespace caddis::archive

namespace caddis::settings {
template <>
const Schema& schema_of<archive::ArchiveSettings>();
}
