// The pages about a collection that stand beside its captures:
//
//   /<collection>/search?url=…     search_page.h
//   /<collection>/export?url=…&as= the results as a file
//   /<collection>/info?url=&time=  one capture
//   /<collection>/compare?url=&a=&b=&by=   two captures
//   /<collection>/qa               what replayed pages missed (missed.h)
//   /-/search?url=…                all collections together
//
// Their questions stand in the query, so that a URL with a query of its own is no riddle.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdxserver/query_answer.h"
#include "caddis/http/server.h"
#include "caddis/replay/collection.h"
#include "caddis/replay/request_context.h"

namespace caddis::replay {

// The fields of a query string.
class FormValues {
 public:
  explicit FormValues(std::string_view query_string);
  // The first of that name; empty if there is none.
  std::string_view get(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

// Whether what stands behind "/<collection>/" is one of these, and no address of a capture.
bool is_own_route(std::string_view rest);
http::ServerResponse answer_own_route(const RequestContext& context, std::string_view rest);
// For all collections. `query_string` is that of "/-/search".
http::ServerResponse answer_search_everywhere(const pages::Writer& writer, const std::vector<Collection*>& collections,
                                              std::string_view query_string, const cdxserver::AnswerLimits& limits);

// The capture of exactly that time, the one whose spelling is the URL's first; without one the nearest.
Result<std::optional<cdx::Capture>> capture_at(Collection& collection, std::string_view url,
                                               std::string_view timestamp);
// A page that tells why a question cannot be answered.
http::ServerResponse failed_page(const RequestContext& context, const Error& error);

http::ServerResponse answer_info(const RequestContext& context, const FormValues& asked);
http::ServerResponse answer_compare(const RequestContext& context, const FormValues& asked);
http::ServerResponse answer_qa(const RequestContext& context, const FormValues& asked);

}  // namespace caddis::replay
