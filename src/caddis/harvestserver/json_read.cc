#include <fmt/format.h>

#include "caddis/base/strings.h"
#include "caddis/control/json_reader.h"
#include "caddis/harvestserver/json.h"

namespace caddis::harvestserver {
namespace {

using harvest::Moment;

void take_fields(control::JsonReader& json, WithFields& into) {
  json.take_all("fields", [&](control::JsonReader& item) {
    into.has_fields = true;
    harvest::ExtendedValue& value = into.fields.emplace_back();
    item.take("name", value.name);
    item.take("value", value.value);
  });
}

void take_small(control::JsonReader& json, const char* name, std::optional<int>& into) {
  std::optional<int64_t> number;
  json.take(name, number);
  if (!number) return;
  if (*number < -1'000'000 || *number > 1'000'000) return json.note(fmt::format("{} is too large", name));
  into = static_cast<int>(*number);
}

void take_moment(control::JsonReader& json, const char* name, std::optional<Moment>& into) {
  constexpr int64_t kFar = int64_t{4'000'000'000};
  std::optional<int64_t> seconds;
  json.take(name, seconds);
  if (!seconds) return;
  if (*seconds < 0 || *seconds > kFar) return json.note(fmt::format("{} is no time in seconds since 1970", name));
  into = Moment(std::chrono::seconds(*seconds));
}

void take_names(control::JsonReader& json, const char* name, std::vector<harvest::ConfigurationName>& into) {
  json.take_all(name, [&](control::JsonReader& item) {
    harvest::ConfigurationName& one = into.emplace_back();
    item.take("domain", one.domain);
    item.take("configuration", one.configuration);
  });
}

void take_reason(control::JsonReader& json, const char* name, harvest::StopReason& into) {
  std::string text;
  json.take(name, text);
  if (const auto reason = harvest::reason_named(text))
    into = *reason;
  else
    json.note(fmt::format("'{}' is no reason why a harvest stops", text));
}

}  // namespace

Result<GivenDomain> read_domain(std::string_view text) {
  control::JsonReader json(text);
  GivenDomain given;
  harvest::Domain& domain = given.domain;
  json.take("name", domain.name);
  json.take("comments", domain.comments);
  json.take("traps", domain.traps);
  json.take("default_configuration", domain.default_configuration);
  json.take("alias_of", domain.alias_of);
  json.take("alias_confirmed", domain.alias_confirmed);
  json.take("edition", domain.edition);
  for (const char* name : {"shown", "alias_of_shown", "created", "owners"}) json.pass(name);
  json.take_all("seed_lists", [&](control::JsonReader& item) {
    harvest::SeedList& list = domain.seed_lists.emplace_back();
    item.take("name", list.name);
    item.take("was", list.was);
    item.take("seeds", list.seeds);
    item.take("comments", list.comments);
  });
  json.take_all("credentials", [&](control::JsonReader& item) {
    harvest::Credential& one = domain.credentials.emplace_back();
    item.take("name", one.name);
    item.take("was", one.was);
    item.take("url", one.url);
    item.take("realm", one.realm);
    item.take("username", one.username);
    item.take("password", one.password);
    item.take("comments", one.comments);
    item.pass("has_password");
  });
  json.take_all("configurations", [&](control::JsonReader& item) {
    harvest::Configuration& one = domain.configurations.emplace_back();
    item.take("name", one.name);
    item.take("was", one.was);
    item.take("template", one.template_name);
    item.take("max_objects", one.limits.objects);
    item.take("max_bytes", one.limits.bytes);
    item.take("overrides", one.overrides);
    item.take("comments", one.comments);
    item.take("seed_lists", one.seed_lists);
    item.take("credentials", one.credentials);
  });
  take_fields(json, given);
  return json.finish(std::move(given));
}

Result<GivenDefinition> read_definition(std::string_view text) {
  control::JsonReader json(text);
  GivenDefinition given;
  harvest::Definition& one = given.definition;
  json.take("name", one.name);
  json.take("kind", one.kind);
  json.take("comments", one.comments);
  json.take("audience", one.audience);
  json.take("traps", one.traps);
  json.take("channel", one.channel);
  json.take("schedule", one.schedule);
  json.take("max_objects", one.limits.objects);
  json.take("max_bytes", one.limits.bytes);
  json.take("max_seconds", one.max_seconds);
  json.take("based_on", one.based_on);
  json.take("edition", one.edition);
  for (const char* name :
       {"is_active", "next_run", "runs", "missed", "problem", "waits", "made_by", "created", "configurations"})
    json.pass(name);
  take_fields(json, given);
  return json.finish(std::move(given));
}

Result<harvest::NamedSchedule> read_schedule(std::string_view text) {
  control::JsonReader json(text);
  harvest::NamedSchedule one;
  harvest::Frequency& frequency = one.schedule.frequency;
  std::string unit(name_of(frequency.unit));
  int64_t every = 1;
  json.take("name", one.name);
  json.take("unit", unit);
  json.take("every", every);
  take_small(json, "minute", frequency.minute);
  take_small(json, "hour", frequency.hour);
  take_small(json, "weekday", frequency.weekday);
  take_small(json, "day", frequency.day);
  json.take("zone", one.schedule.zone);
  take_moment(json, "starts", one.schedule.starts);
  take_moment(json, "ends", one.schedule.ends);
  json.take("times", one.schedule.times);
  json.take("comments", one.comments);
  json.take("edition", one.edition);
  json.pass("words");
  if (const auto known = harvest::unit_named(unit))
    frequency.unit = *known;
  else
    json.note("unit is one of: minute, hour, day, week, month");
  constexpr int64_t kMost = 1'000'000;
  frequency.every = static_cast<int>(std::min(std::max<int64_t>(every, -1), kMost));
  return json.finish(std::move(one));
}

Result<harvest::Channel> read_channel(std::string_view text) {
  control::JsonReader json(text);
  harvest::Channel one;
  json.take("name", one.name);
  json.take("is_snapshot", one.is_snapshot);
  json.take("is_default", one.is_default);
  json.take("comments", one.comments);
  json.take("edition", one.edition);
  return json.finish(std::move(one));
}

Result<harvest::TrapList> read_trap_list(std::string_view text) {
  control::JsonReader json(text);
  harvest::TrapList one;
  json.take("name", one.name);
  json.take("description", one.description);
  json.take("traps", one.traps);
  json.take("is_active", one.is_active);
  json.take("edition", one.edition);
  return json.finish(std::move(one));
}

Result<harvest::ExtendedField> read_field(std::string_view text) {
  control::JsonReader json(text);
  harvest::ExtendedField one;
  json.take("name", one.name);
  json.take("target", one.target);
  json.take("kind", one.kind);
  json.take("choices", one.choices);
  json.take("default_value", one.default_value);
  json.take("is_mandatory", one.is_mandatory);
  json.take("most_length", one.most_length);
  json.take("place", one.place);
  json.take("edition", one.edition);
  return json.finish(std::move(one));
}

Result<harvest::Template> read_template_json(std::string_view text) {
  control::JsonReader json(text);
  harvest::Template one;
  json.take("name", one.name);
  json.take("source", one.source);
  json.take("is_active", one.is_active);
  json.take("comments", one.comments);
  json.take("edition", one.edition);
  for (const char* name : {"kind", "remarks", "settings"}) json.pass(name);
  return json.finish(std::move(one));
}

Result<NameChanges> read_name_changes(std::string_view text) {
  control::JsonReader json(text);
  NameChanges changes;
  take_names(json, "add", changes.added);
  take_names(json, "remove", changes.removed);
  return json.finish(std::move(changes));
}

Result<std::vector<std::string>> read_names(std::string_view text) {
  control::JsonReader json(text);
  std::vector<std::string> names;
  json.take("names", names);
  return json.finish(std::move(names));
}

Result<harvest::EventSeeds> read_event_seeds(std::string_view text) {
  control::JsonReader json(text);
  harvest::EventSeeds event;
  event.template_name = "default";
  json.take("seeds", event.seeds);
  json.take("template", event.template_name);
  json.take("max_objects", event.limits.objects);
  json.take("max_bytes", event.limits.bytes);
  return json.finish(std::move(event));
}

Result<std::string> read_text(std::string_view text, std::string_view member) {
  if (text.empty()) return std::string();
  control::JsonReader json(text);
  std::string value;
  json.take(std::string(member).c_str(), value);
  return json.finish(std::move(value));
}

Result<harvest::HarvesterState> read_harvester(std::string_view text) {
  control::JsonReader json(text);
  harvest::HarvesterState one;
  json.take("host", one.host);
  json.take("version", one.version);
  json.take("free_bytes", one.free_bytes);
  json.take("state", one.state);
  json.take("job", one.job);
  json.take("channels", one.channels);
  return json.finish(std::move(one));
}

Result<GivenProgress> read_progress(std::string_view text) {
  control::JsonReader json(text);
  GivenProgress progress;
  json.take("is_started", progress.is_started);
  json.take_raw("sample", progress.sample);
  return json.finish(std::move(progress));
}

Result<GivenEnd> read_end(std::string_view text) {
  control::JsonReader json(text);
  GivenEnd given;
  harvest::JobEnd& end = given.end;
  json.take("is_done", end.is_done);
  json.take("harvest_error", end.errors.harvest);
  json.take("harvest_details", end.errors.harvest_details);
  json.take("upload_error", end.errors.upload);
  json.take("upload_details", end.errors.upload_details);
  json.take("exit", end.exit);
  json.take("command", end.command);
  take_reason(json, "otherwise", given.otherwise);
  json.take_all("results", [&](control::JsonReader& item) {
    harvest::DomainResult& result = end.results.emplace_back();
    item.take("domain", result.domain);
    item.take("objects", result.objects);
    item.take("bytes", result.bytes);
    take_reason(item, "stop_reason", result.reason);
  });
  return json.finish(std::move(given));
}

Result<harvest::EarlierTrouble> read_earlier_trouble(std::string_view text) {
  control::JsonReader json(text);
  harvest::EarlierTrouble trouble;
  std::vector<std::string> left_out;
  json.take("left_out", left_out);
  json.take("damaged", trouble.damaged);
  json.take("words", trouble.words);
  for (const std::string& number : left_out)
    if (const auto job = parse_int(number)) trouble.left_out.push_back(*job);
  return json.finish(std::move(trouble));
}

Result<Order> read_order(std::string_view text) {
  control::JsonReader json(text);
  Order order;
  json.take("job", order.job);
  json.take("definition", order.definition);
  json.take("run", order.run);
  json.take("definition_name", order.definition_name);
  json.take("channel", order.channel);
  json.take("organization", order.organization);
  json.take("files", order.files);
  json.take_all("earlier", [&](control::JsonReader& item) {
    EarlierFile& file = order.earlier.emplace_back();
    item.take("job", file.job);
    item.take("name", file.name);
    item.take("sha256", file.sha256);
    item.take("bytes", file.bytes);
  });
  json.take("left_by", order.left_by);
  json.take("folder", order.folder);
  return json.finish(std::move(order));
}

Result<harvest::JobWishes> read_wishes(std::string_view text) {
  control::JsonReader json(text);
  harvest::JobWishes wishes;
  json.take("wish", wishes.wish);
  json.take("settings", wishes.settings);
  json.take_all("questions", [&](control::JsonReader& item) {
    harvest::CrawlQuestion& one = wishes.questions.emplace_back();
    item.take("id", one.id);
    item.take("kind", one.kind);
    item.take("text", one.text);
    item.take("given_up", one.is_given_up);
  });
  return json.finish(std::move(wishes));
}

Result<harvest::CrawlAnswer> read_answer(std::string_view text) {
  control::JsonReader json(text);
  harvest::CrawlAnswer answer;
  json.take("text", answer.text);
  json.take("problem", answer.problem);
  return json.finish(std::move(answer));
}

Result<LogQuestion> read_log_question(std::string_view text) {
  control::JsonReader json(text);
  LogQuestion one;
  json.take("name", one.name);
  json.take("match", one.match);
  json.take("limit", one.limit);
  json.take("from", one.from);
  json.take("reverse", one.reverse);
  return json.finish(std::move(one));
}

Result<ReportQuestion> read_report_question(std::string_view text) {
  control::JsonReader json(text);
  ReportQuestion one;
  json.take("target", one.target);
  return json.finish(std::move(one));
}

Result<DeletionOrder> read_deletion(std::string_view text) {
  control::JsonReader json(text);
  DeletionOrder one;
  json.take("host", one.host);
  json.take("regex", one.regex);
  json.take("dry", one.dry);
  json.take("actor", one.actor);
  return json.finish(std::move(one));
}

Deleted read_deleted(std::string_view text) {
  control::JsonReader json(text);
  int64_t urls = 0;
  Deleted deleted;
  json.take("deleted", urls);
  json.take("at_least", deleted.at_least);
  deleted.urls = static_cast<uint64_t>(std::max<int64_t>(urls, 0));
  return deleted;
}

Result<int64_t> read_done(std::string_view text) {
  control::JsonReader json(text);
  int64_t done = 0;
  json.take("done", done);
  return json.finish(done);
}

Result<ScriptOrder> read_script(std::string_view text) {
  control::JsonReader json(text);
  ScriptOrder one;
  json.take("script", one.script);
  json.take("session", one.session);
  json.take("actor", one.actor);
  return json.finish(std::move(one));
}

Result<GivenLimits> read_limits(std::string_view text) {
  control::JsonReader json(text);
  GivenLimits given;
  json.take("max_objects", given.max_objects);
  json.take("max_bytes", given.max_bytes);
  json.take("max_seconds", given.max_seconds);
  return json.finish(given);
}

Result<GivenUrls> read_urls(std::string_view text) {
  control::JsonReader json(text);
  GivenUrls given;
  json.take("urls", given.urls);
  json.take("list", given.list);
  return json.finish(std::move(given));
}

}  // namespace caddis::harvestserver
