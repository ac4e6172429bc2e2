#include "caddis/harvestserver/settings.h"

#include "caddis/settings/sections.h"
#include "caddis/settings/yaml.h"

namespace caddis::settings {

template <>
const Schema& schema_of<harvestserver::HarvestSettings>() {
  using S = harvestserver::HarvestSettings;
  static const Schema schema(
      "harvest", "Harvests and their jobs.",
      {
          field<&S::contact>("contact", "A web page or mail address under which site owners reach the archive."),
          field<&S::organization>("organization", "The host in the addresses of the records of metadata files."),
          field<&S::check_interval>("check-interval", "How often is looked for harvests whose date has come.",
                                    {.min = "100ms", .max = "1h"}),
          field<&S::max_silence>("max-silence",
                                 "A crawl ends when it has received nothing for so long; 0: it does not.",
                                 {.min = "0s", .max = "30d"}),
          field<&S::max_idle>("max-idle", "A crawl ends when no visit was active for so long; 0: it does not.",
                              {.min = "0s", .max = "30d"}),
          field<&S::job_timeout>("job-timeout", "A job that has run for so long has failed; 0: it may run for ever.",
                                 {.min = "0s", .max = "365d"}),
          field<&S::lost_after>("lost-after",
                                "A harvester of which nothing was heard for so long is lost, and its job has "
                                "failed; with 'shared' it first waits as long again for another harvester.",
                                {.min = "1s", .max = "30d"}),
          field<&S::alias_validity>("alias-validity", "An alias counts for so long after somebody has confirmed it.",
                                    {.min = "1d", .max = "3650d"}),
          field<&S::wait_for_harvesters>("wait-for-harvesters",
                                         "A selective harvest waits until a harvester serves its channel."),
          field<&S::backup_interval>("backup-interval",
                                     "How often an embedded database is copied into backups/; 0: never.",
                                     {.min = "0s", .max = "365d"}),
          field<&S::backups_kept>("backups-kept", "So many copies are kept.", {.min = "1", .max = "1000"}),
          field<&S::earlier_jobs>(
              "earlier-jobs",
              "Payloads that so many earlier jobs of a harvest, or of those it is based on, have stored "
              "are not stored again; 0: all are.",
              {.min = "0", .max = "10000"}),
          field<&S::shared>(
              "shared",
              "A folder that all harvesters reach under this path, each with its own folder in it, called "
              "like the harvester (--data). If one is lost, another takes its job over from what it had "
              "committed. Empty: such a job has failed."),
          field<&S::replicas>(
              "replicas",
              "Further places in which all files of the archive are kept: \"second folder:/mnt/b/archive\", "
              "\"dav put:https://store.example/archive\" (files go there by PUT, and come by GET), "
              "\"cloud s3:https://s3.example/bucket/path\"."),
          field<&S::replica_keys>("replica-keys",
                                  "A file with a line for each replica that asks who comes: its name, key or user, "
                                  "secret, and for S3 the region."),
          field<&S::check_files>("check-files",
                                 "Every file in every store is read again after so long, and its digest compared; 0: "
                                 "it is not.",
                                 {.min = "0s", .max = "3650d"}),
          field<&S::address>("address",
                             "The address under which people reach the pages of this server, for links in alerts: "
                             "https://harvest.example. Empty: alerts have no links."),
          field<&S::low_disk>("low-disk",
                              "An alert tells of a harvester whose disk has fewer bytes free; 0: none does.",
                              {.unit = kBytes, .min = "0"}),
      });
  return schema;
}

template <>
const Schema& schema_of<harvestserver::SplittingSettings>() {
  using S = harvestserver::SplittingSettings;
  using harvest::Formula;
  static const Schema schema(
      "splitting", "How configurations come together in jobs.",
      {
          field<&S::formula>("formula", "How many objects a configuration is expected to bring.",
                             {.choices = {choice("netarchivesuite", Formula::netarchivesuite),
                                          choice("description", Formula::description)}}),
          field<&S::piece>("piece", "So many configurations are read at once.", {.min = "1", .max = "1000000"}),
          field<&S::max_configurations>("max-configurations", "A job has so many at most.",
                                        {.min = "1", .max = "1000000"}),
          field<&S::max_total_size>("max-total-size", "A job is expected to bring so many objects at most.",
                                    {.min = "1"}),
          field<&S::max_relative_difference>(
              "max-relative-difference",
              "The largest configuration of a job has so many times the objects of the smallest, "
              "at most.",
              {.min = "1"}),
          field<&S::min_absolute_difference>("min-absolute-difference",
                                             "Differences of fewer objects are not looked at.", {.min = "0"}),
          field<&S::by_object_limit>("by-object-limit",
                                     "Configurations with other limits of objects are in jobs of their own."),
          field<&S::error_factor_after_complete>(
              "error-factor-after-complete",
              "How much of its room to grow a configuration is expected to use that was complete: one part in so many.",
              {.min = "1"}),
          field<&S::error_factor_of_guess>("error-factor-of-guess", "The same of one that was never complete.",
                                           {.min = "1"}),
          field<&S::bytes_per_object>("bytes-per-object", "An object is taken to have so many bytes.", {.min = "1"}),
          field<&S::max_domain_size>("max-domain-size", "Objects that a domain is taken to have if nothing limits it.",
                                     {.min = "1"}),
      });
  return schema;
}

template <>
const Schema& schema_of<harvestserver::NewDomainSettings>() {
  using S = harvestserver::NewDomainSettings;
  static const Schema schema(
      "new-domains", "What a domain has from the beginning.",
      {
          field<&S::configuration>("configuration", "The name of its configuration."),
          field<&S::seed_list>("seed-list", "The name of its list of seeds."),
          field<&S::template_name>("template", "The template of that configuration."),
          field<&S::max_bytes>("max-bytes", "Its limit of bytes; -1 is none.", {.min = "-1"}),
          field<&S::max_objects>("max-objects", "Its limit of objects; -1 is none.", {.min = "-1"}),
      });
  return schema;
}

}  // namespace caddis::settings

namespace caddis::harvestserver {
namespace {

int64_t seconds_of(Duration duration) { return std::chrono::duration_cast<std::chrono::seconds>(duration).count(); }

}  // namespace

Result<ServerSettings> load_server_settings(io::Files& files, const std::string& path) {
  ServerSettings settings;
  if (!files.exists(path)) return settings;
  TRY(const std::string yaml, files.read_all(path, 1 << 20));
  const settings::Sections sections = {settings::section(settings.harvest), settings::section(settings.splitting),
                                       settings::section(settings.new_domains), settings::section(settings.alerts)};
  TRY_VOID(settings::load_yaml(yaml, path, sections));
  return settings;
}

harvest::GeneratorSettings generator_settings(const ServerSettings& settings) {
  const SplittingSettings& from = settings.splitting;
  harvest::GeneratorSettings to;
  to.expectation = {.formula = from.formula,
                    .error_factor_after_complete = from.error_factor_after_complete,
                    .error_factor_of_guess = from.error_factor_of_guess,
                    .bytes_an_object = from.bytes_per_object,
                    .unlimited_objects = from.max_domain_size};
  to.split = {.most_configurations = static_cast<size_t>(from.max_configurations),
              .most_expected = from.max_total_size,
              .relative_difference = from.max_relative_difference,
              .absolute_difference = from.min_absolute_difference,
              .by_object_limit = from.by_object_limit};
  to.piece = static_cast<size_t>(from.piece);
  to.alias_validity = seconds_of(settings.harvest.alias_validity);
  to.waits_for_harvesters = settings.harvest.wait_for_harvesters;
  to.harvester_silence = seconds_of(settings.harvest.lost_after);
  to.max_silence = seconds_of(settings.harvest.max_silence);
  to.max_idle = seconds_of(settings.harvest.max_idle);
  to.contact = settings.harvest.contact;
  to.earlier_jobs = settings.harvest.earlier_jobs;
  return to;
}

harvest::NewDomainRule new_domain_rule(const ServerSettings& settings) {
  const NewDomainSettings& from = settings.new_domains;
  return {from.configuration, from.seed_list, from.template_name, {from.max_objects, from.max_bytes}};
}

}  // namespace caddis::harvestserver
