// Writes and reads the documents of the control API (api_types.h) as JSON. The names of their fields stand in one table
// a document, in api_json.cc. Pure functions, any thread.
//
//   http::json_response(200, api::to_json(status));
//   TRY(const auto status, api::from_json<api::Status>(answer));
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/control/api_types.h"

namespace caddis::control::api {

// For each type of api_types.h, and lists of queues.
template <class Document>
std::string to_json(const Document& document);

// ErrorCode::parse if a field is missing or of another type. Fields that are not known are left out: a newer crawl may
// say more.
template <class Document>
Result<Document> from_json(std::string_view json);

}  // namespace caddis::control::api
