// Answers to queries of captures, made while they are sent: a slice of the search, then others get their turn. None holds
// more than a piece, whatever the index has.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/query.h"
#include "caddis/http/server.h"

namespace caddis::cdxserver {

// The most that one answer may take; 0 for no limit. An answer that is cut says so: by a key with which it goes on if that
// was asked for, otherwise by breaking off.
struct AnswerLimits {
  Duration time{};  // of work, not of waiting for the client
  uint64_t bytes = 0;
};

// The same body, which breaks off when it has taken more: ErrorCode::timeout or limit. The error names the option that bounds
// it. The clock outlives it.
std::unique_ptr<http::BodySource> limited_body(std::unique_ptr<http::BodySource> body, const Clock& clock,
                                               const AnswerLimits& limits);

// 400 if the query cannot be answered. Output::link is not answered here (replay/list_bodies.h).
http::ServerResponse answer_query(cdx::CaptureIndex& index, const cdx::Query& query, const http::ServerRequest& request,
                                  const Clock& clock, const AnswerLimits& limits = {});

// The same from the query string of the request.
http::ServerResponse answer_query_string(cdx::CaptureIndex& index, cdx::Dialect dialect,
                                         const http::ServerRequest& request, const Clock& clock,
                                         const AnswerLimits& limits = {});

// The refusal of a question that cannot be answered, with the status that its error means.
http::ServerResponse refusal_of(const Error& error);
// The refusal of an answer that failed before anything of it was sent, though its question is in order: 413 if it is larger
// than it may be (ErrorCode::limit), 504 if it takes longer (ErrorCode::timeout), 500 for all else.
http::ServerResponse refusal_of_body(const Error& error);

// The nearest capture of url= and timestamp=, in JSON as the Internet Archive's /wayback/available has it. `address` makes
// the address of a capture.
http::ServerResponse answer_available(cdx::CaptureIndex& index, const http::ServerRequest& request,
                                      const std::function<std::string(const cdx::Capture&)>& address);

// Says in the field Caddis-Incomplete why something is missing in the answer, besides what stands there; empty: nothing is
// said.
void tell_incomplete(http::ServerResponse& response, std::string_view what);
// The same, if a query has passed over lines that cannot be parsed (cdx::QueryRun::broken_lines): "broken-lines".
void tell_broken_lines(http::ServerResponse& response, uint64_t broken);

// The same, if names in a query mean nothing here: "unknown-fields: nosuch, bogus". `names` may hold any bytes.
void tell_unknown(http::ServerResponse& response, std::string_view what, std::string_view names);

// Gives the response this body; its first piece is made at once, so that an error in it is the answer
// (refusal_of_body).
http::ServerResponse begin_answer(http::ServerResponse response, std::unique_ptr<http::BodySource> source);

}  // namespace caddis::cdxserver
