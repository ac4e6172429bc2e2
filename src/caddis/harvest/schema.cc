// docs/formats/harvest-db.md says what each table and column is. Times are seconds since 1970, in UTC; a limit of -1 is none.

#include "caddis/harvest/schema.h"

namespace caddis::harvest {
namespace {

constexpr std::string_view kPlans = R"(
CREATE TABLE templates (id {id}, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, source TEXT NOT NULL,
  yaml TEXT NOT NULL, files TEXT NOT NULL, remarks TEXT NOT NULL, is_active BIGINT NOT NULL, comments TEXT NOT NULL,
  edition BIGINT NOT NULL);
CREATE TABLE domains (id {id}, name TEXT NOT NULL UNIQUE, comments TEXT NOT NULL, traps TEXT NOT NULL,
  default_configuration_id BIGINT, alias_of_id BIGINT REFERENCES domains (id), alias_confirmed BIGINT,
  created BIGINT NOT NULL, edition BIGINT NOT NULL);
CREATE INDEX domains_alias ON domains (alias_of_id);
CREATE TABLE owners (id {id}, domain_id BIGINT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  time BIGINT NOT NULL, who TEXT NOT NULL, text TEXT NOT NULL);
CREATE INDEX owners_domain ON owners (domain_id);
CREATE TABLE seed_lists (id {id}, domain_id BIGINT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  name TEXT NOT NULL, seeds TEXT NOT NULL, comments TEXT NOT NULL, UNIQUE (domain_id, name));
CREATE TABLE credentials (id {id}, domain_id BIGINT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  name TEXT NOT NULL, url TEXT NOT NULL, realm TEXT NOT NULL, username TEXT NOT NULL, password TEXT NOT NULL,
  comments TEXT NOT NULL, UNIQUE (domain_id, name));
CREATE TABLE configurations (id {id}, domain_id BIGINT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  name TEXT NOT NULL, template_id BIGINT NOT NULL REFERENCES templates (id), max_objects BIGINT NOT NULL,
  max_bytes BIGINT NOT NULL, overrides TEXT NOT NULL, comments TEXT NOT NULL, most_objects BIGINT, most_bytes BIGINT,
  most_complete BIGINT, described_objects BIGINT, described_bytes BIGINT, described_complete BIGINT,
  UNIQUE (domain_id, name));
CREATE INDEX configurations_template ON configurations (template_id);
CREATE TABLE configuration_seeds (configuration_id BIGINT NOT NULL REFERENCES configurations (id) ON DELETE CASCADE,
  seed_list_id BIGINT NOT NULL REFERENCES seed_lists (id) ON DELETE CASCADE, PRIMARY KEY (configuration_id, seed_list_id));
CREATE INDEX configuration_seeds_list ON configuration_seeds (seed_list_id);
CREATE TABLE configuration_credentials (
  configuration_id BIGINT NOT NULL REFERENCES configurations (id) ON DELETE CASCADE,
  credential_id BIGINT NOT NULL REFERENCES credentials (id) ON DELETE CASCADE, PRIMARY KEY (configuration_id, credential_id));
CREATE INDEX configuration_credentials_one ON configuration_credentials (credential_id);
CREATE TABLE channels (id {id}, name TEXT NOT NULL UNIQUE, is_snapshot BIGINT NOT NULL, is_default BIGINT NOT NULL,
  comments TEXT NOT NULL, edition BIGINT NOT NULL);
CREATE TABLE schedules (id {id}, name TEXT NOT NULL UNIQUE, unit TEXT NOT NULL, every BIGINT NOT NULL, at_minute BIGINT,
  at_hour BIGINT, on_weekday BIGINT, on_day BIGINT, zone TEXT NOT NULL, starts BIGINT, ends BIGINT, times BIGINT,
  comments TEXT NOT NULL, edition BIGINT NOT NULL);
CREATE TABLE trap_lists (id {id}, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, traps TEXT NOT NULL,
  is_active BIGINT NOT NULL, edition BIGINT NOT NULL);
CREATE TABLE definitions (id {id}, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, comments TEXT NOT NULL,
  audience TEXT NOT NULL, traps TEXT NOT NULL, channel_id BIGINT NOT NULL REFERENCES channels (id),
  schedule_id BIGINT REFERENCES schedules (id), max_objects BIGINT NOT NULL, max_bytes BIGINT NOT NULL,
  max_seconds BIGINT NOT NULL, based_on_id BIGINT REFERENCES definitions (id), is_active BIGINT NOT NULL,
  next_run BIGINT, runs BIGINT NOT NULL, missed BIGINT NOT NULL, generating_until BIGINT NOT NULL,
  generating_after BIGINT NOT NULL, problem TEXT NOT NULL, created BIGINT NOT NULL, edition BIGINT NOT NULL);
CREATE INDEX definitions_due ON definitions (is_active, next_run);
CREATE TABLE definition_configurations (definition_id BIGINT NOT NULL REFERENCES definitions (id) ON DELETE CASCADE,
  configuration_id BIGINT NOT NULL REFERENCES configurations (id), PRIMARY KEY (definition_id, configuration_id));
CREATE INDEX definition_configurations_one ON definition_configurations (configuration_id);
)";

constexpr std::string_view kRuns = R"(
CREATE TABLE harvesters (id {id}, name TEXT NOT NULL UNIQUE, channels TEXT NOT NULL,
  host TEXT NOT NULL, version TEXT NOT NULL, free_bytes BIGINT NOT NULL, seen BIGINT NOT NULL, job_id BIGINT,
  state TEXT NOT NULL);
CREATE TABLE jobs (id {id}, definition_id BIGINT NOT NULL REFERENCES definitions (id), run BIGINT NOT NULL,
  channel_id BIGINT NOT NULL REFERENCES channels (id), state TEXT NOT NULL, template_id BIGINT NOT NULL,
  template_name TEXT NOT NULL, overrides TEXT NOT NULL, max_objects BIGINT NOT NULL, max_bytes BIGINT NOT NULL,
  max_seconds BIGINT NOT NULL, expected BIGINT NOT NULL, configurations BIGINT NOT NULL, seed_count BIGINT NOT NULL,
  created BIGINT NOT NULL, submitted BIGINT, started BIGINT, ended BIGINT, harvester TEXT NOT NULL, heard BIGINT,
  wish TEXT NOT NULL, continues BIGINT, resubmitted_as BIGINT, harvest_error TEXT NOT NULL,
  harvest_details TEXT NOT NULL, upload_error TEXT NOT NULL, upload_details TEXT NOT NULL, command TEXT NOT NULL,
  exit TEXT NOT NULL, latest TEXT NOT NULL, verdict TEXT NOT NULL, verdict_note TEXT NOT NULL, objects BIGINT NOT NULL, bytes BIGINT NOT NULL);
CREATE INDEX jobs_waiting ON jobs (state, channel_id, id);
CREATE INDEX jobs_definition ON jobs (definition_id, run);
CREATE TABLE job_files (job_id BIGINT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, name TEXT NOT NULL,
  text TEXT NOT NULL, PRIMARY KEY (job_id, name));
CREATE TABLE job_configurations (job_id BIGINT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  configuration_id BIGINT NOT NULL REFERENCES configurations (id), domain_id BIGINT NOT NULL, max_objects BIGINT NOT NULL,
  max_bytes BIGINT NOT NULL, expected BIGINT NOT NULL, PRIMARY KEY (job_id, configuration_id));
CREATE INDEX job_configurations_one ON job_configurations (configuration_id);
CREATE INDEX job_configurations_domain ON job_configurations (domain_id);
CREATE TABLE stored_files (id {id}, job_id BIGINT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, name TEXT NOT NULL,
  kind TEXT NOT NULL, bytes BIGINT NOT NULL, sha256 TEXT NOT NULL, time BIGINT NOT NULL, UNIQUE (job_id, name));
CREATE TABLE results (id {id}, job_id BIGINT NOT NULL REFERENCES jobs (id), definition_id BIGINT NOT NULL,
  run BIGINT NOT NULL, domain_id BIGINT NOT NULL REFERENCES domains (id),
  configuration_id BIGINT NOT NULL REFERENCES configurations (id), objects BIGINT NOT NULL, bytes BIGINT NOT NULL,
  stop_reason TEXT NOT NULL, time BIGINT NOT NULL, UNIQUE (job_id, configuration_id));
CREATE INDEX results_domain ON results (domain_id, id);
CREATE INDEX results_configuration ON results (definition_id, configuration_id, id);
CREATE TABLE progress (job_id BIGINT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, time BIGINT NOT NULL,
  sample TEXT NOT NULL, PRIMARY KEY (job_id, time));
)";

constexpr std::string_view kRecords = R"(
CREATE TABLE extended_fields (id {id}, name TEXT NOT NULL, target TEXT NOT NULL, kind TEXT NOT NULL,
  choices TEXT NOT NULL, default_value TEXT NOT NULL, is_mandatory BIGINT NOT NULL, most_length BIGINT NOT NULL,
  place BIGINT NOT NULL, edition BIGINT NOT NULL, UNIQUE (target, name));
CREATE TABLE extended_values (field_id BIGINT NOT NULL REFERENCES extended_fields (id) ON DELETE CASCADE,
  object_id BIGINT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (field_id, object_id));
CREATE TABLE changes (id {id}, time BIGINT NOT NULL, who TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
  what TEXT NOT NULL);
CREATE INDEX changes_object ON changes (kind, name, id);
)";

constexpr std::string_view kCare = R"(
ALTER TABLE jobs ADD COLUMN left_by TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN left_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN left_why TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN live_settings TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN patches BIGINT;
CREATE TABLE questions (id {id}, job_id BIGINT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, kind TEXT NOT NULL,
  text TEXT NOT NULL, asked BIGINT NOT NULL, answered BIGINT NOT NULL, answer TEXT NOT NULL, problem TEXT NOT NULL);
CREATE INDEX questions_open ON questions (job_id, answered);
CREATE TABLE copies (file_id BIGINT NOT NULL REFERENCES stored_files (id) ON DELETE CASCADE, store TEXT NOT NULL,
  state TEXT NOT NULL, sha256 TEXT NOT NULL, checked BIGINT NOT NULL, tried BIGINT NOT NULL, problem TEXT NOT NULL,
  PRIMARY KEY (file_id, store));
CREATE INDEX copies_state ON copies (store, state, checked);
)";

constexpr std::string_view kLongQuestions = R"(
ALTER TABLE questions ADD COLUMN heard BIGINT NOT NULL DEFAULT 0;
ALTER TABLE questions ADD COLUMN done BIGINT NOT NULL DEFAULT 0;
ALTER TABLE questions ADD COLUMN given_up BIGINT NOT NULL DEFAULT 0;
UPDATE questions SET heard = asked;
UPDATE questions SET answered = 1, problem = 'the server was replaced meanwhile' WHERE answered = 0 AND kind = 'delete';
)";

constexpr std::string_view kTraps = R"(
CREATE TABLE job_traps (job_id BIGINT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, expression TEXT NOT NULL,
  who TEXT NOT NULL, time BIGINT NOT NULL, PRIMARY KEY (job_id, expression));
)";

constexpr std::string_view kDates = R"(
ALTER TABLE definitions ADD COLUMN waits TEXT NOT NULL DEFAULT '';
ALTER TABLE definitions ADD COLUMN asked BIGINT NOT NULL DEFAULT 0;
ALTER TABLE domains ADD COLUMN shown TEXT NOT NULL DEFAULT '';
)";

constexpr std::string_view kNotices = R"(
CREATE TABLE notices (name TEXT PRIMARY KEY, time BIGINT NOT NULL);
)";

constexpr std::string_view kMakers = R"(
ALTER TABLE definitions ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
UPDATE definitions SET made_by = coalesce((SELECT c.who FROM changes c WHERE c.kind = 'harvest' AND
  c.name = definitions.name AND c.what = 'created' ORDER BY c.id DESC LIMIT 1), '');
)";

constexpr std::string_view kFields = R"(
ALTER TABLE changes ADD COLUMN fields TEXT NOT NULL DEFAULT '[]';
)";

constexpr std::string_view kLastHarvesters = R"(
ALTER TABLE jobs ADD COLUMN had_by TEXT NOT NULL DEFAULT '';
)";

constexpr std::string_view kExtraRuns = R"(
ALTER TABLE definitions ADD COLUMN extra_runs BIGINT NOT NULL DEFAULT 0;
ALTER TABLE definitions ADD COLUMN dated_run BIGINT NOT NULL DEFAULT -1;
UPDATE definitions SET dated_run = runs - 1;
CREATE INDEX results_reason ON results (definition_id, run, stop_reason, id, objects, bytes);
)";

constexpr sql::Migration kSteps[] = {
    {1, "domains, templates, schedules, definitions", kPlans},
    {2, "jobs, harvesters, results", kRuns},
    {3, "extended fields, changes", kRecords},
    {4, "jobs that are handed over, questions, copies of files", kCare},
    {5, "questions that take long", kLongQuestions},
    {6, "traps that were added to a job", kTraps},
    {7, "runs that are asked for or wait, names of domains for people", kDates},
    {8, "conditions that people were told of", kNotices},
    {9, "who has made a harvest", kMakers},
    {10, "fields that a change has changed", kFields},
    {11, "the last harvester of a job that was left", kLastHarvesters},
    {12, "runs that took the place of no date, results by stop reason", kExtraRuns},
};

}  // namespace

std::span<const sql::Migration> schema_steps() { return kSteps; }

}  // namespace caddis::harvest
