#include "caddis/crawl/cookie_files.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/hash.h"
#include "caddis/base/log.h"
#include "caddis/cookies/cookie_jar.h"
#include "caddis/cookies/netscape_file.h"
#include "caddis/crawl/cookie_rows.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/outputs.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

constexpr uint64_t kMostBytes = 64 << 20;

// The jar of the URLs for which it is meant.
std::string jar_of(CrawlState& state, const cookies::Cookie& cookie) {
  const auto url = url::Url::parse(fmt::format("http{}://{}{}", cookie.secure ? "s" : "", cookie.domain, cookie.path));
  return url ? state.effective->of(*url).cookies.jar : state.settings.now().cookies.jar;
}

std::unexpected<Error> bad_file(const std::string& path, const std::string& why) {
  return fail(ErrorCode::config, fmt::format("cookies.load: {}: {}", path, why));
}

}  // namespace

Result<void> load_cookie_file(CrawlState& state, Outputs& outputs, WallTime now) {
  const cookies::CookieSettings& settings = state.settings.now().cookies;
  if (settings.load.empty()) return {};
  TRY(const auto taken, state.kv->get(kMeta, kCookieFileRow));
  auto text = state.files.read_all(settings.load, kMostBytes);
  if (!text) {
    // A crawl that goes on has them already.
    if (taken && !state.files.exists(settings.load)) return {};
    return bad_file(settings.load, text.error().message);
  }
  const std::string stamp = fmt::format("{:016x}", siphash(*text, 0, 0));
  if (taken == stamp) return {};
  auto file = cookies::parse_netscape_file(*text, now);
  if (!file) return bad_file(settings.load, file.error().message);
  std::vector<cookies::Cookie>& cookies = file->cookies;
  if (cookies.size() > static_cast<size_t>(settings.total))
    return bad_file(settings.load, fmt::format("it has {} cookies, and cookies.total allows {}: allow more",
                                               cookies.size(), settings.total));
  if (file->expired > 0)
    log_warn("cookies", "cookies.load: {}: {} of {} expired", settings.load, file->expired,
             counted(cookies.size() + file->expired, "cookie has", "cookies have"));
  cookies::Changes changes;
  for (cookies::Cookie& cookie : cookies) {
    cookie.secret = true;
    const std::string jar = jar_of(state, cookie);
    outputs.cookies().jar().put(std::move(cookie), jar, changes);
  }
  outputs.cookies().note(changes);
  outputs.meta().put(kCookieFileRow, stamp);
  return {};
}

Result<void> save_cookie_files(io::Files& files, const cookies::CookieJar& jar,
                               const cookies::CookieSettings& settings) {
  if (settings.save.empty()) return {};
  // The first file is there even if there is no cookie.
  std::map<std::string, std::vector<cookies::Cookie>> by_file = {{settings.save, {}}};
  for (cookies::KeptCookie& kept : jar.all()) {
    const std::string path = kept.jar.empty() ? settings.save : settings.save + "." + kept.jar;
    by_file[path].push_back(std::move(kept.cookie));
  }
  for (const auto& [path, cookies] : by_file) {
    auto written = files.write_atomically_private(path, cookies::netscape_file(cookies));
    if (!written) return pass(std::move(written).error(), "cookies.save: " + path);
  }
  return {};
}

}  // namespace caddis::crawl
