// A request as a client sends it to the server (RFC 9112 section 3), and what of it is recorded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/http/head.h"

namespace caddis::http {

struct Header {
  std::string name, value;
  bool secret = false;  // sent, but not recorded: an archive is read by others
};

struct Request {
  std::string method = "GET";
  std::string target = "/";
  Version version = {1, 1};
  std::vector<Header> headers;  // in the order sent; Host and, with a body, Content-Length are the caller's
  std::string body;
  // The target and the body for others to see, if they hold a secret; and which parts of them do: "form field pwd".
  struct Shown {
    std::string target, body;
    std::string masked;
  };
  std::optional<Shown> shown;
  uint64_t ticket = 0;  // by which Client::end finds the exchange; nothing of it is sent

  void add(std::string_view name, std::string_view value) {
    headers.push_back({std::string(name), std::string(value)});
  }
  void add_secret(std::string_view name, std::string_view value) {
    headers.push_back({std::string(name), std::string(value), true});
  }
  bool has_secrets() const;
  // "Authorization, Cookie, form field pwd"; empty if there are none.
  std::string secret_names() const;
  // For the wire. CR, LF and NUL inside of names and values are left out: nobody can smuggle a second request in.
  std::string bytes() const { return serialize(true); }
  // For the record: without secrets. The length of a body is that of the one that is shown.
  std::string recorded_bytes() const { return serialize(false); }

 private:
  std::string serialize(bool secrets) const;
};

}  // namespace caddis::http
