// How captures are kept: the `archive` section of crawl.yaml.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/archive/record_form.h"
#include "caddis/base/clock.h"
#include "caddis/io/digest.h"
#include "caddis/settings/schema.h"
#include "caddis/warc/packing.h"

namespace caddis::archive {

enum class CompressionChoice {
  fast,      // ISA-L: a fifteenth more bytes at an eighth of the cost
  small,     // libdeflate: the size of zlib's level 6
  adaptive,  // small while processors idle, otherwise fast
};

struct ArchiveSettings {
  std::vector<std::string> writers = {"warc"};  // writer_spec.h
  std::vector<std::string> folders;             // further ones than the archive's own, in turn with it
  std::string prefix = "WEB";
  std::string name_template = "{prefix}-{timestamp17}-{serialno}-{pid}-{host}-{port}";
  int64_t max_file_size = 1'000'000'000;
  Duration max_file_age{};     // 0: files are closed for their size alone
  int64_t own_file_above = 0;  // bytes of a capture; 0: none has a file of its own
  warc::Packing packing = warc::Packing::gzip;
  CompressionChoice compression = CompressionChoice::adaptive;
  WarcVersion warc_version = WarcVersion::v1_1;
  io::DigestAlgorithm digest = io::DigestAlgorithm::sha1;
  bool outlinks = true;
  std::string host_name;
  std::string operator_name;
  std::string description;
  std::string is_part_of;
  std::string organization;
  std::string publisher;
  std::string audience;
  std::vector<std::string> info_fields;  // "NAME: VALUE"
};

// The settings that may differ from site to site.
struct SiteArchive {
  std::string prefix;
  CompressionChoice compression = CompressionChoice::adaptive;
  bool outlinks = true;
};

// ErrorCode::config if the settings contradict each other.
Result<void> validate(const ArchiveSettings& settings);

}  // namespace caddis::archive

namespace caddis::settings {
template <>
const Schema& schema_of<archive::ArchiveSettings>();
}
