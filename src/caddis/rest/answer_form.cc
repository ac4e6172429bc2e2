#include "caddis/rest/answer_form.h"

#include "caddis/base/strings.h"

namespace caddis::rest {

// The first type that is known counts: clients of Heritrix name one, browsers begin with text/html.
AnswerForm answer_form(std::string_view accept) {
  for (const std::string_view part : split(accept, ',')) {
    const std::string_view type = trim(part.substr(0, part.find(';')));
    if (equals_ignore_case(type, "application/xml") || equals_ignore_case(type, "text/xml")) return AnswerForm::xml;
    if (equals_ignore_case(type, "application/json")) return AnswerForm::json;
    if (equals_ignore_case(type, "text/html") || equals_ignore_case(type, "application/xhtml+xml"))
      return AnswerForm::page;
  }
  return AnswerForm::xml;
}

http::ServerResponse document_response(int status, std::string_view root, const Node& document, AnswerForm form) {
  if (form == AnswerForm::json) return http::json_response(status, to_json(document));
  http::ServerResponse response(status);
  response.headers.emplace_back("Content-Type", "application/xml; charset=utf-8");
  response.headers.emplace_back("Cache-Control", "no-store");
  response.body = to_xml(root, document);
  return response;
}

}  // namespace caddis::rest
