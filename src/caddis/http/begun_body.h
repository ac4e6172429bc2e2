// A body whose first piece was made at once, so that an error in it could still be the answer.
#pragma once

#include <memory>
#include <string>

#include "caddis/http/server.h"

namespace caddis::http {

// Gives `first`, and then what `rest` gives; null: nothing more.
std::unique_ptr<BodySource> begun_body(std::string first, std::unique_ptr<BodySource> rest);

}  // namespace caddis::http
