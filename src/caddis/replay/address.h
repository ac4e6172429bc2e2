// The addresses of a wayback machine, as everyone else's tools know them:
//
//   <timestamp><modifier>/<url>       replay of the capture nearest to the timestamp (20260102030405im_/http://…)
//   <modifier>/<url>, <url>           of the latest
//   */<url>, 2026*/<url>, 2025-2026/<url>, 2025-2026*/<url>   the captures of a URL, in a period
//   20260102030405*/<url>, 20260000000000*/<url>   those of the year
//   *exact/<url>, 2026*exact/<url>    those of exactly this URL, without others that share its key
//   */<url>*                          the URLs that begin so
//   */*.<domain>                      those of all hosts of a domain
//
// An Address is what stands behind "/<collection>/". Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caddis::replay {

// What a URL is asked for: decides rewriting.
enum class Modifier {
  page,           // ""   a page as people open it: in a window with the banner
  main,           // mp_  the page itself, without the one around it
  frame,          // if_  a page in a frame (also fr_)
  script,         // js_  (also sw_)
  worker,         // wkr_ the script that a worker begins with
  worker_module,  // wm_
  style,          // cs_
  image,          // im_
  other,          // oe_  whatever else a page embeds
  identity,       // id_  the body as captured (also ir_)
};

std::string_view to_string(Modifier modifier);
// Of a name with its underscore; unknown ones are pages without banner.
Modifier modifier_from(std::string_view name);
// True for what runs as a script, whoever asks for it.
constexpr bool is_script(Modifier modifier) {
  return modifier == Modifier::script || modifier == Modifier::worker || modifier == Modifier::worker_module;
}
// True for what a person navigates to; such requests are led to the exact address of a capture.
constexpr bool is_page(Modifier modifier) {
  return modifier == Modifier::page || modifier == Modifier::main || modifier == Modifier::frame;
}

struct Address {
  enum class Kind { replay, captures, urls, domain };
  Kind kind = Kind::replay;
  std::string timestamp;  // replay: as asked, may be empty (latest) or short
  std::string from, to;   // of the others: the period
  bool is_exact = false;  // captures: without those of other URLs that share the key
  Modifier modifier = Modifier::page;
  std::string url;          // with a scheme
  bool has_scheme = false;  // replay: http: or https: was asked for, and is not added
};

// Nothing where there is no URL in it.
std::optional<Address> parse_address(std::string_view text);

// Whether "cdx", "timemap/…" or "timegate/…" stands behind "/<collection>/", in the place of an address.
bool is_api(std::string_view rest);

// The address of a capture; nothing for what else may stand there.
std::optional<Address> capture_address(std::string_view rest);

// Adds "http://" where a scheme is missing, and repairs what browsers and people do to a URL inside a URL: "https:/x"
// and "http%3A%2F%2Fx".
std::string repair_url(std::string_view text);

// A URL as it may stand in a header: blanks, control characters and bytes that are not ASCII escaped.
std::string header_url(std::string_view url);

}  // namespace caddis::replay
