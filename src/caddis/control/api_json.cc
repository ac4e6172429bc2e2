// One table a document names its fields; writing and reading go through it, so that neither can forget one. The
// templates are instantiated here for every document: JSON is this file's affair alone.
#include "caddis/control/api_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <tuple>

#include "caddis/base/json_text.h"

namespace caddis::control::api {
namespace {

using Json = nlohmann::json;

// Written for an optional field that has no value.
enum class Empty { missing, null };

// `Document` may be a base of the struct that has it.
template <class Document, class Value>
struct Field {
  const char* name;
  Value Document::* member;
  Empty empty = Empty::missing;
};

template <class Document>
constexpr auto kFields = nullptr;

template <>
constexpr auto kFields<Failure> = std::tuple{Field{"error", &Failure::error}};

template <>
constexpr auto kFields<Usage> =
    std::tuple{Field{"successes", &Usage::successes}, Field{"responses", &Usage::responses},
               Field{"bytes", &Usage::bytes}, Field{"novel_bytes", &Usage::novel_bytes}, Field{"cost", &Usage::cost}};

template <>
constexpr auto kFields<Queue> = std::tuple{Field{"queue", &Queue::origin},
                                           Field{"queued", &Queue::queued},
                                           Field{"state", &Queue::state},
                                           Field{"wait_seconds", &Queue::wait_seconds},
                                           Field{"visiting_seconds", &Queue::visiting_seconds},
                                           Field{"failures", &Queue::failures},
                                           Field{"last_fetch_seconds", &Queue::last_fetch_seconds},
                                           Field{"finished", &Queue::finished},
                                           Field{"retries", &Queue::retries},
                                           Field{"again", &Queue::again},
                                           Field{"knows_robots", &Queue::knows_robots},
                                           Field{"usage", &Queue::usage},
                                           Field{"over_quota", &Queue::over_quota},
                                           Field{"retired", &Queue::retired},
                                           Field{"given_up", &Queue::given_up},
                                           Field{"crawl_delay_seconds", &Queue::crawl_delay_seconds}};

template <>
constexpr auto kFields<Feed> = std::tuple{Field{"url", &Feed::url},
                                          Field{"title", &Feed::title},
                                          Field{"form", &Feed::form},
                                          Field{"newest", &Feed::newest},
                                          Field{"last_fetch", &Feed::last_fetch},
                                          Field{"last_found", &Feed::last_found},
                                          Field{"not_before", &Feed::not_before},
                                          Field{"items", &Feed::items},
                                          Field{"fetches", &Feed::fetches},
                                          Field{"unchanged", &Feed::unchanged},
                                          Field{"failures", &Feed::failures},
                                          Field{"trouble", &Feed::trouble},
                                          Field{"implied_pages", &Feed::implied_pages}};

template <>
constexpr auto kFields<FeedSite> = std::tuple{Field{"name", &FeedSite::name},
                                              Field{"source", &FeedSite::source},
                                              Field{"state", &FeedSite::state},
                                              Field{"active", &FeedSite::active},
                                              Field{"wait_seconds", &FeedSite::wait_seconds},
                                              Field{"round", &FeedSite::round},
                                              Field{"last_poll", &FeedSite::last_poll},
                                              Field{"next_poll", &FeedSite::next_poll},
                                              Field{"in_progress", &FeedSite::in_progress},
                                              Field{"items", &FeedSite::items},
                                              Field{"implied", &FeedSite::implied},
                                              Field{"derived", &FeedSite::derived},
                                              Field{"captured", &FeedSite::captured},
                                              Field{"failed", &FeedSite::failed},
                                              Field{"cut_rounds", &FeedSite::cut_rounds},
                                              Field{"feeds", &FeedSite::feeds}};

template <>
constexpr auto kFields<FeedSites> = std::tuple{Field{"sites", &FeedSites::sites}};

template <>
constexpr auto kFields<WantedFeed> =
    std::tuple{Field{"url", &WantedFeed::url}, Field{"implied_pages", &WantedFeed::implied_pages}};

template <>
constexpr auto kFields<WantedFeedSite> =
    std::tuple{Field{"name", &WantedFeedSite::name}, Field{"wait", &WantedFeedSite::wait},
               Field{"active", &WantedFeedSite::active}, Field{"feeds", &WantedFeedSite::feeds}};

template <>
constexpr auto kFields<WantedFeedSites> = std::tuple{Field{"sites", &WantedFeedSites::sites}};

template <>
constexpr auto kFields<QueuePage> =
    std::tuple{Field{"queues", &QueuePage::queues}, Field{"marker", &QueuePage::marker}};

template <>
constexpr auto kFields<DomainUsage> =
    std::tuple{Field{"name", &DomainUsage::name}, Field{"usage", &DomainUsage::usage}};

template <>
constexpr auto kFields<Host> = std::tuple{Field{"host", &Host::host},
                                          Field{"known", &Host::known},
                                          Field{"in_memory", &Host::in_memory},
                                          Field{"addresses", &Host::addresses},
                                          Field{"knows_address", &Host::knows_address},
                                          Field{"blocked", &Host::blocked},
                                          Field{"retired", &Host::retired},
                                          Field{"delay_seconds", &Host::delay_seconds},
                                          Field{"sheets", &Host::sheets},
                                          Field{"group", &Host::group},
                                          Field{"group_usage", &Host::group_usage},
                                          Field{"domain", &Host::domain},
                                          Field{"budget", &Host::budget},
                                          Field{"dns_failures", &Host::dns_failures},
                                          Field{"aside", &Host::aside},
                                          Field{"given_up", &Host::given_up},
                                          Field{"wait_seconds", &Host::wait_seconds},
                                          Field{"last_fetch_seconds", &Host::last_fetch_seconds},
                                          Field{"finished", &Host::finished},
                                          Field{"usage", &Host::usage},
                                          Field{"in_inbox", &Host::in_inbox},
                                          Field{"visiting", &Host::visiting},
                                          Field{"visiting_seconds", &Host::visiting_seconds},
                                          Field{"queues", &Host::queues}};

template <>
constexpr auto kFields<WaitingUrl> = std::tuple{Field{"url", &WaitingUrl::url},
                                                Field{"via", &WaitingUrl::via},
                                                Field{"hops", &WaitingUrl::hops},
                                                Field{"seed", &WaitingUrl::seed},
                                                Field{"queue", &WaitingUrl::queue},
                                                Field{"where", &WaitingUrl::where},
                                                Field{"precedence", &WaitingUrl::precedence},
                                                Field{"attempt", &WaitingUrl::attempt},
                                                Field{"wait_seconds", &WaitingUrl::wait_seconds},
                                                Field{"ahead", &WaitingUrl::ahead}};

template <>
constexpr auto kFields<WaitingPage> = std::tuple{
    Field{"urls", &WaitingPage::urls}, Field{"marker", &WaitingPage::marker}, Field{"moved", &WaitingPage::moved}};

template <>
constexpr auto kFields<UrlReport> =
    std::tuple{Field{"url", &UrlReport::url},           Field{"seen", &UrlReport::seen},
               Field{"visiting", &UrlReport::visiting}, Field{"visiting_seconds", &UrlReport::visiting_seconds},
               Field{"waits", &UrlReport::waits},       Field{"sheets", &UrlReport::sheets},
               Field{"host", &UrlReport::host}};

template <>
constexpr auto kFields<LimitUse> = std::tuple{Field{"name", &LimitUse::name}, Field{"used", &LimitUse::used},
                                              Field{"limit", &LimitUse::limit}, Field{"text", &LimitUse::text}};

template <>
constexpr auto kFields<QueueStateCount> =
    std::tuple{Field{"state", &QueueStateCount::state}, Field{"queues", &QueueStateCount::queues},
               Field{"urls", &QueueStateCount::urls}};

template <>
constexpr auto kFields<Checkpoint> =
    std::tuple{Field{"name", &Checkpoint::name},   Field{"time", &Checkpoint::time},
               Field{"kept", &Checkpoint::kept},   Field{"documents", &Checkpoint::documents},
               Field{"bytes", &Checkpoint::bytes}, Field{"queued", &Checkpoint::queued},
               Field{"seen", &Checkpoint::seen}};

template <>
constexpr auto kFields<StandingLane> =
    std::tuple{Field{"lane", &StandingLane::lane}, Field{"url", &StandingLane::url}, Field{"step", &StandingLane::step},
               Field{"seconds", &StandingLane::seconds}, Field{"text", &StandingLane::text}};

template <>
constexpr auto kFields<Status> =
    std::tuple{Field{"state", &Status::state},
               Field{"waits_for", &Status::waits_for},
               Field{"elapsed_seconds", &Status::elapsed_seconds},
               Field{"documents", &Status::documents},
               Field{"bytes", &Status::bytes},
               Field{"failed", &Status::failed},
               Field{"excluded", &Status::excluded},
               Field{"queued", &Status::queued},
               Field{"seen", &Status::seen},
               Field{"visiting", &Status::visiting},
               Field{"hosts", &Status::hosts},
               Field{"hosts_aside", &Status::hosts_aside},
               Field{"late_median_seconds", &Status::late_median_seconds},
               Field{"late_p99_seconds", &Status::late_p99_seconds},
               Field{"queued_retired", &Status::queued_retired},
               Field{"queued_over_quota", &Status::queued_over_quota},
               Field{"review_runs", &Status::review_runs},
               Field{"review_asked", &Status::review_asked},
               Field{"review_left_out", &Status::review_left_out},
               Field{"novel_bytes", &Status::novel_bytes},
               Field{"repeated", &Status::repeated},
               Field{"repeated_bytes", &Status::repeated_bytes},
               Field{"unchanged", &Status::unchanged},
               Field{"unchanged_bytes", &Status::unchanged_bytes},
               Field{"warc_bytes", &Status::warc_bytes},
               Field{"limits", &Status::limits},
               Field{"backlog_bytes", &Status::backlog_bytes},
               Field{"documents_per_second", &Status::documents_per_second},
               Field{"documents_per_second_average", &Status::documents_per_second_average},
               Field{"bytes_per_second", &Status::bytes_per_second},
               Field{"bytes_per_second_average", &Status::bytes_per_second_average},
               Field{"slow_because", &Status::slow_because},
               Field{"waits", &Status::waits},
               Field{"slowest", &Status::slowest},
               Field{"checkpoints", &Status::checkpoints},
               Field{"standing", &Status::standing}};

template <>
constexpr auto kFields<AddedUrls> = std::tuple{Field{"given", &AddedUrls::given}, Field{"added", &AddedUrls::added},
                                               Field{"over_budget", &AddedUrls::over_budget}};

template <>
constexpr auto kFields<RemovedSeeds> =
    std::tuple{Field{"given", &RemovedSeeds::given}, Field{"removed", &RemovedSeeds::removed}};

template <>
constexpr auto kFields<DeletedUrls> =
    std::tuple{Field{"deleted", &DeletedUrls::deleted}, Field{"marker", &DeletedUrls::marker}};

template <>
constexpr auto kFields<CountedUrls> =
    std::tuple{Field{"would_delete", &CountedUrls::would_delete}, Field{"marker", &CountedUrls::marker}};

template <>
constexpr auto kFields<WokenHosts> =
    std::tuple{Field{"hosts", &WokenHosts::hosts}, Field{"marker", &WokenHosts::marker}};

template <>
constexpr auto kFields<RunningVisit> =
    std::tuple{Field{"url", &RunningVisit::url},         Field{"pipeline", &RunningVisit::pipeline},
               Field{"step", &RunningVisit::step},       Field{"step_seconds", &RunningVisit::step_seconds},
               Field{"seconds", &RunningVisit::seconds}, Field{"lane", &RunningVisit::lane}};

template <>
constexpr auto kFields<RunningVisits> =
    std::tuple{Field{"running", &RunningVisits::running}, Field{"visits", &RunningVisits::visits}};

template <>
constexpr auto kFields<SettingOrigin> =
    std::tuple{Field{"from", &SettingOrigin::from}, Field{"value", &SettingOrigin::value},
               Field{"is_sheet", &SettingOrigin::is_sheet}, Field{"until", &SettingOrigin::until}};

template <>
constexpr auto kFields<SettingRemark> =
    std::tuple{Field{"severity", &SettingRemark::severity}, Field{"setting", &SettingRemark::setting},
               Field{"text", &SettingRemark::text}};

template <>
constexpr auto kFields<Setting> = std::tuple{
    Field{"name", &Setting::name},       Field{"value", &Setting::value},       Field{"doc", &Setting::doc},
    Field{"live", &Setting::live},       Field{"per_site", &Setting::per_site}, Field{"per_host", &Setting::per_host},
    Field{"origins", &Setting::origins}, Field{"not_now", &Setting::not_now},   Field{"remarks", &Setting::remarks}};

template <>
constexpr auto kFields<Settings> = std::tuple{Field{"settings", &Settings::settings}};

template <>
constexpr auto kFields<SettingChange> =
    std::tuple{Field{"name", &SettingChange::name}, Field{"before", &SettingChange::before},
               Field{"after", &SettingChange::after}, Field{"refused", &SettingChange::refused}};

template <>
constexpr auto kFields<SettingsChanges> =
    std::tuple{Field{"applied", &SettingsChanges::applied}, Field{"changes", &SettingsChanges::changes},
               Field{"remarks", &SettingsChanges::remarks}};

template <>
constexpr auto kFields<SheetValue> = std::tuple{Field{"name", &SheetValue::name}, Field{"value", &SheetValue::value}};

template <>
constexpr auto kFields<Sheet> =
    std::tuple{Field{"name", &Sheet::name},   Field{"sites", &Sheet::sites}, Field{"urls", &Sheet::urls},
               Field{"times", &Sheet::times}, Field{"when", &Sheet::when},   Field{"settings", &Sheet::settings}};

template <>
constexpr auto kFields<Sheets> = std::tuple{Field{"sheets", &Sheets::sheets}};

template <>
constexpr auto kFields<RuleVerdict> =
    std::tuple{Field{"rule", &RuleVerdict::rule}, Field{"name", &RuleVerdict::name},
               Field{"verdict", &RuleVerdict::verdict}, Field{"reason", &RuleVerdict::reason}};

template <>
constexpr auto kFields<ScopeReport> = std::tuple{Field{"url", &ScopeReport::url},
                                                 Field{"accepted", &ScopeReport::accepted},
                                                 Field{"rule", &ScopeReport::rule},
                                                 Field{"detail", &ScopeReport::detail},
                                                 Field{"explanation", &ScopeReport::explanation},
                                                 Field{"sheets", &ScopeReport::sheets},
                                                 Field{"rules", &ScopeReport::rules}};

template <>
constexpr auto kFields<ConsoleRun> =
    std::tuple{Field{"output", &ConsoleRun::output}, Field{"error", &ConsoleRun::error},
               Field{"incomplete", &ConsoleRun::incomplete}};

template <>
constexpr auto kFields<EndedVisit> = std::tuple{Field{"ends", &EndedVisit::ends}};

template <>
constexpr auto kFields<StoppedCrawl> =
    std::tuple{Field{"state", &StoppedCrawl::state}, Field{"launch", &StoppedCrawl::launch},
               Field{"why", &StoppedCrawl::why, Empty::null}, Field{"report", &StoppedCrawl::report, Empty::null},
               Field{"checkpoints", &StoppedCrawl::checkpoints}};

// --- writing

template <class Value>
void add(JsonObject& out, const char* name, const Value& value);

template <class Document>
std::string text_of(const Document& document) {
  JsonObject out;
  const auto write = [&](const auto& field) {
    const auto& value = document.*field.member;
    if constexpr (requires { value.has_value(); }) {
      if (value)
        add(out, field.name, *value);
      else if (field.empty == Empty::null)
        out.add_null(field.name);
    } else {
      add(out, field.name, value);
    }
  };
  std::apply([&](const auto&... fields) { (write(fields), ...); }, kFields<Document>);
  return out.finish();
}

std::string text_of(const std::string& text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string text_of(const std::map<std::string, std::string>& texts) {
  JsonObject out;
  for (const auto& [name, text] : texts) out.add(name, text);
  return out.finish();
}

template <class Item>
std::string text_of(const std::vector<Item>& items) {
  std::string out = "[";
  for (const Item& item : items) {
    if (out.size() > 1) out += ',';
    out += text_of(item);
  }
  return out + "]";
}

template <class Value>
void add(JsonObject& out, const char* name, const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>)
    out.add(name, value);
  else
    out.add_raw(name, text_of(value));
}

// --- reading

Result<void> read(const Json& json, bool& value) {
  if (!json.is_boolean()) return fail(ErrorCode::parse, "true or false was expected");
  value = json.get<bool>();
  return {};
}

Result<void> read(const Json& json, uint64_t& value) {
  if (!json.is_number_unsigned()) return fail(ErrorCode::parse, "a number from 0 was expected");
  value = json.get<uint64_t>();
  return {};
}

Result<void> read(const Json& json, int64_t& value) {
  if (!json.is_number_integer()) return fail(ErrorCode::parse, "a whole number was expected");
  value = json.get<int64_t>();
  return {};
}

Result<void> read(const Json& json, double& value) {
  if (!json.is_number()) return fail(ErrorCode::parse, "a number was expected");
  value = json.get<double>();
  return {};
}

Result<void> read(const Json& json, std::string& value) {
  if (!json.is_string()) return fail(ErrorCode::parse, "a text was expected");
  value = json.get<std::string>();
  return {};
}

Result<void> read(const Json& json, std::map<std::string, std::string>& values) {
  if (!json.is_object()) return fail(ErrorCode::parse, "an object was expected");
  for (const auto& [name, text] : json.items()) TRY_VOID(read(text, values[name]));
  return {};
}

template <class Document>
Result<void> read(const Json& json, Document& document);

template <class Item>
Result<void> read(const Json& json, std::vector<Item>& items) {
  if (!json.is_array()) return fail(ErrorCode::parse, "a list was expected");
  items.reserve(json.size());
  for (const Json& one : json) TRY_VOID(read(one, items.emplace_back()));
  return {};
}

template <class Value>
Result<void> read(const Json& json, std::optional<Value>& value) {
  return read(json, value.emplace());
}

template <class Document, class Part, class Value>
Result<void> read_field(const Json& json, const Field<Part, Value>& field, Document& document) {
  Value& value = document.*field.member;
  const auto found = json.find(field.name);
  if constexpr (requires { value.has_value(); }) {
    if (found == json.end() || found->is_null()) return {};
  }
  if (found == json.end()) return fail(ErrorCode::parse, fmt::format("'{}' is missing", field.name));
  if (auto done = read(*found, value); !done) return pass(std::move(done).error(), field.name);
  return {};
}

template <class Document>
Result<void> read(const Json& json, Document& document) {
  if (!json.is_object()) return fail(ErrorCode::parse, "an object was expected");
  Result<void> done;
  const auto read_one = [&](const auto& field) {
    done = read_field(json, field, document);
    return done.has_value();
  };
  std::apply([&](const auto&... fields) { (void)(read_one(fields) && ...); }, kFields<Document>);
  return done;
}

}  // namespace

template <class Document>
std::string to_json(const Document& document) {
  return text_of(document);
}

template <class Document>
Result<Document> from_json(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, false);
  Document document;
  const auto done = parsed.is_discarded() ? Result<void>(fail(ErrorCode::parse, "no JSON")) : read(parsed, document);
  if (done) return document;
  return fail(ErrorCode::parse,
              fmt::format("the crawl's answer is not understood ({}): it may be run by another version "
                          "of caddis",
                          done.error().message));
}

// Every document that the server writes or the command line reads as a whole.
#define CADDIS_API_DOCUMENT(...)                    \
  template std::string to_json(const __VA_ARGS__&); \
  template Result<__VA_ARGS__> from_json(std::string_view)

CADDIS_API_DOCUMENT(Failure);
CADDIS_API_DOCUMENT(std::vector<Queue>);
CADDIS_API_DOCUMENT(QueuePage);
CADDIS_API_DOCUMENT(Host);
CADDIS_API_DOCUMENT(WaitingUrl);
CADDIS_API_DOCUMENT(WaitingPage);
CADDIS_API_DOCUMENT(UrlReport);
CADDIS_API_DOCUMENT(Checkpoint);
CADDIS_API_DOCUMENT(Status);
CADDIS_API_DOCUMENT(AddedUrls);
CADDIS_API_DOCUMENT(DeletedUrls);
CADDIS_API_DOCUMENT(RemovedSeeds);
CADDIS_API_DOCUMENT(CountedUrls);
CADDIS_API_DOCUMENT(WokenHosts);
CADDIS_API_DOCUMENT(RunningVisits);
CADDIS_API_DOCUMENT(FeedSites);
CADDIS_API_DOCUMENT(WantedFeedSites);
CADDIS_API_DOCUMENT(Settings);
CADDIS_API_DOCUMENT(SettingsChanges);
CADDIS_API_DOCUMENT(Sheets);
CADDIS_API_DOCUMENT(ScopeReport);
CADDIS_API_DOCUMENT(ConsoleRun);
CADDIS_API_DOCUMENT(EndedVisit);
CADDIS_API_DOCUMENT(StoppedCrawl);

#undef CADDIS_API_DOCUMENT

}  // namespace caddis::control::api
