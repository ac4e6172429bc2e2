#include "serve_door.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <utility>

#include "caddis/control/health.h"
#include "caddis/http/host_check.h"
#include "caddis/metrics/exposition.h"
#include "caddis/replay/base_path.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/rules_api.h"
#include "caddis/url/address_block.h"

namespace caddis::cli {
namespace {

// Captured pages have no log-in: their addresses have a key, which the page around them gives away. The archive's scripts
// and styles are no secret; what is searched for and led to beside them is.
bool is_for_strangers(std::string_view path) { return path.starts_with("/~") || replay::is_page_file(path); }

}  // namespace

void add_door_options(CLI::App& command, ServeDoorOptions& options) {
  add_request_door_options(command, options.requests);
  command
      .add_option("--user-header", options.user_header,
                  "The field in which a trusted proxy names the user, for access rules")
      ->option_text("NAME");
}

Result<std::unique_ptr<ServeDoor>> ServeDoor::open(ServeDoorParts parts, const ServeDoorOptions& options) {
  if (!options.user_header.empty() && parts.proxies.empty())
    return fail(ErrorCode::config, "--user-header: who may say it? Name the proxy with --trusted-proxy");
  if (!options.user_header.empty() && parts.gate != nullptr)
    return fail(ErrorCode::config, "--user-header and --users: one of both says who asks");
  RequestDoorOptions requests = options.requests;
  requests.log.base = parts.base;
  TRY(auto door, RequestDoor::open(parts.loop, parts.workers, requests, parts.proxies));
  return std::unique_ptr<ServeDoor>(new ServeDoor(parts, options, std::move(door)));
}

viewing::Viewer ServeDoor::viewer_without_gate(const http::ServerRequest& request, const std::string& address) const {
  viewing::Viewer viewer;
  viewer.address = url::parse_address(address);
  if (user_header_.empty()) return viewer;
  if (requests_->clients().is_by_proxy(request)) viewer.user = request.header(user_header_);
  viewer.role = access::to_string(viewer.user.empty() ? access::Role::none : access::Role::viewer);
  return viewer;
}

// Reading archives blocks: requests are answered on worker threads, the loop stays free for sockets.
aio::Task<http::ServerResponse> ServeDoor::show(const http::ServerRequest& request, const viewing::Viewer& viewer,
                                                std::shared_ptr<const ServedArchive> archive) {
  http::ServerResponse response;
  std::function<void()> work = [&] { response = keep_archive(archive->wayback->handle(request, viewer), archive); };
  co_await parts_.workers.run(parts_.loop, std::move(work));
  co_return response;
}

aio::Task<http::ServerResponse> ServeDoor::show_other(const http::ServerRequest& request, const std::string& address,
                                                      std::shared_ptr<const ServedArchive> archive) {
  const viewing::Viewer viewer = viewer_without_gate(request, address);
  co_return co_await show(request, viewer, std::move(archive));
}

aio::Task<http::ServerResponse> ServeDoor::answer_admin(const http::ServerRequest& request, const std::string& address,
                                                        const std::string& user) {
  http::ServerResponse response;
  const auto archive = parts_.current.get();
  const replay::ServedCounts counts{requests_->refused(), archive->broken_lines->count()};
  std::function<void()> work = [&] {
    if (request.path != "/metrics") {
      response = replay::answer_rules(*archive->rules, parts_.loop.clock(), request, {user, address});
    } else if (auto refused = control::refuse_other_methods(request)) {
      response = *std::move(refused);
    } else {
      response.headers = {{"Content-Type", std::string(metrics::kMediaType)}};
      response.body = replay::served_metrics(*archive->rules, counts);
    }
    replay::set_header(response.headers, "Cache-Control", "no-store");
  };
  co_await parts_.workers.run(parts_.loop, std::move(work));
  co_return response;
}

aio::Task<http::ServerResponse> ServeDoor::answer_for(const http::ServerRequest& request, const std::string& address,
                                                      std::string& user) {
  const viewing::Viewer stranger = viewer_without_gate(request, address);
  if (parts_.gate == nullptr || is_for_strangers(request.path)) {
    user = stranger.user;
    co_return co_await show(request, stranger, parts_.current.get());
  }
  const bool is_admins = replay::is_rules_path(request.path);
  const access::Answer answers = [&](const http::ServerRequest& asked,
                                     const access::Identity& who) -> aio::Task<http::ServerResponse> {
    user = who.name;
    if (is_admins) co_return co_await answer_admin(asked, address, user);
    viewing::Viewer viewer = stranger;
    viewer.user = who.name;
    viewer.role = access::to_string(who.role);
    viewer.standing = parts_.gate->standing_of(who);
    co_return co_await show(asked, viewer, parts_.current.get());
  };
  const access::Role needed = is_admins ? access::Role::admin : access::Role::viewer;
  co_return co_await parts_.gate->answer(request, needed, answers);
}

aio::Task<http::ServerResponse> ServeDoor::answer(const http::ServerRequest& request) {
  const std::string address = requests_->clients().of(request);
  std::string user;
  const http::Handler handler = [&](const http::ServerRequest& asked) { return answer_below(asked, address, user); };
  co_return co_await requests_->let_through(request, user, handler);
}

aio::Task<http::ServerResponse> ServeDoor::answer_below(const http::ServerRequest& request, const std::string& address,
                                                        std::string& user) {
  const std::string& base = parts_.base;
  std::optional<http::ServerRequest> below;
  if (!base.empty()) {
    below = replay::below_base(base, request);
    if (!below) co_return parts_.current.get()->wayback->answer_outside(request);
  }
  const http::ServerRequest& asked = below ? *below : request;
  if (!parts_.instead) co_return co_await answer_for(asked, address, user);
  ArchiveDoor archive;
  archive.base = base;
  archive.replay = [&](const http::ServerRequest& one) { return answer_for(one, address, user); };
  archive.show = [&](const http::ServerRequest& one, std::shared_ptr<const ServedArchive> other) {
    return show_other(one, address, std::move(other));
  };
  archive.refuse_change = [&](const http::ServerRequest& one) { return refuse_change(one, user); };
  archive.serves = [this](std::string_view name) {
    const auto current = parts_.current.get();
    return std::ranges::any_of(current->wayback->collections(), [&](const auto& one) { return one->name() == name; });
  };
  co_return co_await parts_.instead(asked, archive);
}

aio::Task<std::optional<http::ServerResponse>> ServeDoor::refuse_change(const http::ServerRequest& request,
                                                                        std::string& user) {
  if (parts_.gate != nullptr) {
    access::Verdict verdict = co_await parts_.gate->admit(request, access::Role::manager);
    user = verdict.identity.name;
    co_return std::move(verdict.refusal);
  }
  const std::string_view host = request.header("host");
  if (http::is_own_host(host, parts_.names)) co_return std::nullopt;
  co_return replay::confined_text(421, http::other_host_message(host));
}

}  // namespace caddis::cli
