// Documents of the archive's plans and of its jobs, written. json_read.cc reads them.

#include "caddis/harvestserver/json.h"

#include <fmt/format.h>

#include <optional>

#include "caddis/base/json_text.h"
#include "caddis/harvest/domain_name.h"

namespace caddis::harvestserver {
namespace {

using harvest::Configuration;
using harvest::Credential;

void add(JsonObject& json, std::string_view name, const std::optional<int64_t>& value) {
  if (value)
    json.add(name, *value);
  else
    json.add_null(name);
}

std::optional<int64_t> seconds_of(const std::optional<harvest::Moment>& moment) {
  if (!moment) return std::nullopt;
  return moment->time_since_epoch().count();
}

template <class Item, class Write>
std::string array_of(const std::vector<Item>& items, const Write& write) {
  std::vector<std::string> texts;
  for (const Item& item : items) texts.push_back(write(item));
  return json_array(texts);
}

std::string of(const harvest::SeedList& list) {
  return JsonObject().add("name", list.name).add("seeds", list.seeds).add("comments", list.comments).finish();
}

std::string of(const Credential& one) {
  return JsonObject()
      .add("name", one.name)
      .add("url", one.url)
      .add("realm", one.realm)
      .add("username", one.username)
      .add("has_password", !one.password.empty())
      .add("comments", one.comments)
      .finish();
}

std::string of(const Configuration& one) {
  return JsonObject()
      .add("name", one.name)
      .add("template", one.template_name)
      .add("max_objects", one.limits.objects)
      .add("max_bytes", one.limits.bytes)
      .add("overrides", one.overrides)
      .add("comments", one.comments)
      .add_raw("seed_lists", json_list(one.seed_lists))
      .add_raw("credentials", json_list(one.credentials))
      .finish();
}

std::string of(const harvest::Owner& owner) {
  return JsonObject().add("time", owner.time).add("who", owner.who).add("text", owner.text).finish();
}

std::string of(const std::vector<harvest::ExtendedValue>& fields) {
  return array_of(fields, [](const harvest::ExtendedValue& field) {
    return JsonObject().add("name", field.name).add("value", field.value).finish();
  });
}

}  // namespace

std::string json_array(const std::vector<std::string>& items) { return fmt::format("[{}]", fmt::join(items, ",")); }

std::string json_list(const std::vector<std::string>& texts) {
  return array_of(texts, [](const std::string& text) {
    std::string json;
    append_json_string(json, text);
    return json;
  });
}

std::string json_page(std::string_view name, const std::vector<std::string>& items, std::string_view next) {
  JsonObject json;
  json.add_raw(name, json_array(items));
  if (next.empty())
    json.add_null("next");
  else
    json.add("next", next);
  return json.finish();
}

std::string to_json(const harvest::Domain& domain, const std::vector<harvest::ExtendedValue>& fields) {
  JsonObject json;
  json.add("name", domain.name)
      .add("shown", harvest::shown_domain(domain.name))
      .add("comments", domain.comments)
      .add("traps", domain.traps)
      .add("default_configuration", domain.default_configuration)
      .add("alias_of", domain.alias_of)
      .add("alias_of_shown", harvest::shown_domain(domain.alias_of));
  add(json, "alias_confirmed", domain.alias_confirmed);
  return json.add("created", domain.created)
      .add("edition", domain.edition)
      .add_raw("seed_lists", array_of(domain.seed_lists, [](const auto& item) { return of(item); }))
      .add_raw("credentials", array_of(domain.credentials, [](const auto& item) { return of(item); }))
      .add_raw("configurations", array_of(domain.configurations, [](const auto& item) { return of(item); }))
      .add_raw("owners", array_of(domain.owners, [](const auto& item) { return of(item); }))
      .add_raw("fields", of(fields))
      .finish();
}

std::string to_json(const harvest::DomainLine& line) {
  return JsonObject()
      .add("name", line.name)
      .add("shown", harvest::shown_domain(line.name))
      .add("alias_of", line.alias_of)
      .add("alias_of_shown", harvest::shown_domain(line.alias_of))
      .add("configurations", line.configurations)
      .add("created", line.created)
      .finish();
}

std::string to_json(const harvest::NamedSchedule& one) {
  const harvest::Frequency& frequency = one.schedule.frequency;
  const auto wide = [](const std::optional<int>& value) {
    return value ? std::optional<int64_t>(*value) : std::optional<int64_t>();
  };
  JsonObject json;
  json.add("name", one.name)
      .add("words", harvest::in_words(one.schedule))
      .add("unit", name_of(frequency.unit))
      .add("every", frequency.every);
  add(json, "minute", wide(frequency.minute));
  add(json, "hour", wide(frequency.hour));
  add(json, "weekday", wide(frequency.weekday));
  add(json, "day", wide(frequency.day));
  json.add("zone", one.schedule.zone);
  add(json, "starts", seconds_of(one.schedule.starts));
  add(json, "ends", seconds_of(one.schedule.ends));
  add(json, "times", one.schedule.times);
  return json.add("comments", one.comments).add("edition", one.edition).finish();
}

std::string to_json(const harvest::Channel& one) {
  return JsonObject()
      .add("name", one.name)
      .add("is_snapshot", one.is_snapshot)
      .add("is_default", one.is_default)
      .add("comments", one.comments)
      .add("edition", one.edition)
      .finish();
}

std::string to_json(const harvest::TrapList& one) {
  return JsonObject()
      .add("name", one.name)
      .add("description", one.description)
      .add("traps", one.traps)
      .add("is_active", one.is_active)
      .add("edition", one.edition)
      .finish();
}

std::string to_json(const harvest::ExtendedField& one) {
  return JsonObject()
      .add("name", one.name)
      .add("target", one.target)
      .add("kind", one.kind)
      .add_raw("choices", json_list(one.choices))
      .add("default_value", one.default_value)
      .add("is_mandatory", one.is_mandatory)
      .add("most_length", one.most_length)
      .add("place", one.place)
      .add("edition", one.edition)
      .finish();
}

std::string to_json(const harvest::Template& one, bool with_source) {
  JsonObject json;
  json.add("name", one.name)
      .add("kind", one.kind)
      .add("is_active", one.is_active)
      .add("comments", one.comments)
      .add("edition", one.edition)
      .add_raw("remarks", json_list(one.remarks));
  if (with_source) json.add("source", one.source).add("settings", one.yaml);
  return json.finish();
}

std::string to_json(const harvest::Definition& one, const std::vector<harvest::ExtendedValue>& fields) {
  JsonObject json;
  json.add("name", one.name)
      .add("kind", one.kind)
      .add("made_by", one.made.who)
      .add("comments", one.comments)
      .add("audience", one.audience)
      .add("traps", one.traps)
      .add("channel", one.channel)
      .add("schedule", one.schedule)
      .add("max_objects", one.limits.objects)
      .add("max_bytes", one.limits.bytes)
      .add("max_seconds", one.max_seconds)
      .add("based_on", one.based_on)
      .add("is_active", one.is_active);
  add(json, "next_run", one.next_run);
  return json.add("runs", one.runs)
      .add("missed", one.missed)
      .add("problem", one.problem)
      .add("waits", one.waits)
      .add("created", one.made.now)
      .add("edition", one.edition)
      .add("configurations", one.configurations)
      .add_raw("fields", of(fields))
      .finish();
}

std::string to_json(const harvest::ConfigurationName& name) {
  return JsonObject()
      .add("domain", name.domain)
      .add("shown", harvest::shown_domain(name.domain))
      .add("configuration", name.configuration)
      .finish();
}

std::string to_json(const harvest::Added& added) {
  return JsonObject()
      .add("added", added.added)
      .add("created_domains", added.created_domains)
      .add_raw("problems", json_list(added.problems))
      .finish();
}

std::string to_json(const harvest::Job& job) {
  JsonObject json;
  json.add("job", job.id)
      .add("harvest", job.definition)
      .add("made_by", job.care.made_by)
      .add("kind", job.kind)
      .add("run", job.run)
      .add("channel", job.channel)
      .add("state", name_of(job.state))
      .add("template", job.shape.template_name)
      .add("overrides", job.shape.overrides)
      .add("max_objects", job.shape.limits.objects)
      .add("max_bytes", job.shape.limits.bytes)
      .add("max_seconds", job.shape.max_seconds)
      .add("expected", job.shape.expected)
      .add("configurations", job.shape.configurations)
      .add("seeds", job.shape.seeds)
      .add("created", job.times.created);
  add(json, "submitted", job.times.submitted);
  add(json, "started", job.times.started);
  add(json, "ended", job.times.ended);
  add(json, "heard", job.times.heard);
  json.add("harvester", job.harvester).add("wish", job.care.wish);
  add(json, "continues", job.continues);
  add(json, "resubmitted_as", job.resubmitted_as);
  add(json, "patches", job.care.patches);
  json.add("left_by", job.care.left_by)
      .add("left_why", job.care.left_why)
      .add("has_live_limits", harvest::has_live_limits(job));
  return json.add("harvest_error", job.errors.harvest)
      .add("harvest_details", job.errors.harvest_details)
      .add("upload_error", job.errors.upload)
      .add("upload_details", job.errors.upload_details)
      .add("command", job.command)
      .add("exit", job.exit)
      .add("verdict", job.verdict.first)
      .add("verdict_note", job.verdict.second)
      .add("objects", job.objects)
      .add("bytes", job.bytes)
      .add_raw("progress", job.latest.empty() ? "null" : job.latest)
      .finish();
}

std::string to_json(const harvest::ResultLine& line) {
  return JsonObject()
      .add("id", line.id)
      .add("job", line.job)
      .add("harvest", line.definition)
      .add("run", line.run)
      .add("domain", line.domain)
      .add("shown", harvest::shown_domain(line.domain))
      .add("configuration", line.configuration)
      .add("objects", line.objects)
      .add("bytes", line.bytes)
      .add("stop_reason", name_of(line.reason))
      .add("time", line.time)
      .finish();
}

std::string to_json(const harvest::StoredFile& file) {
  return JsonObject()
      .add("job", file.job)
      .add("name", file.name)
      .add("kind", file.kind)
      .add("bytes", file.bytes)
      .add("sha256", file.sha256)
      .finish();
}

std::string to_json(const harvest::HarvesterState& one) {
  JsonObject json;
  json.add("name", one.name).add("seen", one.seen);
  add(json, "job", one.job);
  return json.add("host", one.host)
      .add("version", one.version)
      .add("free_bytes", one.free_bytes)
      .add("state", one.state)
      .add_raw("channels", json_list(one.channels))
      .finish();
}

std::string harvester_json(const harvest::HarvesterState& one) {
  JsonObject json;
  add(json, "job", one.job);
  return json.add("host", one.host)
      .add("version", one.version)
      .add("free_bytes", one.free_bytes)
      .add("state", one.state)
      .add_raw("channels", json_list(one.channels))
      .finish();
}

std::string to_json(const harvest::EarlierTrouble& trouble) {
  std::vector<std::string> left_out;
  for (const int64_t job : trouble.left_out) left_out.push_back(std::to_string(job));
  return JsonObject()
      .add_raw("left_out", json_list(left_out))
      .add_raw("damaged", json_list(trouble.damaged))
      .add("words", trouble.words)
      .finish();
}

std::string to_json(const harvest::Change& change) {
  return JsonObject()
      .add("time", change.time)
      .add("who", change.who)
      .add("kind", change.kind)
      .add("name", change.name)
      .add("what", change.what)
      .add_raw("fields", change.fields)
      .finish();
}

std::string progress_json(const GivenProgress& progress) {
  return JsonObject()
      .add("is_started", progress.is_started)
      .add_raw("sample", progress.sample.empty() ? "null" : progress.sample)
      .finish();
}

std::string end_json(const GivenEnd& given) {
  const harvest::JobEnd& end = given.end;
  return JsonObject()
      .add("is_done", end.is_done)
      .add("harvest_error", end.errors.harvest)
      .add("harvest_details", end.errors.harvest_details)
      .add("upload_error", end.errors.upload)
      .add("upload_details", end.errors.upload_details)
      .add("exit", end.exit)
      .add("command", end.command)
      .add("otherwise", name_of(given.otherwise))
      .add_raw("results", array_of(end.results,
                                   [](const harvest::DomainResult& result) {
                                     return JsonObject()
                                         .add("domain", result.domain)
                                         .add("objects", result.objects)
                                         .add("bytes", result.bytes)
                                         .add("stop_reason", name_of(result.reason))
                                         .finish();
                                   }))
      .finish();
}

std::string to_json(const Order& order) {
  return JsonObject()
      .add("job", order.job)
      .add("definition", order.definition)
      .add("run", order.run)
      .add("definition_name", order.definition_name)
      .add("channel", order.channel)
      .add("organization", order.organization)
      .add_raw("files", json_list(order.files))
      .add_raw("earlier", array_of(order.earlier,
                                   [](const EarlierFile& file) {
                                     return JsonObject()
                                         .add("job", file.job)
                                         .add("name", file.name)
                                         .add("sha256", file.sha256)
                                         .add("bytes", file.bytes)
                                         .finish();
                                   }))
      .add("left_by", order.left_by)
      .add("folder", order.folder)
      .finish();
}

std::string to_json(const harvest::JobWishes& wishes) {
  return JsonObject()
      .add("wish", wishes.wish)
      .add("settings", wishes.settings)
      .add_raw("questions", array_of(wishes.questions,
                                     [](const harvest::CrawlQuestion& one) {
                                       return JsonObject()
                                           .add("id", one.id)
                                           .add("kind", one.kind)
                                           .add("text", one.text)
                                           .add("given_up", one.is_given_up)
                                           .finish();
                                     }))
      .finish();
}

std::string to_json(const harvest::CrawlAnswer& answer) {
  return JsonObject().add("text", answer.text).add("problem", answer.problem).finish();
}

std::string to_json(const LogQuestion& one) {
  JsonObject json;
  json.add("name", one.name).add("match", one.match).add("limit", one.limit).add("reverse", one.reverse);
  add(json, "from", one.from);
  return json.finish();
}

std::string to_json(const ReportQuestion& one) { return JsonObject().add("target", one.target).finish(); }

std::string in_words(const DeletionOrder& order) {
  return fmt::format("URLs{}{}", order.regex.empty() ? "" : " with " + order.regex,
                     order.host.empty() ? "" : " of " + order.host);
}

std::string to_json(const DeletionOrder& one) {
  JsonObject json;
  json.add("host", one.host).add("regex", one.regex).add("dry", one.dry).add("actor", one.actor);
  return json.finish();
}

std::string deleted_json(const DeletionOrder& order, const Deleted& deleted) {
  JsonObject json;
  json.add(order.dry ? "would_delete" : "deleted", deleted.urls);
  if (deleted.at_least && !order.dry) json.add("at_least", true);
  return json.finish();
}

std::string to_json(const harvest::AskedQuestion& one) {
  JsonObject json;
  json.add("question", one.question.id)
      .add("job", one.job)
      .add("kind", one.question.kind)
      .add("state", !one.answer                   ? "open"
                    : one.answer->problem.empty() ? "answered"
                                                  : "problem")
      .add("asked", one.asked)
      .add("heard", one.heard)
      .add("done", one.done)
      .add("given_up", one.question.is_given_up)
      .add_raw("text", one.question.text);
  if (one.answer && one.answer->problem.empty()) json.add_raw("answer", one.answer->text);
  if (one.answer && !one.answer->problem.empty()) json.add("problem", one.answer->problem);
  return json.finish();
}

std::string to_json(const ScriptOrder& one) {
  return JsonObject().add("script", one.script).add("session", one.session).add("actor", one.actor).finish();
}

std::string to_json(const harvest::CollectedSeeds& seeds) {
  return JsonObject().add("added", seeds.added).add_raw("problems", json_list(seeds.problems)).finish();
}

std::string to_json(const harvest::JobRecord& record) {
  return JsonObject().add("kind", record.kind).add("name", record.name).add("bytes", record.bytes).finish();
}

std::string to_json(const harvest::LinePage& page) {
  JsonObject json;
  json.add_raw("lines", json_list(page.lines));
  if (page.next)
    json.add("next", *page.next);
  else
    json.add_null("next");
  return json.finish();
}

std::string to_json(const harvest::MissedUrl& missed) {
  return JsonObject()
      .add("url", missed.url)
      .add("via", missed.via)
      .add("status", missed.status)
      .add("hops", missed.hops)
      .finish();
}

std::string to_json(const harvest::JobTrap& trap) {
  JsonObject json;
  json.add("expression", trap.expression).add("added", trap.was_added);
  if (trap.by) json.add("who", trap.by->who).add("time", trap.by->now);
  return json.finish();
}

}  // namespace caddis::harvestserver
