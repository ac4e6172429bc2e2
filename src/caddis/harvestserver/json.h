// The documents of the API (api/harvest.yaml), written and read. Times are seconds since 1970; a limit of -1 is none.
//
// Pure, any thread. Reading: ErrorCode::parse names the member that is wrong, or not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/definitions.h"
#include "caddis/harvest/domains.h"
#include "caddis/harvest/earlier_jobs.h"
#include "caddis/harvest/edit.h"
#include "caddis/harvest/job_records.h"
#include "caddis/harvest/jobs.h"
#include "caddis/harvest/live_settings.h"
#include "caddis/harvest/patch.h"
#include "caddis/harvest/plans.h"
#include "caddis/harvest/questions.h"
#include "caddis/harvest/templates.h"

namespace caddis::harvestserver {

std::string json_array(const std::vector<std::string>& items);
std::string json_list(const std::vector<std::string>& texts);
// {"domains":[…],"next":"b.example"}; null if there are no more.
std::string json_page(std::string_view name, const std::vector<std::string>& items, std::string_view next);

// Without passwords.
std::string to_json(const harvest::Domain& domain, const std::vector<harvest::ExtendedValue>& fields);
std::string to_json(const harvest::DomainLine& line);
std::string to_json(const harvest::NamedSchedule& schedule);
std::string to_json(const harvest::Channel& channel);
std::string to_json(const harvest::TrapList& list);
std::string to_json(const harvest::ExtendedField& field);
std::string to_json(const harvest::Template& one, bool with_source);
std::string to_json(const harvest::Definition& definition, const std::vector<harvest::ExtendedValue>& fields);
std::string to_json(const harvest::ConfigurationName& name);
std::string to_json(const harvest::Added& added);
std::string to_json(const harvest::Job& job);
std::string to_json(const harvest::ResultLine& line);
std::string to_json(const harvest::StoredFile& file);
std::string to_json(const harvest::HarvesterState& harvester);
std::string to_json(const harvest::Change& change);

struct WithFields {
  std::vector<harvest::ExtendedValue> fields;
  bool has_fields = false;
};
struct GivenDomain : WithFields {
  harvest::Domain domain;
};
struct GivenDefinition : WithFields {
  harvest::Definition definition;
};
Result<GivenDomain> read_domain(std::string_view json);
Result<GivenDefinition> read_definition(std::string_view json);
Result<harvest::NamedSchedule> read_schedule(std::string_view json);
Result<harvest::Channel> read_channel(std::string_view json);
Result<harvest::TrapList> read_trap_list(std::string_view json);
Result<harvest::ExtendedField> read_field(std::string_view json);
Result<harvest::Template> read_template_json(std::string_view json);

struct NameChanges {
  std::vector<harvest::ConfigurationName> added, removed;
};
Result<NameChanges> read_name_changes(std::string_view json);
Result<std::vector<std::string>> read_names(std::string_view json);  // {"names": […]}
Result<harvest::EventSeeds> read_event_seeds(std::string_view json);
// The text of one member: {"text": "…"}; empty if it is not there.
Result<std::string> read_text(std::string_view json, std::string_view member);

// The words of a harvester on itself, of its job, and of its end.
Result<harvest::HarvesterState> read_harvester(std::string_view json);
std::string harvester_json(const harvest::HarvesterState& harvester);
struct GivenProgress {
  bool is_started = false;
  std::string sample;  // JSON
};
Result<GivenProgress> read_progress(std::string_view json);
std::string progress_json(const GivenProgress& progress);
struct GivenEnd {
  harvest::JobEnd end;
  harvest::StopReason otherwise = harvest::StopReason::unfinished;
};
Result<GivenEnd> read_end(std::string_view json);
std::string end_json(const GivenEnd& end);
// Digest indexes that the harvester could not have: {"left_out": ["5"], "damaged": ["5-1.digests"], "words": "…"}
std::string to_json(const harvest::EarlierTrouble& trouble);
Result<harvest::EarlierTrouble> read_earlier_trouble(std::string_view json);

// News for a harvester of its job while it runs, and its answers to questions.
std::string to_json(const harvest::JobWishes& wishes);
Result<harvest::JobWishes> read_wishes(std::string_view json);
std::string to_json(const harvest::CrawlAnswer& answer);
Result<harvest::CrawlAnswer> read_answer(std::string_view json);
// A question for lines of a log: {"name": "crawl.log", "match": "…", "limit": 100, "after": 0, "reverse": false}
struct LogQuestion {
  std::string name, match;
  int64_t limit = 100;
  std::optional<int64_t> from;  // a byte of a log that grows, a line of one that has ended
  bool reverse = false;
};
std::string to_json(const LogQuestion& question);
Result<LogQuestion> read_log_question(std::string_view json);
struct ReportQuestion {
  std::string target;  // of the crawl's own API
};
std::string to_json(const ReportQuestion& question);
Result<ReportQuestion> read_report_question(std::string_view json);

// URLs that are deleted from the frontier: of a host, those in which an expression is found, or both.
struct DeletionOrder {
  std::string host, regex;
  bool dry = false;        // only counted
  std::string actor = {};  // for the record
};
std::string to_json(const DeletionOrder& order);
// "URLs with /shop/ of example.org"
std::string in_words(const DeletionOrder& order);
Result<DeletionOrder> read_deletion(std::string_view json);
// {"deleted": 12}, with {"at_least": true} if how many the last part has deleted is not known.
struct Deleted {
  uint64_t urls = 0;
  bool at_least = false;
};
std::string deleted_json(const DeletionOrder& order, const Deleted& deleted);
Deleted read_deleted(std::string_view json);
// {"question": 12, "state": "open", "done": 40000, …}; what was asked, and the answer if there is one.
std::string to_json(const harvest::AskedQuestion& question);
Result<int64_t> read_done(std::string_view json);
struct ScriptOrder {
  std::string script, session, actor = {};
};
std::string to_json(const ScriptOrder& order);
Result<ScriptOrder> read_script(std::string_view json);

struct GivenLimits {
  std::optional<int64_t> max_objects, max_bytes, max_seconds;
};
Result<GivenLimits> read_limits(std::string_view json);
struct GivenUrls {
  std::vector<std::string> urls;
  std::string list = "missed";
};
Result<GivenUrls> read_urls(std::string_view json);
std::string to_json(const harvest::CollectedSeeds& seeds);
std::string to_json(const harvest::JobRecord& record);
std::string to_json(const harvest::LinePage& page);
std::string to_json(const harvest::MissedUrl& missed);
std::string to_json(const harvest::JobTrap& trap);

// The order that a harvester is given.
struct EarlierFile {
  int64_t job = 0;
  std::string name, sha256;
  int64_t bytes = 0;
};
struct Order {
  int64_t job = 0, definition = 0, run = 0;
  std::string definition_name, channel, organization;
  std::vector<std::string> files;
  std::vector<EarlierFile> earlier;  // digest indexes of earlier jobs
  std::string left_by, folder;       // the harvester that has begun it, and where its jobs are; empty: nobody has
};
std::string to_json(const Order& order);
Result<Order> read_order(std::string_view json);

}  // namespace caddis::harvestserver
