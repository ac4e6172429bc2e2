// Records in files of this machine.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/sources/record_source.h"

namespace caddis::sources {

class FolderRecords : public RecordSource {
 public:
  // The paths at which a file of that name may lie, the likeliest first.
  using Places = std::function<std::vector<std::string>(std::string_view name)>;
  FolderRecords(io::Files& files, Places places) : files_(files), places_(std::move(places)) {}
  // In one folder.
  FolderRecords(io::Files& files, std::string folder);

  Result<std::unique_ptr<io::File>> open(const cdx::Capture& capture) override;

 private:
  io::Files& files_;
  const Places places_;
};

}  // namespace caddis::sources
