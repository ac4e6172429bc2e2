// An index of captures on another server: a CDX API (ours, pywb's, OutbackCDX's, the Internet Archive's), the TimeMap of an
// archive, or its TimeGate. It is asked for the captures of a URL, or of URLs that begin so, and stands among the other sources of
// a collection (cdx::LineSource::ask); keys are made anew by our own policy. Any thread.
//
// Questions to several servers run at the same time, and each ends within its timeout. A server that does not answer is left out
// of that answer, and of those of the next half minute; `problem` says so, and if more captures are there than
// are taken. Answers are kept for a minute.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/cdx/line_source.h"
#include "caddis/cdx/query.h"
#include "caddis/remote/web_client.h"
#include "caddis/remote/web_health.h"

namespace caddis::sources {

struct RemoteIndexOptions {
  enum class Kind { cdx, timemap, timegate };
  Kind kind = Kind::cdx;
  std::string name;     // in messages, and in the field `source` of its captures
  std::string address;  // of the API; the URL of a TimeMap and TimeGate is added to it, or stands for {url} in it
  cdx::Dialect dialect = cdx::Dialect::pywb;
  Duration timeout = std::chrono::seconds(5);
  uint64_t most = 10'000;  // captures that are taken for one question
  std::string mementos;    // addresses of mementos begin so; empty for a CDX API whose records lie in files
};

// Gives the captures of an answer of a CDX API to `take`, one after another until it returns false: CDXJ, CDX with 7, 9, 10, 11
// and 14 fields. Lines that nobody can read are left out.
void parse_cdx_answer(std::string_view text, const std::function<bool(cdx::Capture)>& take);
// The address at which a TimeMap or TimeGate is asked about the URL, which stands for {url} in it or at its end; in a query it is
// percent-encoded.
std::string address_about(const std::string& address, std::string_view url);
// A URL that has that key.
std::string url_of_key(std::string_view key);

class RemoteIndex : public cdx::LineSource {
 public:
  RemoteIndex(std::shared_ptr<remote::WebClient> client, RemoteIndexOptions options);

  std::shared_ptr<cdx::LineSource> ask(const cdx::LineQuestion& question) override;
  // About the answer that was read last. Without what went wrong, which names addresses: that is in the log.
  std::string problem() const override;
  // Without a question it has no lines.
  Result<std::unique_ptr<cdx::LineCursor>> seek(std::string_view key) override { return none_.seek(key); }
  Result<cdx::Capture> parse(std::string_view line) const override { return none_.parse(line); }

  struct Server {
    Server(std::shared_ptr<remote::WebClient> the_client, RemoteIndexOptions the_options)
        : client(std::move(the_client)), options(std::move(the_options)), health(client->clock(), options.name) {}
    const std::shared_ptr<remote::WebClient> client;
    const RemoteIndexOptions options;
    remote::WebHealth health;
    std::atomic<bool> is_cut = false;  // the answer that was read last has not all captures
  };

 private:
  class Answer;
  struct Kept {
    std::shared_ptr<Answer> answer;
    SteadyTime since;
  };

  const std::shared_ptr<Server> server_;  // shared with answers that are still read
  cdx::MemoryLines none_;
  std::mutex mutex_;
  std::map<std::string, Kept> kept_;  // by question
};

}  // namespace caddis::sources
