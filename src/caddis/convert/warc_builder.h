// The WARC file that a conversion makes. Internal to convert.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/random.h"
#include "caddis/convert/convert.h"
#include "caddis/warc/archive_file.h"
#include "caddis/warc/writer.h"

namespace caddis::convert {

class WarcBuilder {
 public:
  // Begins the file with its warcinfo record, which says that it was made of `source`.
  static Result<WarcBuilder> create(io::Files& files, const std::string& to, std::string_view source,
                                    const ConvertOptions& options);

  std::string new_id() { return warc::record_id(random_); }
  // Adds a record over head and body, with its digests. For HTTP messages `head` is that of the message, and the payload
  // digest that of the body; for others `head` is empty. Metadata has no payload. Fields with digests and the warcinfo's id are set here.
  Result<void> add(warc::RecordFields fields, std::string_view head, std::string_view body, bool has_payload = true);
  // The same for a body in a file.
  Result<void> add_file(warc::RecordFields fields, const io::File& file);
  // For a body that is read twice, piece by piece: the reading returns how many bytes it has given.
  using Sink = std::function<Result<void>(std::string_view piece)>;
  using Reading = std::function<Result<uint64_t>(const Sink& sink)>;
  Result<void> add_read(warc::RecordFields fields, const Reading& read);
  Result<uint64_t> commit();
  uint64_t records() const { return records_; }

 private:
  WarcBuilder(std::unique_ptr<warc::ArchiveFile> file, uint64_t seed) : file_(std::move(file)), random_(seed) {}

  std::unique_ptr<warc::ArchiveFile> file_;
  SeededRandom random_;
  std::string warcinfo_id_;
  uint64_t records_ = 0;
};

}  // namespace caddis::convert
