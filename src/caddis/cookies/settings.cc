#include "caddis/cookies/settings.h"

#include <fmt/format.h>

#include "caddis/base/visible.h"

namespace caddis::settings {
namespace {

Result<void> whole_path(std::string_view path) {
  if (path.empty()) return {};
  TRY_VOID(single_line(path));
  if (path.starts_with('/') && !path.ends_with('/')) return {};
  return fail(ErrorCode::config,
              fmt::format("'{}' is no whole path of a file, which begins with '/'", visible(path, kQuoted)));
}

Result<void> jar_name(std::string_view name) {
  if (name.empty()) return {};
  return file_name_part(name);
}

}  // namespace

template <>
const Schema& schema_of<cookies::CookieSettings>() {
  using S = cookies::CookieSettings;
  static const Schema schema(
      "cookies", "What is done with the cookies that servers set (docs/cookies.md).",
      {
          field<&S::enabled>("enabled", "Take cookies, and send them back (RFC 6265).",
                             {.flags = kSheet | kLive, .heritrix = "fetchHttp.ignoreCookies"}),
          field<&S::jar>("jar",
                         "The name of the jar that a site's cookies are kept in. Sites whose jars have different names "
                         "share no cookie.",
                         {.flags = kSheet | kLive, .check = jar_name}),
          field<&S::walls>("walls",
                           "How often a chain of redirects may come back to a URL of its own, and have it fetched "
                           "again since another Cookie would be sent now: so the page behind a consent wall is "
                           "captured. 0: such a chain ends there.",
                           {.flags = kSheet | kLive, .min = "0", .max = "10"}),
          field<&S::load>("load",
                          "A cookies.txt in the format of Netscape, by its whole path: a session of your own. It is "
                          "read when the crawl begins, and when it is resumed if the file has changed. These cookies "
                          "are secrets: no record of a request has them.",
                          {.flags = kLive, .check = whole_path, .heritrix = "cookieStore.cookiesLoadFile"}),
          field<&S::save>("save",
                          "A cookies.txt to be written at each checkpoint and at the end, by its whole path; only its "
                          "owner may read it. Cookies of a jar with a name go beside it, into \"FILE.NAME\".",
                          {.flags = kLive, .check = whole_path, .heritrix = "cookieStore.cookiesSaveFile"}),
          field<&S::per_domain>("per-domain", "Cookies that one domain may have; the one sent longest ago goes first.",
                                {.flags = kSheet | kLive | kExpert, .min = "1", .max = "1000"}),
          field<&S::total>("total", "Cookies that are kept in all; expired ones go first, then those sent longest ago.",
                           {.flags = kLive | kExpert, .min = "1", .max = "10000000"}),
          field<&S::max_size>("max-size", "Refuse cookies whose name and value are longer than this together.",
                              {.flags = kSheet | kLive | kExpert, .unit = kBytes, .min = "64", .max = "64KB"}),
      });
  return schema;
}

}  // namespace caddis::settings
