// caddis log [COLLECTION|FILE…]: lines of crawl logs, all or those that are wanted; the last ones, and those to come;
// whole, some of their fields, or counted.
//
// Files are read one after the other, a line at a time. The last lines are kept in memory until all have been read,
// unless they can be found from the end of the file: if nothing is filtered.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "caddis/control/asked_crawl.h"
#include "caddis/io/files.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/log_field.h"
#include "caddis/logs/log_files.h"
#include "caddis/logs/log_filter.h"
#include "caddis/logs/log_follower.h"
#include "caddis/logs/log_groups.h"
#include "caddis/logs/log_line.h"
#include "commands.h"
#include "job_logs.h"
#include "json_log_sink.h"
#include "log_commands.h"
#include "log_output.h"
#include "log_sink.h"
#include "tell.h"

namespace caddis::cli {
namespace {

constexpr uint64_t kUsualTail = 10;
constexpr auto kPoll = std::chrono::milliseconds(200);

struct LogArguments {
  std::vector<std::string> inputs;
  std::string launch = "latest", log, fields, group_by;
  logs::FilterOptions filter;
  std::optional<uint64_t> last;
  size_t top = 0;
  bool follow = false, count = false, json = false, errors = false;

  bool counts() const { return count || !group_by.empty(); }
  // Lines in JSON are asked for: by the name of a log, or of files.
  bool is_json_log() const {
    if (!log.empty()) return log != "crawl" && log != "errors";
    return !inputs.empty() && std::ranges::all_of(inputs, [](const std::string& input) {
      return io::base_name(input).contains(".jsonl");
    });
  }
  std::string path_in(const collection::Launch& of) const {
    if (errors || log == "errors") return of.error_log();
    return log.empty() || log == "crawl" ? of.crawl_log() : of.logs() + "/" + log + ".jsonl";
  }
};

// A log and its files, oldest first.
struct Log {
  std::string path;
  std::vector<std::string> files;
};

// Lines of crawl.log and its like.
class LineSink final : public LogSink {
 public:
  static Result<std::unique_ptr<LineSink>> create(const LogArguments& arguments) {
    TRY(auto filter, logs::LogFilter::create(arguments.filter));
    std::vector<logs::LogField> fields, groups;
    if (!arguments.fields.empty()) {
      TRY(fields, logs::parse_log_fields(arguments.fields));
    }
    if (!arguments.group_by.empty()) {
      TRY(groups, logs::parse_log_fields(arguments.group_by));
    }
    std::optional<uint64_t> last = arguments.last;
    if (arguments.follow && !last) last = kUsualTail;
    return std::unique_ptr<LineSink>(new LineSink(std::move(filter), logs::LogGroups(std::move(groups)),
                                                  arguments.counts(), LogOutput(std::move(fields), arguments.json),
                                                  last));
  }

  std::optional<uint64_t> lines_from_end() const override {
    return filter_.is_empty() && !counts_ ? last_ : std::optional<uint64_t>();
  }

  void add(std::string_view text) override {
    if (text.empty()) return;
    if (!counts_ && filter_.is_empty() && output_.is_verbatim()) {
      has_any_ = true;
      return show_or_keep(text);
    }
    if (!line_.parse(text)) {
      ++unreadable_;
    } else if (filter_.matches(line_)) {
      has_any_ = true;
      counts_ ? groups_.add(line_) : show_or_keep(text);
    }
  }

  bool has_any() const override { return has_any_; }

  void release() override {
    last_.reset();
    for (const std::string& text : kept_)
      if (output_.is_verbatim() || line_.parse(text)) show(text);
    kept_.clear();
    output_.flush();
  }

  void finish(size_t top) override {
    if (counts_) output_.add_groups(groups_, top);
    release();
    if (unreadable_ > 0)
      tell(fmt::format("caddis log: {} no fields of a crawl log, and were left out\n",
                       counted(unreadable_, "line has", "lines have")));
  }

 private:
  LineSink(logs::LogFilter filter, logs::LogGroups groups, bool counts, LogOutput output, std::optional<uint64_t> last)
      : filter_(std::move(filter)),
        groups_(std::move(groups)),
        counts_(counts),
        output_(std::move(output)),
        last_(last) {}

  void show(std::string_view text) { output_.is_verbatim() ? output_.add_verbatim(text) : output_.add(line_); }

  void show_or_keep(std::string_view text) {
    if (!last_) return show(text);
    kept_.emplace_back(text);
    if (kept_.size() > *last_) kept_.pop_front();
  }

  logs::LogFilter filter_;
  logs::LogGroups groups_;
  bool counts_;
  LogOutput output_;
  std::optional<uint64_t> last_;  // only so many are shown
  std::deque<std::string> kept_;
  logs::LogLine line_;  // the one at hand
  uint64_t unreadable_ = 0;
  bool has_any_ = false;
};

// The log of a job, all of its files.
harvest::WantedRecord wanted_log(const LogArguments& arguments) {
  const std::string name(io::base_name(arguments.path_in({})));
  return [name](std::string_view kind, std::string_view file) { return kind == "logs" && file.starts_with(name); };
}

// Logs in the archive of a harvest server. The temporary files go with `unpacked`.
Result<std::vector<collection::Launch>> wanted_jobs(const std::vector<harvest::ArchivedJob>& jobs,
                                                    const LogArguments& arguments, JobLogs& unpacked) {
  if (arguments.follow)
    return fail(ErrorCode::config, "-f follows logs that are being written: these are of jobs that have ended");
  std::vector<const harvest::ArchivedJob*> wanted;
  if (arguments.launch == "latest")
    wanted.push_back(&jobs.back());
  else if (arguments.launch == "all")
    for (const harvest::ArchivedJob& job : jobs) wanted.push_back(&job);
  else if (const auto* const job = JobLogs::find(jobs, arguments.launch))
    wanted.push_back(job);
  else
    return fail(ErrorCode::not_found,
                fmt::format("--launch {}: there is no such job; there are {} to {}, by number or as {}",
                            arguments.launch, jobs.front().number, jobs.back().number, jobs.back().launch));
  std::vector<collection::Launch> launches;
  for (const harvest::ArchivedJob* const job : wanted) {
    TRY(auto launch, unpacked.open(*job, wanted_log(arguments)));
    launches.push_back(std::move(launch));
  }
  return launches;
}

Result<std::vector<collection::Launch>> wanted_launches(const std::string& collection, const LogArguments& arguments,
                                                        JobLogs& unpacked) {
  const std::string& wanted = arguments.launch;
  TRY(auto all, collection::launches(io::real_files(), collection::Layout(collection)));
  TRY(const auto jobs, JobLogs::list(collection));
  if (!jobs.empty() && (all.empty() || JobLogs::find(jobs, wanted) != nullptr))
    return wanted_jobs(jobs, arguments, unpacked);
  if (all.empty()) return fail(ErrorCode::not_found, control::no_crawl_in(io::real_files(), collection));
  if (wanted == "all") return all;
  if (wanted == "latest") {
    TRY(auto latest, collection::latest_launch(io::real_files(), collection));
    return std::vector{*std::move(latest)};
  }
  std::vector<std::string> names;
  for (const collection::Launch& launch : all) {
    if (launch.name == wanted) return std::vector{launch};
    names.push_back(launch.name);
  }
  return fail(ErrorCode::not_found, fmt::format("--launch {}: there is no such launch in {}; there are {}", wanted,
                                                collection, fmt::join(names, ", ")));
}

Result<std::vector<Log>> logs_of(const LogArguments& arguments, JobLogs& unpacked) {
  io::Files& files = io::real_files();
  std::vector<Log> all;
  for (const std::string& input : arguments.inputs) {
    if (!files.is_directory(input)) {
      if (!files.exists(input)) return fail(ErrorCode::not_found, input + " is not there");
      all.push_back({input, {input}});
      continue;
    }
    TRY(const auto launches, wanted_launches(input, arguments, unpacked));
    for (const collection::Launch& launch : launches) {
      Log log{arguments.path_in(launch), {}};
      TRY(log.files, logs::files_of_log(files, log.path));
      if (log.files.empty() && !arguments.follow)
        tell(fmt::format("caddis log: {} has no {} (logs.write names the logs that a crawl keeps)\n", launch.name,
                         io::base_name(log.path)));
      all.push_back(std::move(log));
    }
  }
  return all;
}

// From the byte `begin` of its text on. It may have been packed since somebody looked into it.
Result<void> read_file(const std::string& path, uint64_t begin, LogSink& sink) {
  TRY(auto opened, logs::open_log_file(io::real_files(), path));
  TRY(const auto lines, io::TextLines::open(std::move(opened.file), opened.path));
  uint64_t at = begin;
  if (lines->is_gzip())
    at = 0;
  else
    lines->begin_at(begin);
  lines->keep_returns();
  for (;;) {
    TRY(const auto line, lines->next());
    if (!line) return {};
    if (at >= begin) sink.add(line->ends_with('\r') ? line->substr(0, line->size() - 1) : *line);
    at += line->size() + 1;
  }
}

// Where the last lines begin: the begin of all if no number of them is wanted.
Result<logs::LogPlace> begin_of(const std::vector<std::string>& files, std::optional<uint64_t> last) {
  if (!last || files.empty()) return logs::LogPlace();
  return logs::begin_of_last_lines(io::real_files(), files, *last);
}

Result<void> read_all(const std::vector<Log>& all, LogSink& sink) {
  std::vector<std::string> files;
  for (const Log& log : all) files.insert(files.end(), log.files.begin(), log.files.end());
  TRY(const logs::LogPlace begin, begin_of(files, sink.lines_from_end()));
  for (size_t i = begin.file; i < files.size(); ++i)
    TRY_VOID(read_file(files[i], i == begin.file ? begin.offset : 0, sink));
  return {};
}

// Never returns, unless a file cannot be read: whoever looks on ends it, or closes the pipe.
Result<void> follow(const Log& log, LogSink& sink) {
  std::string part = log.path;
  uint64_t offset = 0;
  if (!log.files.empty()) {
    TRY(const logs::LogPlace begin, begin_of(log.files, sink.lines_from_end()));
    for (size_t i = begin.file; i + 1 < log.files.size(); ++i)
      TRY_VOID(read_file(log.files[i], i == begin.file ? begin.offset : 0, sink));
    offset = begin.file + 1 == log.files.size() ? begin.offset : 0;
    TRY(const auto last, logs::open_log_file(io::real_files(), log.files.back()));
    part = last.path;
    if (last.is_packed) {
      TRY_VOID(read_file(part, offset, sink));
      TRY(offset, last.file->size());
    }
  }
  logs::LogFollower follower(io::real_files(), log.path, part, offset);
  const auto add = [&](std::string_view line) { sink.add(line); };
  for (;;) {
    TRY(const bool any, follower.read(add));
    sink.release();
    if (!any) std::this_thread::sleep_for(kPoll);
  }
}

Result<void> check(const LogArguments& arguments) {
  const auto refuse = [](std::string_view text) { return fail(ErrorCode::config, std::string(text)); };
  if (arguments.counts() && !arguments.fields.empty()) return refuse("--fields goes with lines, not with counts");
  if (arguments.counts() && arguments.last) return refuse("-n goes with lines, not with counts (--top for groups)");
  if (arguments.counts() && arguments.follow) return refuse("-f goes with lines, not with counts");
  if (arguments.top > 0 && arguments.group_by.empty()) return refuse("--top goes with --group-by");
  if (arguments.follow && arguments.inputs.size() > 1) return refuse("-f follows one log");
  if (arguments.follow && arguments.launch == "all") return refuse("-f follows one log, not --launch all");
  if (!arguments.filter.members.empty() && !arguments.is_json_log())
    return refuse("--where goes with logs in JSON (--log http, …); crawl.log has --annotation");
  return {};
}

Result<std::unique_ptr<LogSink>> sink_for(const LogArguments& arguments) {
  if (!arguments.is_json_log()) return LineSink::create(arguments);
  JsonLogView view{.filter = arguments.filter,
                   .fields = arguments.fields,
                   .group_by = arguments.group_by,
                   .last = arguments.last,
                   .count = arguments.count,
                   .json = arguments.json};
  if (arguments.follow && !view.last) view.last = kUsualTail;
  return JsonLogSink::create(view);
}

// Returns whether a line was shown or counted.
Result<bool> run(const LogArguments& arguments) {
  TRY_VOID(check(arguments));
  TRY(const auto sink, sink_for(arguments));
  JobLogs unpacked;
  TRY(const auto all, logs_of(arguments, unpacked));
  if (arguments.follow) {
    TRY_VOID(follow(all.front(), *sink));
    return true;
  }
  const auto done = read_all(all, *sink);
  sink->finish(arguments.top);
  if (!done) return std::unexpected(done.error());
  return sink->has_any();
}

void add_filters(CLI::App& command, logs::FilterOptions& filter) {
  command.add_option("--host", filter.hosts, "Only URLs of this host; may be given several times, as all conditions")
      ->allow_extra_args(false);
  command.add_option("--domain", filter.domains, "Only URLs of this host and of those below it")
      ->allow_extra_args(false);
  command
      .add_option(
          "--status", filter.statuses,
          "Only these: 404, 5xx, 200-299, -9998, ok (below 400), captured, excluded, failed; commas between them")
      ->allow_extra_args(false);
  command.add_option("--mime", filter.mimes, "Only this media type; image/* for all of its kind")
      ->allow_extra_args(false);
  command.add_option("--regex", filter.regexes, "Only URLs in which this pattern (RE2) is found")
      ->allow_extra_args(false);
  command.add_option("--seed", filter.seeds, "Only what this seed led to")->allow_extra_args(false)->option_text("URL");
  command.add_option("--via", filter.vias, "Only what was found on this page")
      ->allow_extra_args(false)
      ->option_text("URL");
  command
      .add_option("--annotation", filter.annotations,
                  "Only lines with an annotation that begins so: duplicate, noRecords")
      ->allow_extra_args(false);
  command
      .add_option("--where", filter.members,
                  "Only lines in JSON of which this field has this value: rule=max-hops, warc=x.warc.gz")
      ->allow_extra_args(false)
      ->option_text("FIELD=VALUE");
  command.add_option("--from", filter.from, "Not before this time (UTC): 2026-01-02, 2026-01-02T03:04, 20260102030405");
  command.add_option("--to", filter.to, "Not after this time; 2026-01-02 with all of that day");
}

}  // namespace

void add_log_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "log", "Show lines of crawl logs: the last, those to come, those of a host, a status or a time; or count them");
  const auto arguments = std::make_shared<LogArguments>();
  command->add_option("input,--collection", arguments->inputs,
                      "A collection, or files in the form of crawl.log, gzip or not, also Heritrix's (default: .)");
  command
      ->add_option(
          "--launch", arguments->launch,
          "Whose log of a collection: latest, all, or the name of a launch; the number of a job of a harvest server")
      ->capture_default_str();
  command
      ->add_option(
          "--log", arguments->log,
          "Which log of a collection: crawl, errors, http, dns, ftp, sftp, whois, file, failures, not-crawled, "
          "scope, outlinks; of files "
          "*.jsonl says it")
      ->check(CLI::IsMember({"crawl", "errors", "http", "dns", "ftp", "sftp", "whois", "file", "failures",
                             "not-crawled", "scope", "outlinks"}));
  command
      ->add_flag("--errors", arguments->errors,
                 "The same as --log errors: tries that were to be repeated (nonfatal-errors.log)")
      ->excludes("--log");
  command->add_option("-n,--lines", arguments->last, "Only the last so many");
  command->add_flag("-f,--follow", arguments->follow,
                    "Go on with what is added, until interrupted; begins with the last 10");
  add_filters(*command, arguments->filter);
  command->add_option("--fields", arguments->fields,
                      fmt::format("Only these, with tabs between them: {}; of logs in JSON their fields, host, domain, "
                                  "class, outcome, day, hour, minute",
                                  fmt::join(logs::log_field_names(), ",")));
  command->add_flag("--count", arguments->count, "How many lines there are, and the sum of their bytes");
  command->add_option("--group-by", arguments->group_by,
                      "The same for each value of a field, or of several: status,mime; a line counts for each of its "
                      "annotations");
  command->add_option("--top", arguments->top, "Only the largest so many groups");
  command->add_flag("--json", arguments->json, "A JSON object a line");
  command->footer("The exit code is 0 if a line was shown or counted, 1 if none was, 2 if that could not be done.");
  add_log_convert_command(*command, exit_code);
  add_log_graph_command(*command, exit_code);
  command->callback([command, arguments, &exit_code] {
    if (!command->get_subcommands().empty()) return;
    if (arguments->inputs.empty()) arguments->inputs.emplace_back(".");
    const auto done = run(*arguments);
    exit_code = !done ? 2 : *done ? 0 : 1;
    if (!done) tell(fmt::format("caddis log: {}\n", done.error().message));
  });
}

}  // namespace caddis::cli
