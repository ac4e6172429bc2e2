// sources.yaml: where archive files of a collection lie besides its own folders, and which other indexes are asked
// (docs/formats/sources.md). Parsing is pure.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/line_source.h"
#include "caddis/io/files.h"
#include "caddis/remote/s3.h"
#include "caddis/remote/web_client.h"
#include "caddis/sources/record_source.h"
#include "caddis/sources/remote_index.h"

namespace caddis::sources {

// The file of sources in the folder of a collection.
inline constexpr std::string_view kSourceFile = "sources.yaml";

struct ArchivePlace {
  enum class Kind { folder, path_index, web, s3 };
  Kind kind = Kind::folder;
  std::string place;  // a path, or an address; of S3 what the bucket's keys begin with
  Duration timeout = std::chrono::seconds(20);
  remote::S3Bucket bucket;
  std::string credentials;  // a file; empty: those of the environment
  std::string profile = "default";
};

struct SourceList {
  std::vector<ArchivePlace> archives;
  std::vector<RemoteIndexOptions> indexes;
};

// ErrorCode::config with file and line. Relative paths are those of the folder in which the file lies.
Result<SourceList> parse_sources(std::string_view text, std::string_view file_name);

// Sources that are open. Clients are shared by all that are opened with one opener.
struct OpenSources {
  std::vector<std::shared_ptr<RecordSource>> records;
  std::vector<std::shared_ptr<cdx::LineSource>> indexes;
};

class SourceOpener {
 public:
  // `folder` takes what of answers does not fit into memory; it is made at need.
  SourceOpener(io::Files& files, const Clock& clock, std::string folder)
      : files_(files), clock_(clock), folder_(std::move(folder)) {}

  // The sources of the file; none if it is not there.
  Result<OpenSources> open(const std::string& path);

 private:
  Result<std::shared_ptr<RecordSource>> open_place(const ArchivePlace& place);
  std::shared_ptr<remote::WebClient> client();

  io::Files& files_;
  const Clock& clock_;
  const std::string folder_;
  std::shared_ptr<remote::WebClient> client_;
};

}  // namespace caddis::sources
