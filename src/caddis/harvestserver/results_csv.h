// Results of harvests as CSV (RFC 4180), of any number: the body is made piece by piece.
#pragma once

#include "caddis/base/error.h"
#include "caddis/harvest/jobs.h"
#include "caddis/http/server.h"
#include "caddis/sql/database.h"

namespace caddis::harvestserver {

// The database must outlive the response.
Result<http::ServerResponse> results_as_csv(sql::Database& database, harvest::ResultQuery query);

}  // namespace caddis::harvestserver
