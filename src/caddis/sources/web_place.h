// A server that has archive files and gives ranges of them (RFC 9110 section 14): a web server, or S3. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/remote/s3.h"
#include "caddis/remote/web_client.h"
#include "caddis/remote/web_health.h"

namespace caddis::sources {

struct WebPlaceOptions {
  std::string name;  // in messages
  Duration timeout = std::chrono::seconds(20);
  remote::S3Credentials credentials;  // empty: requests are not signed
  std::string region;                 // of S3; empty: it is no S3
  // Reads the credentials again, which may have been renewed; may be empty. Any thread.
  std::function<Result<remote::S3Credentials>()> read_credentials = {};
};

class WebPlace {
 public:
  WebPlace(std::shared_ptr<remote::WebClient> client, WebPlaceOptions options);

  struct Part {
    std::string bytes;
    uint64_t offset = 0;     // of the first of them
    uint64_t file_size = 0;  // of all the file
  };
  // Up to `size` bytes at `offset`, at least one. ErrorCode::not_found if there is no such file, or it ends before.
  Result<Part> read(const std::string& address, uint64_t offset, size_t size);

  const std::string& name() const { return options_.name; }

 private:
  Result<remote::WebAnswer> ask(std::string address, uint64_t offset, size_t size);
  remote::S3Credentials held_credentials() const;
  // Whether there are others than those that the server has refused.
  bool renew_credentials(const remote::S3Credentials& refused);
  std::unexpected<Error> refusal(const remote::WebAnswer& answer, const std::string& address);

  const std::shared_ptr<remote::WebClient> client_;
  const WebPlaceOptions options_;
  remote::WebHealth health_;
  mutable std::mutex mutex_;
  remote::S3Credentials credentials_;
};

// A file of such a server, read range by range: what is read costs what it is, and the pieces grow as long as it is read on.
// The record that is wanted begins at `offset`; the file ends behind it if its length is known. At the first read the server is
// asked, which `open` does.
Result<std::unique_ptr<io::File>> open_web_file(std::shared_ptr<WebPlace> place, std::string address, uint64_t offset,
                                                std::optional<uint64_t> length);

}  // namespace caddis::sources
