#include "caddis/control/control_server.h"

#include <fmt/format.h>

#include "caddis/aio/own_endpoints.h"
#include "caddis/base/json_text.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/control/control_frontier.h"
#include "caddis/control/frontier_json.h"
#include "caddis/control/frontier_query.h"
#include "caddis/control/status_page.h"
#include "caddis/io/files.h"
#include "caddis/url/public_form.h"

namespace caddis::control {
namespace {

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

std::string limits_json(const std::vector<crawl::LimitUse>& limits) {
  std::string out = "[";
  for (const crawl::LimitUse& limit : limits) {
    if (out.size() > 1) out += ',';
    out += JsonObject()
               .add("name", limit.name)
               .add("used", limit.used)
               .add("limit", limit.limit)
               .add("text", limit.text)
               .finish();
  }
  return out + "]";
}

std::string standing_json(const std::vector<crawl::StandingLane>& lanes) {
  std::string out;
  for (const crawl::StandingLane& lane : lanes) {
    JsonObject one;
    one.add("lane", lane.lane).add("url", url::public_form(lane.url)).add("step", lane.step);
    one.add("seconds", seconds(lane.time)).add("text", describe(lane));
    out += (out.empty() ? "" : ",") + one.finish();
  }
  return "[" + out + "]";
}

// "limits.max-documents=500", one a line.
Result<std::vector<crawl::Operator::NewSetting>> read_settings(std::string_view body) {
  std::vector<crawl::Operator::NewSetting> given;
  for (const std::string_view line : split(body, '\n')) {
    if (trim(line).empty()) continue;
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos)
      return fail(ErrorCode::parse, fmt::format("'{}': write a setting as limits.max-documents=500", line));
    given.emplace_back(std::string(trim(line.substr(0, equals))), std::string(trim(line.substr(equals + 1))));
  }
  if (given.empty()) return fail(ErrorCode::parse, "the body holds no setting: name=value, one a line");
  return given;
}

http::ServerResponse refuse(const Error& error) {
  return error_response(error.code == ErrorCode::conflict ? 409 : 400, error.message);
}

// RFC 9110 section 15.5.6.
http::ServerResponse wrong_method(std::string_view message, std::string_view allowed) {
  http::ServerResponse response = error_response(405, message);
  response.headers.emplace_back("Allow", allowed);
  return response;
}

http::ServerResponse change_settings(crawl::Operator& crawl, std::string_view body) {
  const auto given = read_settings(body);
  if (!given) return refuse(given.error());
  const auto changes = crawl.change_settings(*given);
  if (!changes) return refuse(changes.error());
  return http::json_response(200, status_json(crawl.status()));
}

}  // namespace

std::string status_json(const crawl::CrawlStatus& status) {
  return JsonObject()
      .add("state", crawl::name_of(status.state))
      .add("waits_for", status.waits_for)
      .add("elapsed_seconds", seconds(status.elapsed))
      .add("documents", status.documents)
      .add("bytes", status.bytes)
      .add("failed", status.failed)
      .add("excluded", status.excluded)
      .add("queued", status.queued)
      .add("seen", status.seen)
      .add("visiting", status.visiting)
      .add("hosts", status.active_hosts)
      .add("hosts_aside", status.hosts_aside)
      .add("late_median_seconds", std::chrono::duration<double>(status.late_median).count())
      .add("late_p99_seconds", std::chrono::duration<double>(status.late_p99).count())
      .add("queued_retired", status.queued_retired)
      .add("queued_over_quota", status.queued_over_quota)
      .add("novel_bytes", status.novel_bytes)
      .add("warc_bytes", status.warc_bytes)
      .add_raw("limits", limits_json(status.limits))
      .add("backlog_bytes", status.backlog)
      .add("documents_per_second", status.documents_per_second)
      .add("documents_per_second_average", status.documents_per_second_average)
      .add("bytes_per_second", status.bytes_per_second)
      .add("bytes_per_second_average", status.bytes_per_second_average)
      .add("slow_because", status.slow_because)
      .add_raw("waits", waits_json(status.waits))
      .add_raw("slowest", queues_json(status.slowest))
      .add_raw("checkpoints", checkpoints_json(status.checkpoints))
      .add_raw("standing", standing_json(status.standing))
      .finish();
}

std::string checkpoint_json(const crawl::Checkpoint& checkpoint) {
  return JsonObject()
      .add("name", checkpoint.name)
      .add("time", rfc3339(checkpoint.taken))
      .add("kept", checkpoint.is_kept)
      .add("documents", checkpoint.documents)
      .add("bytes", checkpoint.bytes)
      .add("queued", checkpoint.queued)
      .add("seen", checkpoint.seen)
      .finish();
}

std::string checkpoints_json(const std::vector<crawl::Checkpoint>& checkpoints) {
  std::string list;
  for (const crawl::Checkpoint& one : checkpoints) list += (list.empty() ? "" : ",") + checkpoint_json(one);
  return "[" + list + "]";
}

Result<aio::Endpoint> parse_endpoint(std::string_view text) {
  const size_t colon = text.rfind(':');
  const auto port = colon == std::string_view::npos ? std::nullopt : parse_int(text.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535)
    return fail(
        ErrorCode::config,
        fmt::format("'{}' is not an address to listen at: write for example 127.0.0.1:8080 or [::1]:8080", text));
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty() || host == "localhost") host = "127.0.0.1";
  return aio::Endpoint{std::string(host), static_cast<uint16_t>(*port)};
}

Result<std::unique_ptr<ControlServer>> ControlServer::start(aio::Loop& loop, crawl::Operator& crawl,
                                                            const std::string& listen) {
  std::unique_ptr<ControlServer> control(new ControlServer(loop, crawl));
  ControlServer* self = control.get();
  http::ServerSettings settings;
  settings.refusal = [](int status, std::string_view message) { return guarded(error_response(status, message)); };
  // First what can fail: a server that runs would have to be stopped.
  (void)io::real_files().remove(crawl.launch().control_token());  // of a process that died
  if (!listen.empty()) TRY_VOID(control->listen_at(loop, listen, settings));
  const http::Handler handler = [self](const http::ServerRequest& request) -> aio::Task<http::ServerResponse> {
    co_return guarded(co_await self->respond(request));
  };
  // A path too long for a socket is no reason not to crawl; the crawl can then be asked over --listen only.
  auto on_socket =
      http::Server::start_unix(loop, *control->network_, crawl.launch().control_socket(), handler, settings);
  if (on_socket)
    control->servers_.push_back(*std::move(on_socket));
  else
    log_warn("engine", "no control socket: {}; use --listen to reach this crawl", on_socket.error().message);
  return control;
}

Result<void> ControlServer::listen_at(aio::Loop& loop, const std::string& listen,
                                      const http::ServerSettings& settings) {
  TRY(const aio::Endpoint at, parse_endpoint(listen));
  const std::string token = new_token();
  access_.emplace(token, std::vector<std::string>{crawl_.hostname()});
  const http::Handler handler = [this](const http::ServerRequest& request) -> aio::Task<http::ServerResponse> {
    if (auto refused = access_->refuse(request)) co_return guarded(*std::move(refused));
    co_return guarded(co_await respond(request));
  };
  TRY(auto server, http::Server::start(loop, *network_, at, handler, settings));
  const aio::Endpoint local = server->local();
  const bool v6 = local.address.find(':') != std::string::npos;
  const std::string host = v6 ? "[" + local.address + "]" : local.address;
  address_ = fmt::format("http://{}:{}/?token={}", host, local.port, token);
  endpoints_ = aio::own_endpoints(local);
  servers_.push_back(std::move(server));
  const std::string file = crawl_.launch().control_token();
  if (const auto kept = io::real_files().write_atomically_private(file, token + "\n"); !kept)
    log_warn("engine", "the token of the page stands here alone: {}", kept.error().message);
  return {};
}

aio::Task<void> ControlServer::stop() {
  for (const auto& server : servers_) co_await server->stop();
  if (access_) (void)io::real_files().remove(crawl_.launch().control_token());
}

aio::Task<http::ServerResponse> ControlServer::respond(const http::ServerRequest& request) {
  if (request.path == "/checkpoint") co_return co_await take_checkpoint(request);
  co_return answer(request);
}

// What is wrong with a request that would change the crawl.
std::optional<http::ServerResponse> ControlServer::refuse_change(const http::ServerRequest& request) {
  if (request.method != "POST")
    return wrong_method("this changes the crawl: use POST", reads_frontier(request.path) ? "GET, HEAD, POST" : "POST");
  return std::nullopt;
}

std::optional<http::ServerResponse> ControlServer::refuse_order() {
  const auto keeps = crawl_.can_persist();
  return keeps ? std::nullopt : std::optional(error_response(503, keeps.error().message));
}

aio::Task<http::ServerResponse> ControlServer::take_checkpoint(const http::ServerRequest& request) {
  if (auto refused = refuse_change(request)) co_return *std::move(refused);
  if (auto refused = refuse_order()) co_return *std::move(refused);
  const auto parameters = parse_parameters(request.query, "name");
  if (!parameters) co_return error_response(400, parameters.error().message);
  const auto name = parameters->find("name");
  std::string wanted = name == parameters->end() ? std::string() : name->second;
  const auto taken = co_await crawl_.checkpoint(std::move(wanted));
  if (taken) co_return http::json_response(200, checkpoint_json(*taken));
  const ErrorCode code = taken.error().code;
  const int status = code == ErrorCode::config ? 400 : code == ErrorCode::conflict ? 409 : 500;
  co_return error_response(status, taken.error().message);
}

http::ServerResponse ControlServer::answer(const http::ServerRequest& request) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (reads && request.path == "/status") return http::json_response(200, status_json(crawl_.status()));
  if (reads)
    if (auto looked = look_at_frontier(crawl_, request)) return *std::move(looked);
  if (reads && request.path == "/") return status_page();
  const bool operates = operates_frontier(request.path);
  const bool is_read = request.path == "/" || request.path == "/status" || reads_frontier(request.path);
  if (is_read && !operates) return wrong_method("this tells of the crawl: use GET", "GET, HEAD");
  const bool known = operates || request.path == "/pause" || request.path == "/resume" || request.path == "/stop" ||
                     request.path == "/settings";
  if (!known)
    return error_response(404,
                          "there are /status, /queues, /hosts/<host>, /url, /urls, /urls/delete, /wake, /visits/end, "
                          "/settings, /checkpoint, /pause, /resume and /stop");
  if (auto refused = refuse_change(request)) return *std::move(refused);
  // The others ask for nothing that would have to be kept.
  const bool is_order = operates && request.path != "/wake" && request.path != "/visits/end";
  if (is_order || request.path == "/settings")
    if (auto refused = refuse_order()) return *std::move(refused);
  if (operates) return operate_frontier(crawl_, request);
  if (request.path == "/pause") crawl_.pause();
  if (request.path == "/settings") return change_settings(crawl_, request.body);
  if (request.path == "/resume")
    if (const auto resumed = crawl_.resume(); !resumed) return refuse(resumed.error());
  if (request.path == "/stop") crawl_.stop("stopped by the operator");
  return http::json_response(200, status_json(crawl_.status()));
}

}  // namespace caddis::control
