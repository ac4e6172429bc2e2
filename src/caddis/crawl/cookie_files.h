// The files of cookies of a crawl: the one that it begins with (`cookies.load`), and those that it leaves behind
// (`cookies.save`).
#pragma once

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::cookies {
class CookieJar;
struct CookieSettings;
}  // namespace caddis::cookies
namespace caddis::io {
class Files;
}

namespace caddis::crawl {

struct CrawlState;
class Outputs;

// Loads `cookies.load` into the jars of its sites. Does nothing if the file has not changed since it was loaded last. On
// the crawl's loop, before it runs; blocks. ErrorCode::config names the file, the line and what is wrong.
Result<void> load_cookie_file(CrawlState& state, Outputs& outputs, WallTime now);

// Writes the file of the settings, and one for each jar with a name; nothing if none is wanted. Any thread; blocks.
Result<void> save_cookie_files(io::Files& files, const cookies::CookieJar& jar,
                               const cookies::CookieSettings& settings);

}  // namespace caddis::crawl
