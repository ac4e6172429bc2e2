#include "asked_crawl.h"

#include "caddis/base/clock.h"
#include "caddis/control/control_client.h"
#include "caddis/io/files.h"
#include "caddis/store/rocks_kv.h"

namespace caddis::cli {

const control::AskingWorld& real_crawls() {
  static const control::AskingWorld kWorld{
      .files = io::real_files(), .clock = system_clock(), .ask = control::ask, .open_kv = store::rocks_opener()};
  return kWorld;
}

Result<AskedCrawl> open_asked_crawl(const std::string& collection) {
  return AskedCrawl::open(real_crawls(), collection);
}

}  // namespace caddis::cli
