// Questions from anywhere, put to a small frontier: nothing crashes, and every answer is JSON or an error that says
// something. The first line is the path, the second the query.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/control/frontier_view.h"
#include "caddis/control/routes.h"
#include "caddis/frontier/frontier.h"
#include "caddis/store/memory_kv.h"
#include "caddis/url/url.h"

namespace {

using namespace caddis;

struct Asked {
  Asked() {
    frontier::Frontier::Options options;
    const frontier::Families families = {0, 1, 2, 3, 4, 5, 6, 7};
    frontier = *frontier::Frontier::open(options, families, *kv, seen, clock);
    for (const char* url : {"http://a.test/1", "http://a.test/2", "http://b.test/%22", "https://b.test/"})
      (void)frontier->schedule({*scheduled_url_of(url)});
  }
  Result<frontier::ScheduledUrl> scheduled_url_of(std::string_view text) {
    TRY(const url::Url url, url::Url::parse(text));
    frontier::ScheduledUrl scheduled;
    scheduled.candidate.url = url.href();
    scheduled.origin = frontier::origin_of(url);
    scheduled.host = url.hostname();
    scheduled.fingerprint = std::hash<std::string>()(scheduled.candidate.url);
    return scheduled;
  }
  ManualClock clock;
  store::SeenSet seen;
  std::unique_ptr<store::Kv> kv =
      store::memory_kv({"hosts", "chunks", "retries", "robots", "inbox", "due", "totals", "held"});
  std::unique_ptr<frontier::Frontier> frontier;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Asked asked;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t end = input.find('\n');
  const std::string_view path = input.substr(0, end);
  const std::string_view query = end == std::string_view::npos ? std::string_view() : input.substr(end + 1);
  for (const bool all : {false, true}) {
    const auto ask_about = [](std::string_view url) -> Result<control::AskedUrl> {
      TRY(auto scheduled, asked.scheduled_url_of(url));
      return control::AskedUrl{std::move(scheduled), {"of one host", "\"of all"}};
    };
    const auto answer = control::look({*asked.frontier, ask_about, all}, path, query);
    if (answer)
      CADDIS_CHECK(nlohmann::json::accept(*answer));
    else
      CADDIS_CHECK(!answer.error().message.empty());
  }
  const auto parameters = control::Parameters::parse(query, "host regex force dry delay marker");
  if (!parameters) return 0;
  (void)parameters->flag("force", false);
  (void)control::waiting_query(*parameters);
  return 0;
}
