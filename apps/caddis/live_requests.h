// Requests that may have something fetched from the live web: those of people, and of pages of the archive. Another site
// may not. Pure functions, any thread; requests have the base path no more.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/http/server.h"

namespace caddis::cli {

// "/<collection>/<rest>"
struct AskedPlace {
  std::string collection, rest;
};
// The collection that a target names; none for the server's own places.
std::optional<AskedPlace> asked_place(std::string_view target);

bool is_of_a_stranger(const http::ServerRequest& request);
// Whether a page sends it that is no page of this server: below a base path, a host has other things, too.
bool is_outside(const http::ServerRequest& request, std::string_view base);
// The URL of the captured page that asks, by its address here; empty if there is none.
std::string page_of(const http::ServerRequest& request, std::string_view base);

}  // namespace caddis::cli
