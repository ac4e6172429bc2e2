// A place where records of captures lie: folders, a web server, a store, another archive. Replay asks each in turn. Any thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/io/files.h"

namespace caddis::sources {

class RecordSource {
 public:
  virtual ~RecordSource() = default;
  // A file in which the capture's record stands at its offset; it may end with the record. It is read only, its bytes may come
  // from afar while it is read, and it may outlive the source. ErrorCode::not_found if the source does not have the file.
  // Errors say which place it is, and what it answered.
  virtual Result<std::unique_ptr<io::File>> open(const cdx::Capture& capture) = 0;
};

// Several, asked in this order until one has it.
class RecordSources : public RecordSource {
 public:
  explicit RecordSources(std::vector<std::shared_ptr<RecordSource>> sources) : sources_(std::move(sources)) {}
  // If none has it, the error tells of each.
  Result<std::unique_ptr<io::File>> open(const cdx::Capture& capture) override;

 private:
  const std::vector<std::shared_ptr<RecordSource>> sources_;
};

// ErrorCode::denied for a name of an index that would lead out of the place in which it is looked for.
Result<void> check_file_name(std::string_view name);

}  // namespace caddis::sources
