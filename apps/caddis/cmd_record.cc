// caddis record: a proxy that archives what somebody who browses through it sees, and shows it at once.
#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "access_options.h"
#include "caddis/access/answers.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/host_name.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/own_endpoints.h"
#include "caddis/aio/socket_address.h"
#include "caddis/base/clock.h"
#include "caddis/base/counted.h"
#include "caddis/base/output.h"
#include "caddis/base/random.h"
#include "caddis/base/time_format.h"
#include "caddis/base/version.h"
#include "caddis/base/visible.h"
#include "caddis/config/canonicalization_settings.h"
#include "caddis/config/settings.h"
#include "caddis/config/settings_file.h"
#include "caddis/control/endpoint.h"
#include "caddis/fetch/address_policy.h"
#include "caddis/fetch/dns_over_https.h"
#include "caddis/http/proxy_listener.h"
#include "caddis/io/files.h"
#include "caddis/io/spool.h"
#include "caddis/recording/live_fetch.h"
#include "caddis/recording/record_proxy.h"
#include "caddis/recording/recording.h"
#include "caddis/store/rocks_kv.h"
#include "commands.h"
#include "file_limit.h"
#include "live_pages.h"
#include "proxy_identities.h"
#include "record_proxy_door.h"
#include "replay_site.h"
#include "setting_options.h"
#include "stop_signals.h"
#include "tell.h"

namespace caddis::cli {
namespace {

constexpr uint64_t kSpoolMemory = 64 << 20;

struct RecordOptions {
  std::string collection;
  std::string proxy = "127.0.0.1:8081";
  std::string proxy_folder;
  std::string config;
  std::vector<std::string> against, insecure;
  bool records_credentials = false;
  bool shows_nothing = false;
  bool fetches_missing = false;
  AccessOptions access;  // of the proxy
  ServeOptions replay;
  SettingOptions settings;
};

// A person waits longer than a crawl, and says when it is enough.
void set_defaults(config::Settings& settings) {
  settings.fetch.trust = aio::TlsTrust::normal;
  settings.fetch.silence_timeout = std::chrono::minutes(5);
  settings.archive.prefix = "REC";
}

Result<config::Settings> settings_of(const RecordOptions& options) {
  config::Settings settings;
  set_defaults(settings);
  if (const char* contact = std::getenv("CADDIS_CONTACT"))
    TRY_VOID(settings::apply(settings.crawl, "contact", contact, "CADDIS_CONTACT"));
  if (!options.config.empty()) TRY_VOID(config::load_settings_file(io::real_files(), options.config, settings));
  TRY_VOID(options.settings.apply(config::sections_of(settings)));
  for (const std::string& place : options.against) settings.dedup.against.push_back(place);
  // Without a seed a crawl would be refused; nothing here has one.
  TRY_VOID(archive::validate(settings.archive));
  TRY_VOID(fetch::validate(settings.fetch));
  if (!settings.fetch.proxy.empty())
    return fail(
        ErrorCode::config,
        fmt::format("fetch.proxy is '{}': a recording asks sites itself, without another proxy. Leave the setting "
                    "out, or let a crawl use that proxy",
                    settings.fetch.proxy));
  return settings;
}

archive::Provenance provenance_of(const config::Settings& settings, const config::KeyPolicies& keys) {
  archive::Provenance provenance;
  provenance.software = fmt::format("Caddis/{}", kVersion);
  provenance.hostname = settings.archive.host_name.empty() ? aio::host_name() : settings.archive.host_name;
  provenance.ip = aio::outgoing_address();
  provenance.contact = settings.crawl.contact;
  provenance.robots = "ignore (recorded while a person browsed)";
  provenance.index_key_rules = keys.index.record();
  return provenance;
}

void say_notice(std::string_view notice) { say(fmt::format("caddis record: {}\n", visible(notice))); }

std::string summary_of(const recording::RecordingTotals& totals) {
  std::string text = fmt::format("recorded {}: {} received", counted(totals.captures, "capture"),
                                 format_size(static_cast<long long>(totals.received)));
  if (totals.revisits > 0)
    text += fmt::format("; {} of what was known, which saved {}", counted(totals.revisits, "revisit"),
                        format_size(static_cast<long long>(totals.saved)));
  if (totals.cut > 0) text += fmt::format("; {} not whole", totals.cut);
  if (totals.failures > 0) text += fmt::format("; {} failed", counted(totals.failures, "request"));
  if (totals.websockets > 0) text += fmt::format("; {} passed through", counted(totals.websockets, "WebSocket"));
  return text + "\n";
}

// All that runs, in the order in which it is made.
struct Running {
  config::Settings settings;
  std::unique_ptr<aio::Loop> loop = aio::make_loop(system_clock());
  std::unique_ptr<aio::Network> network = aio::make_network(*loop);
  std::unique_ptr<aio::Blocking> committing = aio::make_blocking(1), packing = aio::make_blocking(2);
  std::unique_ptr<ProxyIdentities> identities;
  std::unique_ptr<RecordProxyDoor> door;
  std::unique_ptr<dns::Resolver> resolver;
  fetch::AddressPolicy addresses;
  std::unique_ptr<recording::Recording> recording;
  std::unique_ptr<io::SpoolFolder> spools;
  std::unique_ptr<recording::RecordProxy> proxy;
  std::unique_ptr<LivePages> live;
  std::unique_ptr<ReplaySite> site;
};

Result<void> open_recording(Running& running, const RecordOptions& options) {
  TRY(const config::KeyPolicies keys, config::key_policies(running.settings.canonicalization));
  recording::RecordingOptions made{.collection = options.collection,
                                   .archive = running.settings.archive,
                                   .provenance = provenance_of(running.settings, keys),
                                   .dedup = running.settings.dedup,
                                   .index_key = keys.index};
  recording::RecordingWorld world{.files = io::real_files(),
                                  .clock = system_clock(),
                                  .open_kv = store::rocks_opener(),
                                  .loop = *running.loop,
                                  .committing = *running.committing,
                                  .packing = *running.packing,
                                  .seed = system_seed(),
                                  .pid = std::to_string(::getpid()),
                                  .full_hostname = aio::host_name()};
  std::vector<std::string> notices;
  auto opened = recording::Recording::open(std::move(world), std::move(made), notices);
  for (const std::string& notice : notices) say_notice(notice);
  if (!opened) return std::unexpected(std::move(opened).error());
  running.recording = *std::move(opened);
  running.spools = std::make_unique<io::SpoolFolder>(io::real_files(), running.recording->spools(), kSpoolMemory);
  running.spools->keep_free(static_cast<uint64_t>(running.settings.limits.min_free_space));
  return {};
}

recording::AdmitsClient admits_by(RecordProxyDoor& door) {
  return [&door](std::string credentials, aio::Endpoint client) {
    return door.admit(std::move(credentials), std::move(client));
  };
}

void make_proxy(Running& running, const RecordOptions& options) {
  const access::CertificateAuthority& authority = running.identities->authority();
  recording::RecordProxyOptions made;
  made.fetch = running.settings.fetch;
  made.records_credentials = options.records_credentials;
  made.collection = options.collection;
  made.certificate = {authority.certificate_pem(), authority.certificate_der(), authority.fingerprint()};
  if (running.door) made.admits = admits_by(*running.door);
  const recording::Upstream::World world{*running.loop, *running.network, *running.resolver, *running.spools,
                                         running.addresses};
  running.proxy = std::make_unique<recording::RecordProxy>(world, std::move(made), *running.recording);
}

// Nobody is led in a circle, or to the pages of this process, by asking the proxy for its own addresses.
void forbid_own(fetch::AddressPolicy& addresses, const aio::Endpoint& listener) {
  for (const aio::Endpoint& own : aio::own_endpoints(listener)) addresses.forbid(own);
}

void tell_addresses(const RecordOptions& options, const aio::Endpoint& at) {
  tell(fmt::format("recording into {0}: set a browser's proxy for HTTP and HTTPS to {1}, and open http://{2}/\n",
                   options.collection, aio::to_string(at), recording::kOwnHost),
       stdout);
  std::fflush(stdout);
}

// The collection is filled while it is shown.
void show_live(Running& running, ServeOptions& replay) {
  running.live = std::make_unique<LivePages>(
      *running.loop, [proxy = running.proxy.get()](const http::ServerRequest& asked, url::Url url, std::string via) {
        return recording::fetch_and_record(*proxy, asked, std::move(url), std::move(via));
      });
  replay.live.instead = [live = running.live.get()](const http::ServerRequest& request, const ArchiveDoor& archive) {
    return live->answer(request, archive);
  };
}

// Of a recording that nobody has begun to use.
aio::Task<void> end_recording(Running& running) {
  aio::Nursery nursery;
  nursery.spawn(running.recording->run());
  running.recording->close();
  if (running.resolver) co_await running.resolver->end();
  co_await nursery.join();
}

aio::Task<void> run_proxy(Running& running, std::unique_ptr<aio::Listener> listener) {
  aio::Nursery nursery;
  nursery.spawn(running.recording->run());
  nursery.spawn(running.proxy->run(std::move(listener)));
  while (!stop_asked() && !running.recording->has_failed())
    co_await aio::sleep_for(*running.loop, std::chrono::milliseconds(100));
  // Both at the same time: the site may wait for what the proxy fetches.
  aio::Nursery ending;
  if (running.site) ending.spawn(running.site->stop());
  co_await running.proxy->stop();
  co_await ending.join();
  running.recording->close();
  if (running.resolver) co_await running.resolver->end();
  co_await nursery.join();
}

// The address of --insecure that is meant for a listener: its own, or one that is not the other listener's, so that it is
// told to be wrong.
std::string insecure_of(const RecordOptions& options, const std::string& own, const std::string& other) {
  if (std::ranges::find(options.insecure, own) != options.insecure.end()) return own;
  const auto wrong = std::ranges::find_if(options.insecure, [&](const std::string& one) { return one != other; });
  return wrong == options.insecure.end() ? std::string() : *wrong;
}

// Before anything is made.
Result<void> check_replay(const RecordOptions& options) {
  if (options.shows_nothing) {
    if (options.fetches_missing)
      return fail(ErrorCode::config,
                  "--fetch-missing records what is shown, and --no-replay shows nothing: leave one out");
    return {};
  }
  TRY_VOID(check_listen(options.replay.access, options.replay.listen, !options.access.users.empty(),
                        {.option = "--listen", .knows_tls = false}));
  TRY(const aio::Endpoint at, control::parse_endpoint(options.replay.listen));
  if (options.fetches_missing && !access::is_loopback(at.address))
    return fail(
        ErrorCode::config,
        fmt::format("--fetch-missing: others can reach {}, and could have anything fetched by this machine. Give "
                    "--listen an address of this machine alone (127.0.0.1:8080), or record by the proxy",
                    options.replay.listen));
  return {};
}

Result<void> record(RecordOptions& options) {
  raise_file_limit();
  TRY(const aio::Endpoint at, control::parse_endpoint(options.proxy));
  const bool has_users = !options.access.users.empty();
  options.access.insecure = insecure_of(options, options.proxy, options.replay.listen);
  options.replay.access.insecure = insecure_of(options, options.replay.listen, options.proxy);
  TRY_VOID(check_listen(options.access, options.proxy, has_users, {.option = "--proxy", .knows_tls = false}));
  TRY_VOID(check_replay(options));
  Running running;
  TRY(running.settings, settings_of(options));
  TRY(running.identities, ProxyIdentities::load(options.proxy_folder));
  if (has_users) {
    TRY(running.door, RecordProxyDoor::open(*running.loop, *running.packing, options.access));
  }
  TRY(running.resolver, fetch::make_resolver(*running.loop, running.settings.dns));
  TRY(auto listener, running.network->listen(at));
  // Before anything is made: whoever interrupts from now on gets a clean end.
  take_stop_signals();
  const aio::Endpoint local = listener->local();
  forbid_own(running.addresses, local);
  TRY_VOID(open_recording(running, options));
  make_proxy(running, options);
  ProxyIdentities* const identities = running.identities.get();
  http::AdmitsTunnel admits;
  if (running.door) admits = admits_by(*running.door);
  listener = http::make_proxy_listener(
      *running.loop, std::move(listener), [identities](const std::string& host) { return identities->of(host); },
      std::move(admits));
  if (!options.shows_nothing) {
    options.replay.path = options.collection;
    if (options.fetches_missing) show_live(running, options.replay);
    options.replay.access.users = options.access.users;
    auto site = ReplaySite::start(*running.loop, *running.network, options.replay);
    if (!site) {
      // It has begun, so it has to end: otherwise it would be taken for one that died.
      aio::run_to_end(*running.loop, end_recording(running));
      TRY_VOID(running.recording->finish());
      return std::unexpected(std::move(site).error());
    }
    running.site = *std::move(site);
    forbid_own(running.addresses, running.site->local());
    running.site->tell_addresses();
  }
  tell_addresses(options, local);
  aio::run_to_end(*running.loop, run_proxy(running, std::move(listener)));
  auto finished = running.recording->finish();
  tell(summary_of(running.recording->totals()), stdout);
  return finished;
}

}  // namespace

void add_record_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("record", "Archive what you see while you browse through a proxy");
  command->footer("Ctrl-C (SIGINT), SIGTERM and SIGHUP stop it; SIGHUP does not if it is ignored (nohup).");
  auto options = std::make_shared<RecordOptions>();
  command->add_option("--to", options->collection, "The collection, which is made if it is not there")
      ->option_text("FOLDER")
      ->required();
  command->add_option("--proxy", options->proxy, "ADDR:PORT where browsers find the proxy; port 0 takes a free one")
      ->capture_default_str();
  command->add_option("--proxy-folder", options->proxy_folder,
                      "FOLDER that keeps the proxy's certificate authority [~/.config/caddis]");
  command
      ->add_option("--listen", options->replay.listen,
                   "ADDR:PORT where the collection is shown at once, as caddis serve does")
      ->capture_default_str();
  add_base_path_option(*command, options->replay.names);
  command->add_flag("--no-replay", options->shows_nothing, "Only record");
  command->add_flag("--fetch-missing", options->fetches_missing,
                    "Fetch what the collection has not from the live web, and record it, while it is shown; "
                    "/COLLECTION/record/URL begins");
  command->add_option(
      "--dedup-against", options->against,
      "FOLDER of another collection, or a digest index, whose payloads are not stored again (repeatable)");
  command->add_flag("--with-credentials", options->records_credentials,
                    "Record cookies and Authorization of requests, too; without it they are sent only");
  add_door_options(*command, options->replay.door);
  add_proxy_option(*command, options->replay.access);
  command->add_option("--config", options->config,
                      "Settings, as of a crawl: archive, fetch, dns, dedup, canonicalization");
  options->settings.add_set(*command);
  command->add_option("--users", options->access.users, "Ask who they are: a file of users (caddis users makes it)")
      ->option_text("FILE");
  command
      ->add_option("--insecure", options->insecure,
                   "Listen at this address of --proxy or --listen, given once more, though others can reach it "
                   "(repeatable)")
      ->option_text("ADDR:PORT")
      ->allow_extra_args(false);
  command->callback([options, &exit_code] {
    const auto recorded = record(*options);
    if (recorded) return;
    tell(fmt::format("caddis record: {}\n", recorded.error().message));
    exit_code = recorded.error().code == ErrorCode::config || recorded.error().code == ErrorCode::not_found ? 2 : 1;
  });
}

}  // namespace caddis::cli
