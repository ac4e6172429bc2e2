// The crawl of a collection, as commands ask it: through its control API while it runs, and its state if it has
// stopped.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/control/api_json.h"

namespace caddis::crawl {
class StoppedCrawl;
}

namespace caddis::cli {

// "limit=5&url=http%3A%2F%2Fa.example%2F". A parameter without a value is left out.
std::string query_of(std::initializer_list<std::pair<std::string_view, std::string_view>> parameters);

class AskedCrawl {
 public:
  // The latest crawl of a collection. ErrorCode::not_found if there is none.
  static Result<AskedCrawl> open(const std::string& collection);
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
    return control::api::from_json<Document>(answer);
  }

  const collection::Launch& launch() const { return launch_; }
  // The crawl answers itself, as far as it was asked.
  bool runs() const { return stopped_ == nullptr; }
  crawl::StoppedCrawl& stopped() { return *stopped_; }

 private:
  explicit AskedCrawl(collection::Launch launch);
  Result<std::string> ask(const std::string& method, const std::string& target, const std::string& body = "");

  collection::Launch launch_;
  std::unique_ptr<crawl::StoppedCrawl> stopped_;
};

}  // namespace caddis::cli
