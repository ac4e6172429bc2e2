#include "caddis/cdxserver/index_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/query.h"
#include "caddis/cdxserver/access_answers.h"
#include "caddis/cdxserver/index_about.h"
#include "caddis/cdxserver/index_checkpoint.h"
#include "caddis/cdxserver/line_intake.h"
#include "caddis/metrics/exposition.h"
#include "caddis/store/memory_only.h"

namespace caddis::cdxserver {
namespace {

constexpr uint64_t kSmallBody = 1 << 20;   // of requests that are not lines
constexpr uint64_t kRulesBody = 16 << 20;  // of rules, which only managers send

http::ServerResponse not_found() {
  return http::text_response(404, "there is no such thing here; / lists the indexes");
}

std::string parameter(const http::ServerRequest& request, std::string_view name) {
  for (auto& [known, value] : cdx::parse_form(request.query))
    if (known == name) return value;
  return {};
}
bool has_parameter(const http::ServerRequest& request, std::string_view name) {
  return std::ranges::any_of(cdx::parse_form(request.query), [&](const auto& part) { return part.first == name; });
}

Result<IntakeOptions> intake_options(const http::ServerRequest& request, bool is_deletion) {
  IntakeOptions options;
  options.is_deletion = is_deletion;
  for (const auto& [name, value] : cdx::parse_form(request.query)) {
    if (name == "badLines" && (value == "skip" || value == "error"))
      options.skip_bad = value == "skip";
    else if (name == "recanonicalize" && (value == "0" || value == "1"))
      options.makes_keys = value == "1";
    else
      return fail(ErrorCode::parse,
                  name + "=" + value + ": lines are sent with badLines=error|skip and recanonicalize=0|1");
  }
  return options;
}

// "public" of "ap/public/check"; nothing of anything else.
std::optional<std::string> checked_point(std::string_view action) {
  if (!action.starts_with("ap/") || !action.ends_with("/check")) return std::nullopt;
  action.remove_prefix(3);
  if (action.size() <= 6) return std::nullopt;
  action.remove_suffix(6);
  return action.find('/') == std::string_view::npos ? std::optional(std::string(action)) : std::nullopt;
}

// Questions of captures, which most clients ask all day.
bool asks_for_captures(const http::ServerRequest& request, std::string_view action) {
  if (action.empty()) return !request.query.empty();
  for (const std::string_view one : {"cdx", "index", "cdx/search/cdx", "search/cdx"})
    if (action == one) return true;
  return action.starts_with("ap/") && !checked_point(action);
}

}  // namespace

IndexRequest index_request(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  const size_t slash = std::min(path.find('/'), path.size());
  return {std::string(path.substr(0, slash)), std::string(path.substr(std::min(slash + 1, path.size())))};
}

bool IndexServer::reads_body(const http::ServerRequest& request) {
  return request.method == "POST" && is_index_name(index_request(request.path).name);
}

access::Role IndexServer::needed_role(const http::ServerRequest& request) {
  const bool reads = request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS";
  // Many questions are posted.
  return reads || checked_point(index_request(request.path).action) ? access::Role::viewer : access::Role::manager;
}

aio::Task<http::ServerResponse> IndexServer::answer(const http::ServerRequest& request, std::string user) {
  http::ServerResponse response = co_await answer_it(request, std::move(user));
  counts_.count_answer(response.status);
  co_return response;
}

aio::Task<http::ServerResponse> IndexServer::answer_metrics(uint64_t refused) {
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(metrics::kMediaType)}, {"Cache-Control", "no-store"}};
  const IndexCounts counts = counts_;
  std::function<void()> work = [&] { response.body = index_metrics(folder_.opened(), counts, refused); };
  co_await workers_.run(loop_, std::move(work));
  co_return response;
}

aio::Task<http::ServerResponse> IndexServer::answer_it(const http::ServerRequest& request, std::string user) {
  IndexRequest what = index_request(request.path);
  if (request.method == "POST") co_return co_await answer_post(request, std::move(what), std::move(user));
  const bool is_deletion = request.method == "DELETE" && what.action.starts_with("access/");
  if (is_deletion && !options_.takes_rules) co_return refuse_rules();
  if (request.method != "GET" && request.method != "HEAD" && !is_deletion) {
    http::ServerResponse refused = http::text_response(405, "an index is asked with GET, and takes lines by POST");
    refused.headers.emplace_back("Allow", "GET, HEAD, POST");
    co_return refused;
  }
  // The way to a worker and back costs more than most answers.
  std::optional<http::ServerResponse> at_once = is_deletion ? std::nullopt : answer_from_memory(request, what);
  http::ServerResponse response;
  if (at_once) {
    response = *std::move(at_once);
  } else {
    std::function<void()> work = [&] { response = is_deletion ? delete_rule(what) : answer_get(request, what); };
    co_await workers_.run(loop_, std::move(work));
  }
  log_info("index", "{} {}: {}", request.method, request.target, response.status);
  co_return response;
}

aio::Task<void> IndexServer::stop() { co_await nursery_.join(); }

// ---- POST

aio::Task<http::ServerResponse> IndexServer::answer_post(const http::ServerRequest& request, IndexRequest what,
                                                         std::string user) {
  const auto point = checked_point(what.action);
  const bool is_of_access = what.action.starts_with("access/");
  if (is_of_access && !options_.takes_rules) co_return refuse_rules();
  if (options_.is_read_only && !point && !is_of_access)
    co_return http::text_response(403, "this is a copy of another index, which takes the lines");
  if (what.action.empty() || what.action == "delete") co_return co_await take_lines(request, std::move(what));
  const uint64_t longest = what.action == "access/rules" ? kRulesBody : kSmallBody;
  std::string body = request.body;
  while (request.reader != nullptr) {
    auto piece = co_await request.reader->read();
    if (!piece) co_return refusal_of(piece.error());
    if (piece->empty()) break;
    body += *piece;
    if (body.size() > longest) co_return http::text_response(413, "the body is too long");
  }
  const bool is_checkpoint = what.action == "checkpoint";
  const std::string checkpoint = is_checkpoint ? parameter(request, "name") + '/' + what.name : std::string();
  if (is_checkpoint && !checkpoints_.insert(checkpoint).second)
    co_return http::text_response(409, "a checkpoint of that name is being made");
  http::ServerResponse response = not_found();
  std::shared_ptr<ServedIndex> index;
  std::function<void()> work = [&] {
    auto found = folder_.find(what.name);
    if (!found) {
      response = refusal_of(found.error());
      return;
    }
    index = *std::move(found);
    if (point) {
      auto refused = refuse_points(*index);
      response = refused ? *std::move(refused) : answer_checks(*index->access, *point, body, clock_.wall());
    } else if (is_of_access) {
      response =
          change_access(*index->access, std::string_view(what.action).substr(7), body, request, user, clock_.wall());
    } else if (what.action == "truncate_replication") {
      const auto flushed = index->store->store().flush();
      response = flushed ? http::text_response(200, "what is kept for others goes with its time")
                         : refusal_of(flushed.error());
    } else if (is_checkpoint) {
      response = make_checkpoint(*index, request);
    } else if (what.action == "upgrade") {
      response = http::text_response(200, "the index is as this version writes it");
    }
  };
  co_await workers_.run(loop_, std::move(work));
  if (is_checkpoint) checkpoints_.erase(checkpoint);
  if (index == nullptr || what.action != "compact") co_return response;
  if (!compacted_.insert(index->name).second) co_return http::text_response(409, "it is being compacted already");
  nursery_.spawn(compact(std::move(index)));
  co_return http::text_response(202, "it is being compacted");
}

aio::Task<void> IndexServer::compact(std::shared_ptr<ServedIndex> index) {
  Result<void> done;
  std::function<void()> work = [&] { done = index->store->store().compact(); };
  co_await workers_.run_piece(loop_, std::move(work));
  if (done)
    log_info("index", "{} is compacted: {} bytes", index->name, index->store->store().bytes_on_disk());
  else
    log_warn("index", "{} was not compacted: {}", index->name, done.error().message);
  compacted_.erase(index->name);
}

aio::Task<http::ServerResponse> IndexServer::take_lines(const http::ServerRequest& request, IndexRequest what) {
  const bool is_deletion = what.action == "delete";
  const auto options = intake_options(request, is_deletion);
  if (!options) co_return refusal_of(options.error());
  Result<std::shared_ptr<ServedIndex>> index;
  std::function<void()> open = [&] { index = is_deletion ? folder_.find(what.name) : folder_.find_or_make(what.name); };
  co_await workers_.run(loop_, std::move(open));
  if (!index) co_return refusal_of(index.error());
  LineIntake intake(*(*index)->store, *options);
  for (bool more = true; more;) {
    std::string piece = request.body;
    if (request.reader != nullptr) {
      auto read = co_await request.reader->read();
      // The request is not whole: its last part is not committed.
      if (!read) co_return refusal_of(read.error());
      piece = *std::move(read);
    }
    more = request.reader != nullptr && !piece.empty();
    Result<void> taken;
    std::function<void()> work = [&] {
      taken = intake.take(piece);
      if (taken && !more) taken = intake.finish();
    };
    co_await workers_.run(loop_, std::move(work));
    if (!taken) co_return refusal_of(taken.error());
  }
  (is_deletion ? counts_.deleted : counts_.added) += intake.taken();
  std::string told = fmt::format("{} {} records", is_deletion ? "Deleted" : "Added", intake.taken());
  if (intake.skipped() > 0) told += fmt::format(", {} bad lines were passed over", intake.skipped());
  co_return http::text_response(200, told);
}

http::ServerResponse IndexServer::make_checkpoint(ServedIndex& index, const http::ServerRequest& request) const {
  if (options_.checkpoint_folder.empty())
    return http::text_response(501,
                               "there is no folder for checkpoints: caddis index serve --checkpoint-dir names one");
  const std::string name = parameter(request, "name");
  if (!is_index_name(name))
    return http::text_response(400, "name= names the checkpoint: letters, digits, '-', '_', '.'");
  const std::string folder = io::join_path(options_.checkpoint_folder, name);
  if (const auto made = folder_.files().make_dirs(folder); !made) return refusal_of(made.error());
  const auto done = make_index_checkpoint(folder_.files(), index, io::join_path(folder, index.name));
  return done ? http::text_response(200, "the checkpoint is made: " + name + "/" + index.name)
              : refusal_of(done.error());
}

// ---- GET

std::optional<http::ServerResponse> IndexServer::answer_from_memory(const http::ServerRequest& request,
                                                                    const IndexRequest& what) {
  if (!asks_for_captures(request, what.action)) return std::nullopt;
  const auto index = folder_.find_opened(what.name);
  if (index == nullptr) return std::nullopt;
  const store::MemoryOnly reading;
  http::ServerResponse response = answer_of(*index, request, what);
  if (reading.has_missed() || response.source != nullptr) return std::nullopt;
  return response;
}

http::ServerResponse IndexServer::answer_get(const http::ServerRequest& request, const IndexRequest& what) {
  if (what.name.empty()) return answer_start_page(folder_);
  if (what.name == "api") return what.action == "collections" ? answer_list(folder_) : not_found();
  if (what.name == "cdx" || what.name == "wayback" || what.name == "web") return answer_of_one(request);
  const auto index = folder_.find(what.name);
  return index ? answer_of(**index, request, what) : refusal_of(index.error());
}

http::ServerResponse IndexServer::answer_of(ServedIndex& index, const http::ServerRequest& request,
                                            const IndexRequest& what) {
  if (what.action.empty()) {
    if (request.query.empty()) return answer_index_page(index);
    return answer_captures(index, request, CaptureFilter());
  }
  if (what.action.starts_with("ap/"))
    if (auto refused = refuse_points(index)) return *std::move(refused);
  if (const auto point = checked_point(what.action)) return answer_check(*index.access, *point, request, clock_.wall());
  if (what.action.starts_with("ap/")) return answer_access_point(index, request, what.action.substr(3));
  if (what.action == "access/all") return answer_access_copy(*index.access, request);
  if (what.action.starts_with("access/"))
    return answer_access(*index.access, what.name, std::string_view(what.action).substr(7), request);
  return answer_about(index, request, what.action);
}

std::optional<http::ServerResponse> IndexServer::refuse_points(const ServedIndex& index) const {
  if (!options_.followed.contains(index.name) || index.access->is_kept()) return std::nullopt;
  http::ServerResponse refused = http::text_response(
      503, "this copy of an index does not have its access rules yet, so nothing is shown at access points");
  refused.headers.emplace_back("Retry-After", "10");
  return refused;
}

http::ServerResponse IndexServer::refuse_rules() const {
  return http::text_response(403, options_.followed.empty()
                                      ? "nothing is changed here (--read-only)"
                                      : "this is a copy of another index: change its access rules there");
}

http::ServerResponse IndexServer::delete_rule(const IndexRequest& what) {
  const auto index = folder_.find(what.name);
  return index ? remove_access(*(*index)->access, std::string_view(what.action).substr(7)) : refusal_of(index.error());
}

http::ServerResponse IndexServer::answer_about(ServedIndex& index, const http::ServerRequest& request,
                                               std::string_view action) {
  using enum cdx::Dialect;
  if (action == "cdx" || action == "index")
    return answer_query_string(index.index, pywb, request, clock_, options_.limits);
  if (action == "cdx/search/cdx" || action == "search/cdx")
    return answer_query_string(index.index, internet_archive, request, clock_, options_.limits);
  if (action == "stats") return answer_stats(index, request.query);
  if (action == "captures") return answer_rows(index, request.query);
  if (action == "aliases") return answer_aliases(index, request.query);
  if (action == "cube") return answer_cube(index);
  if (action == "changes") return answer_changes(index, request.query);
  if (action == "sequence") return http::text_response(200, std::to_string(index.store->store().sequence()));
  return not_found();
}

http::ServerResponse IndexServer::answer_captures(ServedIndex& index, const http::ServerRequest& request,
                                                  const CaptureFilter& allowed) {
  if (has_parameter(request, "q")) return answer_xml_query(index.index, request, clock_, allowed, options_.limits);
  auto query = cdx::parse_query(request.query, cdx::Dialect::outback);
  if (!query) return refusal_of(query.error());
  query->left_out.allowed = allowed;
  http::ServerResponse response = answer_query(index.index, *query, request, clock_, options_.limits);
  if (query->key.empty() && response.status == 200)
    response.headers.emplace_back("outbackcdx-urlkey", cdx::url_key(query->url, index.store->policy()));
  return response;
}

http::ServerResponse IndexServer::answer_access_point(ServedIndex& index, const http::ServerRequest& request,
                                                      std::string_view point) {
  if (point.empty() || point.find('/') != std::string_view::npos) return not_found();
  return answer_captures(index, request, index.access->shown_at(std::string(point), clock_.wall()));
}

// Addresses of the Internet Archive name no index.
http::ServerResponse IndexServer::answer_of_one(const http::ServerRequest& request) {
  if (request.path != "/cdx/search/cdx") return not_found();
  const auto names = folder_.names();
  if (!names) return refusal_of(names.error());
  if (names->size() != 1)
    return http::text_response(404, fmt::format("there are {} indexes: ask /NAME/cdx/search/cdx", names->size()));
  const auto index = folder_.find(names->front());
  if (!index) return refusal_of(index.error());
  return answer_query_string((*index)->index, cdx::Dialect::internet_archive, request, clock_, options_.limits);
}

}  // namespace caddis::cdxserver
