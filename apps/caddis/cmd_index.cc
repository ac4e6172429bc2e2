// caddis index add|query; merge, rekey and convert stand in cmd_index_keys.cc
#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "batch.h"
#include "caddis/base/clock.h"
#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/line_form.h"
#include "caddis/cdx/log_duplicates.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/collection/layout.h"
#include "caddis/io/files.h"
#include "caddis/url/url.h"
#include "caddis/wacz/package.h"
#include "commands.h"
#include "index_commands.h"
#include "tell.h"

namespace caddis::cli {

Result<void> IndexLock::take(const std::string& index) {
  auto lock = io::real_files().lock(index + ".lock", fmt::format("process {}, a command of caddis", ::getpid()));
  if (!lock && lock.error().code == ErrorCode::conflict)
    return pass(std::move(lock).error(), index + " is being written by another command");
  if (!lock) return pass(std::move(lock).error(), index);
  path_ = index + ".lock";
  lock_ = *std::move(lock);
  return {};
}

IndexLock::~IndexLock() {
  if (lock_ != nullptr) (void)io::real_files().remove(path_);
}

namespace {

// ---- add

struct AddOptions {
  std::vector<std::string> inputs;
  std::string collection, out;
  std::string key_policy;
  std::string form = "cdxj";
  unsigned jobs = 0;
};

struct Archive {
  std::string path;
  std::string name;  // in the index
  bool is_log;       // that tells where duplicates lie
};

// Archives inside the collection's archive folder are named relative to it, others by their file name.
Result<std::vector<Archive>> archives_of(const AddOptions& options) {
  std::vector<Archive> archives;
  const std::string inside = options.collection.empty() ? "" : collection::Layout(options.collection).archive() + "/";
  for (const std::string& input : options.inputs) {
    TRY(const auto found, cdx::find_archives(io::real_files(), input));
    for (const std::string& path : found) {
      const bool is_inside = !inside.empty() && path.starts_with(inside);
      const bool is_log = !cdx::is_archive_name(path) && cdx::is_crawl_log(io::real_files(), path);
      archives.push_back({path, is_inside ? path.substr(inside.size()) : std::string(io::base_name(path)), is_log});
    }
  }
  if (archives.empty()) return fail(ErrorCode::not_found, "no WARC or ARC files (*.warc, *.arc, *.gz) there");
  return archives;
}

void warn_of_missing(const AddOptions& options, const std::vector<Archive>& archives) {
  if (options.collection.empty()) return;
  for (const Archive& archive : archives) {
    if (archive.is_log) continue;
    const std::string wanted = io::join_path(collection::Layout(options.collection).archive(), archive.name);
    if (io::real_files().exists(wanted)) continue;
    if (wacz::is_package_name(archive.name))
      tell(fmt::format(
          "caddis index: {} is a package, of which a collection shows nothing: 'caddis wacz extract {} FOLDER' "
          "makes a collection of it\n",
          archive.path, archive.path));
    else
      tell(fmt::format("caddis index: {} is not in the collection; to replay it, put or link it at {}\n", archive.path,
                       wanted));
  }
}

// Gives the lines of an archive, or of the duplicates that a log tells of.
Result<cdx::IndexedFile> index_file(const Archive& archive, const std::function<Result<void>(std::string_view)>& use,
                                    const url::KeyPolicy& policy) {
  if (!archive.is_log) return cdx::index_archive(io::real_files(), archive.path, archive.name, use, policy);
  TRY(const auto indexed, cdx::index_duplicates(io::real_files(), archive.path, use, policy));
  cdx::IndexedFile file;
  file.lines = indexed.lines;
  if (indexed.untold > 0)
    file.problems.push_back(fmt::format(
        "of {} it does not say in which file and where they lie: revisit records of the archive files may tell of them",
        counted(indexed.untold, "duplicate")));
  return file;
}

// An error where the file holds nothing that could be indexed.
Result<void> tell_problems(const Archive& archive, const cdx::IndexedFile& indexed) {
  if (!indexed.foreign.empty()) return fail(ErrorCode::unsupported, archive.path + ": " + indexed.foreign);
  for (const std::string& problem : indexed.problems)
    tell(fmt::format("caddis index: {}: {}\n", archive.path, problem));
  if (indexed.is_damaged)
    tell(fmt::format("caddis index: {} is damaged; its sound records are indexed (caddis warc check {} tells more)\n",
                     archive.path, archive.path));
  return {};
}

// Fields that lines have no place for, of files that are indexed by different threads.
struct Lost {
  std::mutex mutex;
  cdx::LostFields fields;

  void add(const cdx::LostFields& more) {
    const std::scoped_lock lock(mutex);
    for (const auto& [name, lines] : more) fields[name] += lines;
  }
  void tell_of(cdx::LineForm form) const {
    const std::string words = cdx::lost_in_words(form, fields);
    if (!words.empty()) tell(fmt::format("caddis index: {}\n", words));
  }
};

// The lines of an archive in the form that is asked for.
Result<cdx::IndexedFile> index_file_in(cdx::LineForm form, const Archive& archive,
                                       const std::function<Result<void>(std::string_view)>& use,
                                       const url::KeyPolicy& policy, Lost& lost) {
  if (form == cdx::LineForm::cdxj) return index_file(archive, use, policy);
  cdx::LostFields of_file;
  const auto convert = [&](std::string_view line) -> Result<void> {
    TRY(const cdx::Capture capture, cdx::parse_line(line));
    return use(cdx::line_in(form, capture, of_file));
  };
  auto indexed = index_file(archive, convert, policy);
  lost.add(of_file);
  return indexed;
}

// How lines are made of archives.
struct Making {
  const url::KeyPolicy& policy;
  cdx::LineForm form;
  Lost lost{};
};

// Writes the lines of one archive to an unsorted file.
Result<cdx::IndexedFile> index_one(const Archive& archive, const std::string& part, Making& making) {
  TRY(const auto file, io::real_files().open_append(part));
  std::string pending;
  const auto use = [&](std::string_view line) -> Result<void> {
    pending += line;
    pending += '\n';
    if (pending.size() < 256 * 1024) return {};
    auto written = file->append(pending);
    pending.clear();
    return written;
  };
  auto indexed = index_file_in(making.form, archive, use, making.policy, making.lost);
  if (!indexed) return pass(std::move(indexed).error(), archive.path);
  TRY_VOID(file->append(pending));
  TRY_VOID(tell_problems(archive, *indexed));
  return indexed;
}

struct Outcome {
  std::atomic<size_t> next = 0;
  std::atomic<uint64_t> lines = 0;
  std::atomic<size_t> failed = 0, damaged = 0;
};

// Archives are taken one by one by `jobs` threads; a file that cannot be read is reported and does not stop the others.
void index_all(const std::vector<Archive>& archives, const std::vector<std::string>& parts, unsigned jobs,
               Making& making, Outcome& outcome) {
  const auto work = [&] {
    for (size_t i; (i = outcome.next++) < archives.size();) {
      const auto indexed = index_one(archives[i], parts[i], making);
      if (indexed) {
        outcome.lines += indexed->lines;
        outcome.damaged += indexed->is_damaged ? 1 : 0;
      } else {
        ++outcome.failed;
        (void)report_index_error(indexed.error());
      }
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::min<size_t>(jobs, archives.size()); ++i) threads.emplace_back(work);
  work();
}

Result<int> print_lines(const std::vector<Archive>& archives, Making& making) {
  int code = 0;
  if (making.form != cdx::LineForm::cdxj) fmt::print("{}\n", cdx::legend_of(making.form));
  for (const Archive& archive : archives) {
    const auto print = [](std::string_view line) -> Result<void> {
      fmt::print("{}\n", line);
      return {};
    };
    const auto indexed = index_file_in(making.form, archive, print, making.policy, making.lost);
    if (!indexed) return pass(indexed.error(), archive.path);
    if (const auto told = tell_problems(archive, *indexed); !told) (void)report_index_error(told.error());
    if (indexed->is_damaged || !indexed->foreign.empty()) code = 1;
  }
  making.lost.tell_of(making.form);
  return code;
}

// The policy that was asked for; else that of the index that is added to.
Result<url::KeyPolicy> policy_for(const AddOptions& options, const std::string& out) {
  io::Files& files = io::real_files();
  const bool is_new = out.empty() || !files.exists(out);
  if (options.key_policy.empty()) {
    if (is_new) return url::KeyPolicy::ia_surt();
    const cdx::IndexMeta meta = cdx::read_index_meta(files, out);
    if (!meta.policy) return fail(ErrorCode::conflict, out + ": " + meta.problem);
    return *meta.policy;
  }
  TRY(url::KeyPolicy policy, url::KeyPolicy::parse(options.key_policy));
  if (!is_new) TRY_VOID(cdx::check_key_policy(files, out, policy));
  return policy;
}

// A file is told by its name for what it is: servers search *.cdxj and *.cdx.
Result<cdx::LineForm> form_for(const AddOptions& options) {
  TRY(const cdx::LineForm form, cdx::parse_line_form(options.form));
  if (form == cdx::LineForm::cdxj) return form;
  if (options.out.empty() && !options.collection.empty())
    return fail(ErrorCode::config, "the index of a collection is CDXJ: name a file for " + options.form +
                                       " with --out, or give --format without --collection");
  if (options.out.ends_with(".cdxj"))
    return fail(ErrorCode::config, options.out + " is named as CDXJ is: name it *.cdx for --format " + options.form);
  return form;
}

Result<int> add(const AddOptions& options) {
  TRY(const cdx::LineForm form, form_for(options));
  TRY(const auto archives, archives_of(options));
  if (options.out.empty() && options.collection.empty()) {
    TRY(const url::KeyPolicy policy, policy_for(options, ""));
    Making making{policy, form};
    return print_lines(archives, making);
  }
  io::Files& files = io::real_files();
  const std::string out = options.out.empty() ? collection::Layout(options.collection).added_index() : options.out;
  TRY_VOID(files.make_dirs(io::parent_path(out)));
  // The policy is that of the index; nobody may rewrite it meanwhile.
  IndexLock lock;
  TRY_VOID(lock.take(out));
  TRY(const url::KeyPolicy policy, policy_for(options, out));
  TRY_VOID(cdx::check_line_form(files, out, form));
  warn_of_missing(options, archives);

  std::vector<std::string> parts;
  for (size_t i = 0; i < archives.size(); ++i) {
    parts.push_back(fmt::format("{}.part{}", out, i));
    if (files.exists(parts.back())) TRY_VOID(files.remove(parts.back()));
  }
  Outcome outcome;
  const unsigned jobs = options.jobs > 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  Making making{policy, form};
  index_all(archives, parts, jobs, making, outcome);

  std::vector<std::string> inputs = parts;
  inputs.push_back(out);  // what is indexed there already stays
  const auto sorted = cdx::sort_in_form(files, inputs, out, form);
  for (const std::string& part : parts) (void)files.remove(part);
  if (!sorted) return std::unexpected(sorted.error());
  TRY_VOID(cdx::write_index_meta(files, out, policy, std::vector<uint64_t>()));
  making.lost.tell_of(form);
  fmt::print("{}: {} of {}, {} in all\n", out, counted(outcome.lines.load(), "capture"),
             counted(archives.size() - outcome.failed, "file"), *sorted);
  return outcome.failed == 0 && outcome.damaged == 0 ? 0 : 1;
}

// ---- query

struct QueryOptions {
  std::vector<std::string> urls;
  std::string collection = ".";
  std::string match = "exact", from, to, sort, closest, fields, output = "cdxj";
  std::vector<std::string> filters;
  std::string key_policy, form;
  uint64_t limit = 0;
  bool resolve_revisits = false;
  bool exact = false;
};

std::string form_encode(std::string_view text) {
  std::string out;
  for (const char c : text) out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

// The parameters as the CDX server takes them: one parser, one set of messages.
Result<cdx::Query> query_of(const QueryOptions& options, std::string_view url) {
  std::string text = "url=" + form_encode(url) + "&output=" + options.output;
  const auto add_part = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) text += fmt::format("&{}={}", name, form_encode(value));
  };
  if (options.match != "exact") add_part("matchType", options.match);
  add_part("from", options.from);
  add_part("to", options.to);
  add_part("sort", options.sort);
  add_part("closest", options.closest);
  add_part("fl", options.fields);
  for (const std::string& filter : options.filters) add_part("filter", filter);
  if (options.limit > 0) add_part("limit", std::to_string(options.limit));
  if (options.resolve_revisits) add_part("resolveRevisits", "true");
  if (options.exact) add_part("exact", "true");
  return cdx::parse_query(text);
}

// An index may hold fields of others' making: a name that nobody knows is no mistake for certain.
void warn_of_unknown_fields(const QueryOptions& options) {
  static const std::vector<std::string> kKnown = {"urlkey", "timestamp", "url",      "mime",     "status",    "digest",
                                                  "length", "offset",    "filename", "redirect", "robotflags"};
  const auto check = [](std::string_view option, std::string_view name) {
    if (name.empty() || cdx::is_field_name(name)) return;
    const std::string near = nearest_name(name, kKnown);
    tell(fmt::format("caddis index: {}: '{}' is no field of the index{}; there are {}\n", option, name,
                     near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(kKnown, ", ")));
  };
  constexpr std::array kMade = {std::string_view("range"), cdx::kDupeCount,    cdx::kGroupCount,
                                cdx::kSkipCount,           cdx::kEndTimestamp, cdx::kUniqCount};
  for (const std::string_view name : split(options.fields, ','))
    if (std::ranges::find(kMade, trim(name)) == kMade.end()) check("--fields", trim(name));
  for (std::string_view filter : options.filters) {
    if (filter.starts_with('!')) filter.remove_prefix(1);
    if (filter.starts_with('=') || filter.starts_with('~')) filter.remove_prefix(1);
    if (const size_t colon = filter.find(':'); colon != std::string_view::npos)
      check("--filter", filter.substr(0, colon));
  }
}

// An index has lines under what is no URL, too; but whoever asks for one has mistyped.
Result<void> check_url(const cdx::Query& query, std::string_view asked) {
  const auto parsed = url::Url::parse(cdx::asked_url(query.url));
  if (parsed) return {};
  return fail(ErrorCode::parse, fmt::format("{}: no URL ({})", asked, parsed.error().message));
}

Result<cdx::Query> checked_query_of(const QueryOptions& options, std::string_view url) {
  TRY(cdx::Query query, query_of(options, url));
  TRY_VOID(check_url(query, url));
  return query;
}

// Prints a line for each capture of the URLs on the command line.
Result<int> print_captures(const QueryOptions& options, cdx::CaptureIndex& index,
                           const std::function<std::string(const cdx::Capture&, const cdx::Query&)>& line_of) {
  for (const std::string& url : options.urls) {
    TRY(const cdx::Query query, checked_query_of(options, url));
    TRY(auto run, cdx::QueryRun::start(index, query, UINT64_MAX));
    for (cdx::Capture capture;;) {
      uint64_t budget = UINT64_MAX;
      TRY(const auto found, run.next(capture, budget));
      if (found == cdx::QueryRun::Found::end) break;
      if (found == cdx::QueryRun::Found::capture) fmt::print("{}\n", line_of(capture, query));
    }
  }
  return 0;
}

Result<int> query_operands_in(cdx::LineForm form, const QueryOptions& options, cdx::CaptureIndex& index) {
  if (form != cdx::LineForm::cdxj) fmt::print("{}\n", cdx::legend_of(form));
  Lost lost;
  TRY(const int code, print_captures(options, index, [&](const cdx::Capture& capture, const cdx::Query&) {
        return cdx::line_in(form, capture, lost.fields);
      }));
  lost.tell_of(form);
  return code;
}

// {"url":…,"captures":[{…},…]}
Result<std::string> query_line(const QueryOptions& options, cdx::CaptureIndex& index, std::string_view url) {
  TRY(auto query, checked_query_of(options, url));
  query.output = cdx::Output::json;
  TRY(const auto captures, cdx::run_query(index, query));
  std::string list = "[";
  for (const cdx::Capture& capture : captures) {
    if (list.size() > 1) list += ',';
    list += cdx::format_capture(capture, query);
  }
  return JsonObject().add("url", url).add_raw("captures", list + "]").finish();
}

// Whoever names a policy wants its keys, and no other ones.
Result<void> check_policy(const QueryOptions& options, cdx::CaptureIndex& index) {
  if (options.key_policy.empty()) return {};
  TRY(const url::KeyPolicy wanted, url::KeyPolicy::parse(options.key_policy));
  TRY(const auto sources, index.sources());
  for (const auto& source : sources)
    if (source->policy() != wanted)
      return fail(
          ErrorCode::conflict,
          fmt::format("{}: an index there has keys by '{}', not by '{}': rewrite it with caddis index rekey, or ask "
                      "without --key-policy, each index by its own",
                      options.collection, source->policy().notation(), wanted.notation()));
  return {};
}

Result<int> query(const QueryOptions& options) {
  if (!io::real_files().is_directory(options.collection))
    return fail(ErrorCode::not_found, options.collection + ": no such folder; name the collection with --collection");
  cdx::CaptureIndex index(io::real_files(), system_clock(), options.collection);
  if (!index.has_sources())
    return fail(ErrorCode::not_found, options.collection + ": no index in indexes/; make one with caddis index add");
  TRY(const cdx::Query checked, query_of(options, "http://a.example/"));  // a mistake is told once, and at once
  TRY_VOID(check_policy(options, index));
  warn_of_unknown_fields(options);
  if (!options.form.empty()) {
    if (options.urls.empty())
      return fail(ErrorCode::config, "--format is for URLs on the command line; those of standard input get JSON");
    TRY(const cdx::LineForm form, cdx::parse_line_form(options.form));
    return query_operands_in(form, options, index);
  }
  if (!options.urls.empty()) return print_captures(options, index, cdx::format_capture);
  run_batch(BadItem::json, [&](std::string_view line) { return query_line(options, index, line); });
  return 0;
}

void finish(const Result<int>& result, int& exit_code) {
  exit_code = result ? *result : report_index_error(result.error());
}

void add_query_command(CLI::App& parent, int& exit_code) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* command = parent.add_subcommand("query", "Look up captures; without URLs, reads them from standard input");
  command->add_option("url", options->urls, "URLs; \"…*\" for a prefix, \"*.host\" for a domain");
  command->add_option("--collection", options->collection, "The collection's folder")->capture_default_str();
  command->add_option("--match-type", options->match, "exact, prefix, host or domain")->capture_default_str();
  command->add_option("--from", options->from, "First timestamp, 1 to 17 digits");
  command->add_option("--to", options->to, "Last timestamp");
  command->add_option("--sort", options->sort, "default or reverse");
  command->add_option("--closest", options->closest, "Nearest to this timestamp first");
  command->add_option("--filter", options->filters, "[!][=|~]FIELD:TEXT, repeatable");
  CLI::Option* fields = command->add_option("--fields", options->fields, "Names separated by commas");
  command->add_option("--limit", options->limit, "At most so many captures");
  CLI::Option* output = command->add_option("--output", options->output, "cdxj, json or text")->capture_default_str();
  command
      ->add_option("--format", options->form,
                   "Lines as a file of an index has them, with their legend: " + std::string(cdx::kLineForms))
      ->type_name("FORM")
      ->excludes(output)
      ->excludes(fields);
  command->add_option("--key-policy", options->key_policy, "Refuse an index whose keys are made by another policy")
      ->type_name("NOTATION");
  command->add_flag("--exact", options->exact, "Of the captures that share a URL's key, those of exactly this URL");
  command->add_flag("--resolve-revisits", options->resolve_revisits,
                    "Show for a revisit the place of the capture that it refers to");
  command->callback([options, &exit_code] { finish(query(*options), exit_code); });
}

}  // namespace

Result<int> index_into(const collection::Layout& layout, const std::vector<std::string>& archives,
                       const std::string& out) {
  AddOptions options;
  options.inputs = archives;
  options.collection = layout.folder();
  options.out = out;
  if (!out.empty()) {
    TRY(const url::KeyPolicy policy, policy_for({}, layout.added_index()));
    options.key_policy = policy.notation();
  }
  return add(options);
}

int report_index_error(const Error& error) {
  tell(fmt::format("caddis index: {}\n", error.message));
  const bool is_usage = error.code == ErrorCode::config || error.code == ErrorCode::not_found ||
                        error.code == ErrorCode::parse || error.code == ErrorCode::conflict ||
                        error.code == ErrorCode::unsupported;
  return is_usage ? 2 : 1;
}

void add_index_commands(CLI::App& app, int& exit_code) {
  CLI::App* group = app.add_subcommand("index", "Make and ask indexes of archives (CDXJ)");
  group->require_subcommand(1);
  auto options = std::make_shared<AddOptions>();
  CLI::App* command =
      group->add_subcommand("add",
                            "Index WARC and ARC files, also those made by others, and what a crawl.log says of "
                            "duplicates that are stored in them");
  command->add_option("path", options->inputs, "Files, and folders searched downwards")->required();
  command->add_option("--collection", options->collection, "Add to indexes/index.cdxj of this collection");
  command->add_option("--out", options->out,
                      "Add to this file; without it and --collection, lines go to standard output");
  command->add_option("--format", options->form, "The form of the lines: " + std::string(cdx::kLineForms))
      ->type_name("FORM")
      ->capture_default_str();
  command->add_option("--jobs", options->jobs,
                      "Index so many files at the same time (one for each processor if it is not given)");
  command
      ->add_option("--key-policy", options->key_policy,
                   "The policy that makes the keys, ia-surt if it is not given; an index that is added to has its own")
      ->type_name("NOTATION");
  command->callback([options, &exit_code] { finish(add(*options), exit_code); });
  add_index_key_commands(*group, exit_code);
  add_query_command(*group, exit_code);
  add_index_serve_command(*group, exit_code);
}

}  // namespace caddis::cli
