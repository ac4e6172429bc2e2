// An index server with OutbackCDX's API, over a folder of indexes that take lines while they are asked. docs/index-server.md
// has all requests:
//
//   POST /NAME, /NAME/delete                 lines are added, removed
//   GET  /NAME?url=…, ?q=…                   captures, in OutbackCDX's dialect; OpenWayback's XML
//   GET  /NAME/cdx?…, /NAME/cdx/search/cdx   the same in pywb's dialect and the Internet Archive's
//   GET  /NAME/ap/POINT?url=…                the same, of what that access point may see
//   GET, POST /NAME/ap/POINT/check           whether captures are shown there
//   GET, POST, DELETE /NAME/access/rules, GET, POST /NAME/access/policies
//   GET  /NAME/stats, captures, aliases, cube, changes, sequence
//   POST /NAME/compact, checkpoint, truncate_replication, upgrade
//   GET  /, /api/collections, /cdx/search/cdx (where there is one index)
//
// One loop; what blocks is done on the workers. Loop, workers and folder outlive the server, and the server every call.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "caddis/access/identity.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/task.h"
#include "caddis/cdxserver/index_folder.h"
#include "caddis/cdxserver/index_metrics.h"
#include "caddis/cdxserver/query_answer.h"
#include "caddis/cdxserver/xml_query.h"
#include "caddis/http/server.h"

namespace caddis::cdxserver {

struct IndexServerOptions {
  AnswerLimits limits;
  std::string checkpoint_folder;   // empty: none are made
  bool is_read_only = false;       // a copy of another index takes no lines
  bool takes_rules = true;         // of access
  std::set<std::string> followed;  // names of copies: their access points are closed until they have rules
};

// The index that a request is about, and what is to be done.
struct IndexRequest {
  std::string name;    // of the index
  std::string action;  // what follows it: "", "delete", "ap/public"
};
IndexRequest index_request(std::string_view path);

class IndexServer {
 public:
  IndexServer(IndexFolder& folder, const Clock& clock, aio::Loop& loop, aio::Blocking& workers,
              IndexServerOptions options)
      : folder_(folder), clock_(clock), loop_(loop), workers_(workers), options_(std::move(options)) {}
  IndexServer(const IndexServer&) = delete;
  IndexServer& operator=(const IndexServer&) = delete;

  // Requests whose body is lines (http::ServerSettings::reads_body).
  static bool reads_body(const http::ServerRequest& request);
  static access::Role needed_role(const http::ServerRequest& request);

  // `user`: who asks, for the record of rules that are changed.
  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request, std::string user = "anonymous");
  // GET /metrics. `refused` requests did not come here, since their client had sent too many.
  aio::Task<http::ServerResponse> answer_metrics(uint64_t refused);
  // Waits for work that goes on behind answers.
  aio::Task<void> stop();

 private:
  aio::Task<http::ServerResponse> answer_it(const http::ServerRequest& request, std::string user);
  aio::Task<http::ServerResponse> answer_post(const http::ServerRequest& request, IndexRequest what, std::string user);
  aio::Task<http::ServerResponse> take_lines(const http::ServerRequest& request, IndexRequest what);
  aio::Task<void> compact(std::shared_ptr<ServedIndex> index);
  // On the loop: nothing if the disk has to be waited for, or the answer is long.
  std::optional<http::ServerResponse> answer_from_memory(const http::ServerRequest& request, const IndexRequest& what);
  http::ServerResponse answer_get(const http::ServerRequest& request, const IndexRequest& what);
  http::ServerResponse answer_of(ServedIndex& index, const http::ServerRequest& request, const IndexRequest& what);
  http::ServerResponse answer_about(ServedIndex& index, const http::ServerRequest& request, std::string_view action);
  http::ServerResponse answer_captures(ServedIndex& index, const http::ServerRequest& request,
                                       const CaptureFilter& allowed);
  http::ServerResponse answer_access_point(ServedIndex& index, const http::ServerRequest& request,
                                           std::string_view point);
  // Why nobody is answered at access points: a copy has no rules yet.
  std::optional<http::ServerResponse> refuse_points(const ServedIndex& index) const;
  http::ServerResponse refuse_rules() const;
  http::ServerResponse delete_rule(const IndexRequest& what);
  http::ServerResponse answer_of_one(const http::ServerRequest& request);
  http::ServerResponse make_checkpoint(ServedIndex& index, const http::ServerRequest& request) const;

  IndexFolder& folder_;
  const Clock& clock_;
  aio::Loop& loop_;
  aio::Blocking& workers_;
  const IndexServerOptions options_;
  IndexCounts counts_;
  std::set<std::string> compacted_;    // names of indexes that are just compacted
  std::set<std::string> checkpoints_;  // that are just made: NAME/INDEX
  aio::Nursery nursery_;               // last: its children use all the rest
};

}  // namespace caddis::cdxserver
