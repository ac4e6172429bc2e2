// The crawl of a collection, as others ask it: through its control API while it runs, and its state if it has stopped.
//
// One thread; questions block it.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/control/api_json.h"
#include "caddis/control/control_client.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {
class StoppedCrawl;
}

namespace caddis::control {

// "limit=5&url=http%3A%2F%2Fa.example%2F". A parameter without a value is left out.
std::string query_of(std::initializer_list<std::pair<std::string_view, std::string_view>> parameters);

// How a crawl is reached. All of it outlives whoever asks.
struct AskingWorld {
  io::Files& files;
  const Clock& clock;
  // control::ask, or what stands in for it; without it nobody answers.
  std::function<Result<std::string>(const std::string& socket, const Question& question, Duration patience)> ask;
  // Opens the store of a crawl that has stopped; without it its state is left alone (ErrorCode::unsupported).
  store::KvOpener open_kv;
  // A checkpoint writes what the store has in memory, and links its files.
  Duration patience = std::chrono::minutes(10);
  std::string actor = {};  // who asks, for the crawl's record
};

// Says that no crawl is in a folder, and where it is if the folder is that of an engine's job: each launch of one is a
// collection of its own.
std::string no_crawl_in(io::Files& files, const std::string& collection);
// The latest crawl of a collection. ErrorCode::not_found, in these words, if there is none.
Result<collection::Launch> latest_crawl_in(io::Files& files, const std::string& collection);

class AskedCrawl {
 public:
  // The latest crawl of a collection. ErrorCode::not_found if there is none.
  static Result<AskedCrawl> open(const AskingWorld& world, const std::string& collection);
  AskedCrawl(AskedCrawl&&) noexcept;
  ~AskedCrawl();

  // The crawl's own report; ErrorCode::not_found if it does not run.
  Result<std::string> status();
  // The visits that run; ErrorCode::not_found if it does not run.
  Result<std::string> visits();
  // Its settings; ErrorCode::not_found if it does not run.
  Result<std::string> ask_settings(const std::string& query);
  // Its sheets; ErrorCode::not_found if it does not run, or has none of that name.
  Result<std::string> ask_sheets(const std::string& query);
  // The verdict of its scope on a URL; ErrorCode::not_found if it does not run.
  Result<std::string> ask_scope(const std::string& query);
  // A document of its frontier, whether it runs or not.
  Result<std::string> get(const std::string& path, const std::string& query = "");
  // ErrorCode::not_found if it does not run.
  Result<std::string> post(const std::string& path, const std::string& query = "", const std::string& body = "");
  template <class Document>
  Result<Document> read(const std::string& path, const std::string& query = "") {
    TRY(const std::string answer, get(path, query));
    return api::from_json<Document>(answer);
  }

  const collection::Launch& launch() const { return launch_; }
  // The crawl answers itself, as far as it was asked.
  bool runs() const { return stopped_ == nullptr; }
  crawl::StoppedCrawl& stopped() { return *stopped_; }

 private:
  AskedCrawl(const AskingWorld& world, collection::Launch launch);
  Result<std::string> ask(const std::string& method, const std::string& target, const std::string& body = "");

  const AskingWorld* world_;
  collection::Launch launch_;
  std::unique_ptr<crawl::StoppedCrawl> stopped_;
};

}  // namespace caddis::control
