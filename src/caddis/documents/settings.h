// The settings of the section `documents`: which binary documents are searched for links, and at what cost.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/documents/document.h"
#include "caddis/settings/schema.h"

namespace caddis::documents {

struct DocumentSettings {
  std::vector<std::string> formats{kFormatNames.begin(), kFormatNames.end()};
  int64_t max_size = 20'000'000;       // bytes of a document
  int64_t max_links = 6000;            // of one document
  int64_t max_unpacked = 200'000'000;  // bytes of its parts
  Duration time_limit = std::chrono::seconds(30);
  int64_t memory = 512'000'000;  // bytes for reading one
  int64_t workers = 1;

  bool wants(Format format) const;
};

}  // namespace caddis::documents

namespace caddis::settings {
template <>
const Schema& schema_of<documents::DocumentSettings>();
}  // namespace caddis::settings
