// The body of a request as HTML's forms are sent: `action=launch&checkpoint=cp00001`, percent-encoded, "+" for a blank;
// packed if the client says so (Content-Encoding). Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/http/server.h"

namespace caddis::rest {

class Form {
 public:
  // `text`: pairs with "&" between them. Any text is a form.
  static Form parse(std::string_view text);
  // The body of a request. ErrorCode::parse if it is not in the coding that it names, ErrorCode::limit if it is too
  // long when unpacked, ErrorCode::unsupported for a type that is no form.
  static Result<Form> of(const http::ServerRequest& request);

  // The first value of a field; nothing if it is missing.
  std::optional<std::string> find(std::string_view name) const;
  // Empty if it is missing.
  std::string text(std::string_view name) const { return find(name).value_or(""); }
  // A box that is ticked: "on", "true", "yes", "1", or nothing behind the name.
  bool ticked(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace caddis::rest
