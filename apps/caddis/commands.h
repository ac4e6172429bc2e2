// The sub-commands of `caddis`, a file each (cmd_<name>.cc). Each adds itself to the parser with a callback that does
// the work and sets the exit code: 0 done; 1 failed; 2 wrong usage or configuration; 3 finished by a limit, or
// a repair is needed; 4 interrupted, resumable.
#pragma once

namespace CLI {
class App;
}

namespace caddis::cli {

void add_url_commands(CLI::App& app, int& exit_code);             // url parse|canonicalize|surt|explain
void add_robots_commands(CLI::App& app, int& exit_code);          // robots check
void add_extract_commands(CLI::App& app, int& exit_code);         // extract
void add_warc_commands(CLI::App& app, int& exit_code);            // warc ls|cat|check
void add_wacz_commands(CLI::App& app, int& exit_code);            // wacz create|validate|extract
void add_index_commands(CLI::App& app, int& exit_code);           // index add|merge|query|rekey|serve
void add_dedup_commands(CLI::App& app, int& exit_code);           // dedup build|merge|query|stats|dependents|cited
void add_scope_commands(CLI::App& app, int& exit_code);           // scope explain|rules
void add_settings_commands(CLI::App& app, int& exit_code);        // settings get|explain|sheets|set|unset
void add_profiles_commands(CLI::App& app, int& exit_code);        // profiles
void add_schema_commands(CLI::App& app, int& exit_code);          // schema
void add_serve_commands(CLI::App& app, int& exit_code);           // serve
void add_record_commands(CLI::App& app, int& exit_code);          // record
void add_users_commands(CLI::App& app, int& exit_code);           // users add|remove|list|role|password|token
void add_access_commands(CLI::App& app, int& exit_code);          // access check|add|takedown|remove|list|import|export
void add_crawl_commands(CLI::App& app, int& exit_code);           // crawl
void add_control_commands(CLI::App& app, int& exit_code);         // status|pause|resume|stop|checkpoint
void add_console_commands(CLI::App& app, int& exit_code);         // console
void add_frontier_commands(CLI::App& app, int& exit_code);        // frontier
void add_log_commands(CLI::App& app, int& exit_code);             // log
void add_why_commands(CLI::App& app, int& exit_code);             // why
void add_seeds_commands(CLI::App& app, int& exit_code);           // seeds remove
void add_repair_commands(CLI::App& app, int& exit_code);          // repair
void add_import_commands(CLI::App& app, int& exit_code);          // import heritrix
void add_selftest_commands(CLI::App& app, int& exit_code);        // selftest
void add_man_command(CLI::App& app, int& exit_code);              // man, for packages
void add_document_worker_command(CLI::App& app, int& exit_code);  // document-worker, for crawls
void add_program_supervisor_command(CLI::App& app, int& exit_code);  // program-supervisor, for crawls
void add_complete_command(CLI::App& app);                            // complete, for shells

}  // namespace caddis::cli
