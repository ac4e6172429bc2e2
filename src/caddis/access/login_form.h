// Internal: what a request to the gate's own pages brings, and the page that asks for a log-in. Pure, any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/http/server.h"

namespace caddis::access {

// The fields of a body, be it a JSON object or a form (application/x-www-form-urlencoded). What begins with '{' is JSON
// whatever its type, for curl calls all that it sends a form, and no form of a browser begins so.
class BodyFields {
 public:
  // ErrorCode::parse if it is neither; ErrorCode::limit over 16 KB.
  static Result<BodyFields> parse(const http::ServerRequest& request);
  bool is_form() const { return is_form_; }
  // ErrorCode::parse, with its name, if there is a field that is none of `known`.
  Result<void> expect_only(std::span<const std::string_view> known) const;
  // Texts; numbers and booleans as they are written.
  std::optional<std::string> find(std::string_view name) const;
  std::string text(std::string_view name) const { return find(name).value_or(""); }

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> values_;  // nothing for null
  bool is_form_ = false;
};

// `problem`: why the last try failed; may be empty. `next`: where to go then.
http::ServerResponse login_page(int status, std::string_view base, std::string_view problem, std::string_view next);

// "%2Fa" as "/a"; "+" is a blank. What is no such code stays as it is.
std::string decoded_form(std::string_view text);

}  // namespace caddis::access
