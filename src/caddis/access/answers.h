// Answers of our own servers to those who are not let in, and what every answer says to browsers. Pure, any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/http/server.h"

namespace caddis::access {

// {"error": message}
http::ServerResponse error_answer(int status, std::string_view message);
// 400 for what is wrong with the request, 404 for what is not there, 409 for what contradicts the state, 500 for what
// failed here.
http::ServerResponse error_answer(const Error& error);
// 303 (RFC 9110 section 15.4.4).
http::ServerResponse redirect(std::string_view path);

// Returns the response with what every answer says to browsers: not to be shown within another page, not to be kept,
// and nothing but what its type says. Fields that it has already stay.
http::ServerResponse guarded(http::ServerResponse response);

// True for methods that change something: all but GET, HEAD and OPTIONS.
bool is_change(std::string_view method);
// "127.0.0.1" and its like, "::1", and whoever asks over a Unix socket.
bool is_loopback(std::string_view address);
// True if a person's browser asks for a page.
bool wants_page(const http::ServerRequest& request);
// A path of this server to lead a browser to: `path`, or "/" if it leads elsewhere.
std::string own_path(std::string_view path);

}  // namespace caddis::access
