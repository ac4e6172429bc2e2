// The XML by which OpenWayback asks an index on another machine: q=type:urlquery url:… (captures of a URL) and
// type:prefixquery (URLs that begin so, with how many captures they have). startdate: and enddate: narrow both down.
#pragma once

#include <functional>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdxserver/query_answer.h"
#include "caddis/http/server.h"

namespace caddis::cdxserver {

using CaptureFilter = std::function<bool(const cdx::Capture&)>;

// `q` and its likes from the query string of the request.
http::ServerResponse answer_xml_query(cdx::CaptureIndex& index, const http::ServerRequest& request, const Clock& clock,
                                      const CaptureFilter& allowed, const AnswerLimits& limits);

}  // namespace caddis::cdxserver
