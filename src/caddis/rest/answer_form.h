// The form of an answer: XML, its twin in JSON, or a page for people, by what the client accepts (RFC 9110 section
// 12.5.1). Without a wish it is XML: scripts often name none.
//
// Pure functions, any thread.
#pragma once

#include <string_view>

#include "caddis/http/server.h"
#include "caddis/rest/document.h"

namespace caddis::rest {

enum class AnswerForm { xml, json, page };

AnswerForm answer_form(std::string_view accept);

// `form`: xml or json.
http::ServerResponse document_response(int status, std::string_view root, const Node& document, AnswerForm form);

}  // namespace caddis::rest
