// The routes of the API: a table for each part of it, and the answer by them.
//
// Any thread; handlers wait for the database and the disk.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/access/identity.h"
#include "caddis/base/error.h"
#include "caddis/control/parameters.h"
#include "caddis/engine/path_pattern.h"
#include "caddis/harvest/edit.h"
#include "caddis/harvest/jobs.h"
#include "caddis/harvestserver/parts.h"
#include "caddis/http/server.h"

namespace caddis::harvestserver {

struct Call {
  const Parts& parts;
  const http::ServerRequest& request;
  const access::Identity& identity;
  engine::Segments segments = {};
  control::Parameters parameters = {};
  // Set by a handler: the answer is that of a crawl, which has been asked.
  struct Question {
    int64_t id = 0;
    bool takes_long = false;
  };
  Question* question = nullptr;

  const std::string& segment(std::string_view name) const { return segments.find(name)->second; }
  // A number in the path: a job.
  Result<int64_t> number(std::string_view name) const;
  // A number among the parameters.
  Result<int64_t> parameter(std::string_view name, int64_t otherwise) const;
  harvest::Edit edit() const { return {identity.name, parts.now()}; }
  const std::string& body() const { return request.body; }
};

using Answer = Result<http::ServerResponse>;

struct Route {
  std::string_view method, path, parameters;
  Answer (*handler)(const Call&);
  access::Role needs = access::Role::none;  // none: viewer for GET, manager for all else
};

// The role that a request of the route needs.
access::Role role_of(const Route& route);
// All tables one after another.
std::vector<Route> all_routes();

std::span<const Route> server_routes();
std::span<const Route> domain_routes();
std::span<const Route> plan_routes();
std::span<const Route> harvest_routes();
std::span<const Route> job_routes();
std::span<const Route> review_routes();
std::span<const Route> frontier_routes();
std::span<const Route> store_routes();
std::span<const Route> harvester_routes();

// 200 with JSON; "{}" if there is nothing to say.
http::ServerResponse json_answer(std::string json);

// Asks the crawl of a job that runs: what it says is the answer to the call.
// `change`: what goes on record with the question; empty: nothing.
Answer ask_crawl(const Call& call, int64_t job, std::string_view kind, const std::string& text,
                 const std::string& change = {});
// The answer to a question of a crawl, if it has come; nothing: not yet. If it is waited for no longer, it is 202 with the
// question as it stands, or 503 if it changes nothing.
enum class Waits : uint8_t { on, no_longer };
std::optional<http::ServerResponse> crawl_answer(const Parts& parts, int64_t question, Waits waits);

// A job is steered by operators, and by the curator who has made its harvest: ErrorCode::denied for anybody else.
Result<void> require_steering(const Call& call, int64_t job);
Result<void> require_steering(const Call& call, const std::string& harvest);
// The job as JSON; whoever may not see secrets does not.
std::string job_json_for(const Call& call, harvest::Job job);

// The role that a request to the API needs: what harvesters ask is below /api/harvesters/, and nothing else is for them.
access::Role role_for(const http::ServerRequest& request);

// 404 and 405 for what no table has.
http::ServerResponse answer_by_tables(Call call);

}  // namespace caddis::harvestserver
