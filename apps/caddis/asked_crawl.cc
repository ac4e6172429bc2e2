#include "asked_crawl.h"

#include <pwd.h>
#include <unistd.h>

#include <string>

#include "caddis/base/clock.h"
#include "caddis/control/control_client.h"
#include "caddis/io/files.h"
#include "caddis/store/rocks_kv.h"

namespace caddis::cli {
namespace {

// The user of the system, for the record of the crawl.
std::string user_name() {
  const passwd* const user = ::getpwuid(::getuid());
  return user == nullptr ? std::string() : std::string(user->pw_name);
}

}  // namespace

const control::AskingWorld& real_crawls() {
  static const control::AskingWorld kWorld{.files = io::real_files(),
                                           .clock = system_clock(),
                                           .ask = control::ask,
                                           .open_kv = store::rocks_opener(),
                                           .actor = user_name()};
  return kWorld;
}

Result<AskedCrawl> open_asked_crawl(const std::string& collection) {
  return AskedCrawl::open(real_crawls(), collection);
}

}  // namespace caddis::cli
