// The history of URLs, as the archive of a collection has it: its indexes say where captures lie, their records say by
// which ETag and Last-Modified the server knew them. Nothing is kept besides, so collections of others can be asked,
// too. A look-up costs some reads of the disk.
//
// Opened on the crawl's loop; any thread may ask.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/cdx/capture.h"
#include "caddis/cdx/line_source.h"
#include "caddis/collection/layout.h"
#include "caddis/dedup/history.h"
#include "caddis/io/files.h"

namespace caddis::collection {
struct Launch;
}  // namespace caddis::collection

namespace caddis::crawl {

class ArchiveHistory final : public dedup::History {
 public:
  // The indexes of the launch's collection but its own. Those that cannot be read are put into `notices`.
  static Result<std::unique_ptr<ArchiveHistory>> open(io::Files& files, const collection::Launch& launch,
                                                      std::vector<std::string>& notices);

  Result<std::optional<dedup::StoredCapture>> latest(std::string_view url) const override;
  Result<std::string> response(const dedup::StoredCapture& capture, uint64_t limit) const override;

 private:
  ArchiveHistory(io::Files& files, collection::Layout layout) : files_(files), layout_(std::move(layout)) {}
  // The latest first.
  Result<std::vector<cdx::Capture>> captures_of(std::string_view url) const;
  Result<std::optional<cdx::Capture>> latest_response(std::string_view url) const;
  Result<std::optional<std::string>> place_of(const cdx::Capture& capture) const;

  io::Files& files_;
  const collection::Layout layout_;
  std::vector<std::unique_ptr<cdx::FileLines>> indexes_;
};

}  // namespace caddis::crawl
