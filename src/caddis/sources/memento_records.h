// Records as another archive gives them: the body of a memento as captured (`id_`), made into a record for those who read one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/remote/web_client.h"
#include "caddis/remote/web_health.h"
#include "caddis/sources/record_source.h"

namespace caddis::sources {

struct MementoOptions {
  std::string name;  // of the archive, in messages
  std::vector<std::string>
      prefixes;  // addresses that begin so are asked for; others are not, whoever has put them into an index
  Duration timeout = std::chrono::seconds(20);
};

class MementoRecords : public RecordSource {
 public:
  MementoRecords(std::shared_ptr<remote::WebClient> client, MementoOptions options);
  // A capture whose file is the address of a memento (remote_index.h); ErrorCode::not_found for others. The record stands at 0.
  Result<std::unique_ptr<io::File>> open(const cdx::Capture& capture) override;

 private:
  Result<remote::WebAnswer> ask(std::string address);

  const std::shared_ptr<remote::WebClient> client_;
  const MementoOptions options_;
  remote::WebHealth health_;
};

}  // namespace caddis::sources
