// caddis dedup build|merge|query|stats|dependents|cited
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batch.h"
#include "caddis/base/clock.h"
#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/output.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/dedup/citations.h"
#include "caddis/dedup/dependents.h"
#include "caddis/dedup/digest_index.h"
#include "caddis/dedup/index_builder.h"
#include "caddis/dedup/index_key.h"
#include "caddis/dedup/names.h"
#include "caddis/dedup/payload_digest.h"
#include "caddis/io/files.h"
#include "caddis/url/key_policy.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

using dedup::DigestIndex;
using dedup::IndexInfo;
using dedup::IntakeCounts;
using dedup::Original;

int report(const Error& error) {
  tell(fmt::format("caddis dedup: {}\n", error.message));
  const bool is_usage = error.code == ErrorCode::config || error.code == ErrorCode::not_found ||
                        error.code == ErrorCode::conflict || error.code == ErrorCode::parse;
  return is_usage ? 2 : 1;
}

void finish(const Result<int>& result, int& exit_code) { exit_code = result ? *result : report(result.error()); }

std::string human(uint64_t bytes) { return format_size(static_cast<long long>(bytes)); }

// ---- build, merge

// One line on a terminal that says how far the building is.
class BuildProgress {
 public:
  void begin(size_t file, size_t files, const std::string& path) {
    file_ = fmt::format("file {} of {}, {}", file + 1, files, io::base_name(path));
  }
  void show(const IntakeCounts& counts) {
    constexpr Duration kEvery = std::chrono::milliseconds(200);
    const SteadyTime now = system_clock().steady();
    if (!is_terminal_ || now - shown_ < kEvery) return;
    shown_ = now;
    draw(fmt::format("{}: {} captures, {} originals", file_, counts.captures, counts.originals));
  }
  void write(uint64_t files) {
    if (is_terminal_) draw(fmt::format("{} read; sorting and writing", counted(files, "file")));
  }
  void clear() {
    if (is_terminal_) say("\r\x1b[K");
  }

 private:
  static void draw(std::string_view text) { say(fmt::format("\r\x1b[K{:.120}", text)); }

  const bool is_terminal_ = ::isatty(STDERR_FILENO) == 1;
  SteadyTime shown_;
  std::string file_;
};

struct BuildOptions {
  std::string output;
  std::vector<std::string> sources;
  std::string status = "200", digest = "sha1", memory = "512MB", key_policy;
  dedup::FilterOptions filter;
  bool force = false, json = false;
};

struct BuildOutcome {
  IntakeCounts sum;
  size_t files = 0, failed = 0, flawed = 0;
};

void add(IntakeCounts& sum, const IntakeCounts& more) {
  for (uint64_t IntakeCounts::* const field :
       {&IntakeCounts::captures, &IntakeCounts::originals, &IntakeCounts::witnesses, &IntakeCounts::unresolved,
        &IntakeCounts::other_protocol, &IntakeCounts::other_status, &IntakeCounts::other_type,
        &IntakeCounts::without_digest, &IntakeCounts::other_digest, &IntakeCounts::unreadable})
    sum.*field += more.*field;
}

Result<void> check_output(const BuildOptions& options) {
  if (!options.force && io::real_files().exists(options.output))
    return fail(ErrorCode::conflict, options.output + " is there already; name another file, or replace it by --force");
  return {};
}

// The policy that is asked for; else that of the first index among the files; else the standard one.
Result<dedup::IndexKey> key_of(const BuildOptions& options, const std::vector<std::string>& paths) {
  if (!options.key_policy.empty()) {
    TRY(const url::KeyPolicy policy, url::KeyPolicy::parse(options.key_policy));
    return dedup::index_key_by(policy);
  }
  for (const std::string& path : paths) {
    const cdx::IndexMeta meta = cdx::read_index_meta(io::real_files(), path);
    if (!meta.text.empty() && meta.policy) return dedup::index_key_by(*meta.policy);
  }
  return dedup::standard_index_key();
}

Result<dedup::WriterOptions> writer_options(const BuildOptions& options, const std::vector<std::string>& paths) {
  dedup::WriterOptions writer;
  TRY(writer.key, key_of(options, paths));
  const auto algorithm = dedup::algorithm_from_name(options.digest);
  if (!algorithm)
    return fail(ErrorCode::config,
                "--digest: '" + options.digest + "' is none of sha1, sha256, sha384, sha512 and md5");
  writer.algorithm = *algorithm;
  TRY(const auto memory, parse_size(options.memory));
  constexpr long long kLeast = 1 << 20;
  if (memory < kLeast) return fail(ErrorCode::config, "--memory: at least 1MiB is needed");
  writer.memory = static_cast<size_t>(memory);
  return writer;
}

// A file that cannot be read is told, and does not keep the others from being taken up.
BuildOutcome add_all(const std::vector<std::string>& paths, dedup::IndexBuilder& builder, BuildProgress& progress) {
  BuildOutcome outcome;
  for (size_t i = 0; i < paths.size(); ++i) {
    progress.begin(i, paths.size(), paths[i]);
    const auto added = builder.add(paths[i]);
    progress.clear();
    if (!added) {
      ++outcome.failed;
      (void)report(added.error());
      continue;
    }
    ++outcome.files;
    add(outcome.sum, added->counts);
    for (const std::string& flaw : added->flaws) tell(fmt::format("caddis dedup: {}\n", flaw));
    if (!added->flaws.empty()) {
      ++outcome.flawed;
      tell(fmt::format("caddis dedup: {} is damaged; its sound records are taken (caddis warc check {} tells more)\n",
                       paths[i], paths[i]));
    }
  }
  return outcome;
}

std::string counts_json(const IntakeCounts& counts) {
  return JsonObject()
      .add("captures", counts.captures)
      .add("originals", counts.originals)
      .add("witnesses", counts.witnesses)
      .add("unresolved_revisits", counts.unresolved)
      .add("other_protocol", counts.other_protocol)
      .add("other_status", counts.other_status)
      .add("other_type", counts.other_type)
      .add("without_digest", counts.without_digest)
      .add("other_digest", counts.other_digest)
      .add("unreadable", counts.unreadable)
      .finish();
}

// "left out: 3 of another status, 1 without digest"; empty if nothing was.
std::string left_out(const IntakeCounts& counts) {
  std::string text;
  const auto add_part = [&](uint64_t amount, std::string_view what) {
    if (amount > 0) text += fmt::format("{}{} {}", text.empty() ? "  left out: " : ", ", amount, what);
  };
  add_part(counts.other_protocol, "of another protocol");
  add_part(counts.other_status, "of another status");
  add_part(counts.other_type, "of another type");
  add_part(counts.unresolved, "revisits that do not tell their original");
  add_part(counts.without_digest, "without digest");
  add_part(counts.other_digest, "with a digest of another algorithm");
  add_part(counts.unreadable, "that cannot be read");
  return text.empty() ? text : text + "\n";
}

void print_built(const BuildOptions& options, const BuildOutcome& outcome, const IndexInfo& info, uint64_t size) {
  if (options.json) {
    fmt::print("{}\n", JsonObject()
                           .add("file", options.output)
                           .add("size", size)
                           .add("files", outcome.files)
                           .add("failed_files", outcome.failed)
                           .add("originals", info.originals)
                           .add("digests", info.digests)
                           .add_raw("counts", counts_json(outcome.sum))
                           .finish());
    return;
  }
  fmt::print("{}: {} with {}, of {} in {}; {}\n", options.output, counted(info.originals, "original"),
             counted(info.digests, "different payload"), counted(outcome.sum.captures, "capture"),
             counted(outcome.files, "file"), human(size));
  if (outcome.sum.witnesses > 0)
    fmt::print("  {} told the original they refer to\n", counted(outcome.sum.witnesses, "revisit"));
  fmt::print("{}", left_out(outcome.sum));
}

Result<int> build_of(const BuildOptions& options, const std::vector<std::string>& paths) {
  TRY_VOID(check_output(options));
  TRY(const dedup::WriterOptions writer, writer_options(options, paths));
  TRY(auto filter, dedup::CaptureFilter::create(options.filter));
  io::Files& files = io::real_files();
  TRY_VOID(files.make_dirs(io::parent_path(options.output)));
  BuildProgress progress;
  dedup::IndexBuilder builder(files, options.output, writer, std::move(filter),
                              [&](const IntakeCounts& counts) { progress.show(counts); });
  const BuildOutcome outcome = add_all(paths, builder, progress);
  if (outcome.files == 0) return fail(ErrorCode::not_found, "no file could be read; no index is made");
  progress.write(outcome.files);
  auto info = builder.finish();
  progress.clear();
  if (!info) return std::unexpected(std::move(info).error());
  TRY(const io::FileStamp stamp, io::stamp_of(files, options.output));
  print_built(options, outcome, *info, stamp.size);
  return outcome.failed == 0 && outcome.flawed == 0 ? 0 : 1;
}

Result<int> build(BuildOptions options) {
  if (options.status != "200" && options.status != "any")
    return fail(ErrorCode::config, "--status: '" + options.status + "' is neither 200 nor any");
  options.filter.any_status = options.status == "any";
  std::vector<std::string> paths;
  for (const std::string& source : options.sources) {
    TRY(const auto found, dedup::find_sources(io::real_files(), source));
    paths.insert(paths.end(), found.begin(), found.end());
  }
  return build_of(options, paths);
}

Result<int> merge(BuildOptions options) {
  for (const std::string& path : options.sources) {
    TRY(const auto index, DigestIndex::open(io::real_files(), path));
    if (path != options.sources.front()) continue;
    options.digest = io::to_string(index->info().algorithm);
    TRY(const dedup::IndexKey key, dedup::index_key_of(index->info().rules));
    options.key_policy = key.notation;
  }
  return build_of(options, options.sources);
}

// ---- query

struct QueryOptions {
  std::string index;
  std::vector<std::string> digests;
  std::string url, strategy = "url-preferred";
  bool json = false;
};

std::string original_json(std::string_view digest, const Original& original, std::string_view likeness) {
  JsonObject line;
  line.add("digest", digest).add("found", true);
  if (!likeness.empty()) line.add("likeness", likeness);
  line.add("url", original.url).add("date", rfc3339_micros(original.date));
  const auto add_known = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) line.add(name, value);
  };
  add_known("record_id", original.record_id);
  add_known("etag", original.etag);
  add_known("last_modified", original.last_modified);
  return line.finish();
}

std::string_view or_dash(std::string_view text) { return text.empty() ? "-" : text; }

std::string original_text(std::string_view digest, const Original& original, std::string_view likeness) {
  return fmt::format("{} {} {} {} {}", digest, or_dash(likeness), rfc3339_micros(original.date), original.url,
                     or_dash(original.record_id));
}

// The answer for "digest" or "digest URL".
Result<std::string> answer(const DigestIndex& index, dedup::Strategy strategy, bool json, std::string_view line) {
  const std::string_view asked = trim(line);
  const size_t blank = std::min(asked.find(' '), asked.size());
  const std::string_view digest = asked.substr(0, blank), url = trim(asked.substr(blank));
  TRY(const auto match, index.find(strategy, {digest, url, {}}));
  if (match)
    return json ? original_json(digest, match->original, to_string(match->likeness))
                : original_text(digest, match->original, to_string(match->likeness));
  return json ? JsonObject().add("digest", digest).add("found", false).finish() : fmt::format("{} -", digest);
}

Result<int> query(const QueryOptions& options) {
  TRY(const dedup::Strategy strategy, dedup::strategy_from_name(options.strategy));
  TRY(const auto index, DigestIndex::open(io::real_files(), options.index));
  if (options.digests.empty() && !options.url.empty()) {
    TRY_VOID(index->each_of_url(options.url, [&](std::string_view raw, const Original& original) -> Result<void> {
      const std::string digest = dedup::digest_text(index->info().algorithm, raw);
      fmt::print("{}\n", options.json ? original_json(digest, original, {}) : original_text(digest, original, {}));
      return {};
    }));
    return 0;
  }
  for (const std::string& digest : options.digests) {
    TRY(const std::string line, answer(*index, strategy, options.json, digest + " " + options.url));
    fmt::print("{}\n", line);
  }
  if (options.digests.empty())
    run_batch(options.json ? BadItem::json : BadItem::dash,
              [&](std::string_view line) { return answer(*index, strategy, options.json, line); });
  return 0;
}

// ---- stats

struct StatsOptions {
  std::vector<std::string> indexes;
  bool json = false, check = false;
  size_t top = 5;
};

double bytes_each(uint64_t bytes, uint64_t of) {
  return of == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(of);
}

std::string shared_json(const std::vector<DigestIndex::Shared>& most) {
  std::string list = "[";
  for (const auto& shared : most) {
    if (list.size() > 1) list += ',';
    list += JsonObject().add("digest", shared.digest).add("urls", shared.urls).add("url", shared.earliest.url).finish();
  }
  return list + "]";
}

std::string sources_json(const std::vector<dedup::SourceFile>& sources) {
  std::string list = "[";
  for (const auto& source : sources) {
    if (list.size() > 1) list += ',';
    list += JsonObject()
                .add("name", source.name)
                .add("size", source.stamp.size)
                .add("modified", rfc3339_micros(source.stamp.modified))
                .finish();
  }
  return list + "]";
}

std::string stats_json(const DigestIndex& index, const std::vector<dedup::SourceFile>& changed,
                       const std::vector<DigestIndex::Shared>& most) {
  const IndexInfo& info = index.info();
  const uint64_t table = info.table.size + info.buckets.size;
  return JsonObject()
      .add("file", index.path())
      .add("size", index.file_size())
      .add("originals", info.originals)
      .add("digests", info.digests)
      .add("table_bytes", table)
      .add("table_bytes_per_digest", bytes_each(table, info.entries))
      .add("original_bytes_each", bytes_each(index.file_size() - table, info.originals))
      .add("algorithm", io::to_string(info.algorithm))
      .add("rules", info.rules)
      .add("first", rfc3339_micros(info.first))
      .add("last", rfc3339_micros(info.last))
      .add_raw("sources", sources_json(info.sources))
      .add_raw("changed_sources", sources_json(changed))
      .add_raw("most_shared", shared_json(most))
      .finish();
}

void print_stats(const DigestIndex& index, const std::vector<dedup::SourceFile>& changed,
                 const std::vector<DigestIndex::Shared>& most) {
  const IndexInfo& info = index.info();
  const uint64_t table = info.table.size + info.buckets.size;
  fmt::print("{}\n  originals {} with {}, captured {} to {}\n", index.path(), info.originals,
             counted(info.digests, "different payload"), rfc3339(info.first), rfc3339(info.last));
  fmt::print("  size      {}: {:.1f} bytes an entry of the table, {:.1f} an original for the rest\n",
             human(index.file_size()), bytes_each(table, info.entries),
             bytes_each(index.file_size() - table, info.originals));
  fmt::print("  digests   {}\n  keys      {}\n", io::to_string(info.algorithm), info.rules);
  fmt::print("  made of   {}, {} of them changed or gone since\n", counted(info.sources.size(), "file"),
             changed.size());
  for (const auto& source : changed) fmt::print("            changed: {}\n", source.name);
  for (const auto& shared : most)
    fmt::print("  {:>9} {} first {}\n", counted(shared.urls, "URL"), shared.digest, shared.earliest.url);
}

Result<void> stats_of(const std::string& path, const StatsOptions& options) {
  TRY(const auto index, DigestIndex::open(io::real_files(), path));
  if (options.check) TRY_VOID(index->check());
  const auto changed = dedup::changed_sources(io::real_files(), index->info());
  TRY(const auto most, index->most_shared(options.top));
  if (options.json)
    fmt::print("{}\n", stats_json(*index, changed, most));
  else
    print_stats(*index, changed, most);
  return {};
}

int stats(const StatsOptions& options) {
  int code = 0;
  for (const std::string& path : options.indexes)
    if (const auto shown = stats_of(path, options); !shown) code = std::max(code, report(shown.error()));
  return code;
}

// ---- dependents, cited

struct DependentsOptions {
  std::vector<std::string> archives;
  std::string collection = ".";
  bool json = false;
};

std::string dependent_json(const dedup::Dependent& dependent) {
  JsonObject line;
  line.add("url", dependent.revisit.url).add("timestamp", dependent.revisit.timestamp);
  line.add("filename", dependent.revisit.filename).add("offset", dependent.revisit.offset);
  if (!dependent.original_url.empty()) line.add("refers_to_url", dependent.original_url);
  if (!dependent.original_date.empty()) line.add("refers_to_timestamp", dependent.original_date);
  return line.add("payload_elsewhere", dependent.payload_elsewhere).finish();
}

std::string dependent_text(const dedup::Dependent& dependent) {
  return fmt::format("{} {} in {} needs {} {}{}", dependent.revisit.timestamp, dependent.revisit.url,
                     dependent.revisit.filename, or_dash(dependent.original_date), or_dash(dependent.original_url),
                     dependent.payload_elsewhere ? " (the same payload is elsewhere)" : "");
}

Result<int> dependents(const DependentsOptions& options) {
  dedup::DependentSearch search(io::real_files(), options.collection);
  for (const std::string& path : options.archives) TRY_VOID(search.add_archive(path));
  uint64_t found = 0, elsewhere = 0;
  TRY(const uint64_t unread, search.find([&](const dedup::Dependent& dependent) -> Result<void> {
    ++found;
    elsewhere += dependent.payload_elsewhere ? 1 : 0;
    fmt::print("{}\n", options.json ? dependent_json(dependent) : dependent_text(dependent));
    return {};
  }));
  if (!options.json)
    fmt::print("{}: {} of other files would be lost; the payloads of {} are elsewhere in the collection, too\n",
               counted(options.archives.size(), "file"), counted(found, "capture"), elsewhere);
  if (unread > 0)
    tell(fmt::format("caddis dedup: {} could not be read; index their files anew (caddis index add)\n",
                     counted(unread, "revisit")));
  return unread == 0 ? 0 : 1;
}

struct CitedOptions {
  std::string collection;
  size_t top = 20;
  bool json = false;
};

Result<int> cited(const CitedOptions& options) {
  TRY(const auto most, dedup::most_cited(io::real_files(), options.collection, options.top));
  for (const dedup::Cited& one : most) {
    if (options.json)
      fmt::print("{}\n", JsonObject()
                             .add("revisits", one.revisits)
                             .add("digest", one.digest)
                             .add("url", one.url)
                             .add("timestamp", one.timestamp)
                             .add("filename", one.filename)
                             .finish());
    else
      fmt::print("{:>9} {} {} {} in {}\n", one.revisits, one.digest, or_dash(one.timestamp), or_dash(one.url),
                 or_dash(one.filename));
  }
  return 0;
}

// ---- the parser's side

void add_output_options(CLI::App& command, BuildOptions& options) {
  command.add_option("OUT", options.output, "The digest index to make")->required();
  command.add_flag("--force", options.force, "Replace OUT if it is there");
  command.add_option("--memory", options.memory, "Sort so much at once; what is more is sorted in files beside OUT")
      ->capture_default_str();
  command.add_flag("--json", options.json, "Print the result as a JSON object");
}

void add_build(CLI::App& group, int& exit_code) {
  const auto options = std::make_shared<BuildOptions>();
  CLI::App* build_command = group.add_subcommand("build", "Make a digest index of archives, their indexes, or logs");
  add_output_options(*build_command, *options);
  build_command
      ->add_option("SOURCE", options->sources,
                   "WARC and ARC files, CDXJ, CDX, crawl.log (also of Heritrix), digest indexes; a collection (its "
                   "indexes are read); a folder of archives")
      ->required();
  build_command->add_option("--status", options->status, "Captures of this status: 200, or any")->capture_default_str();
  build_command->add_option("--include-mime", options->filter.include_mime,
                            "Only captures of types that this expression matches as a whole (RE2)");
  build_command->add_option("--exclude-mime", options->filter.exclude_mime,
                            "No captures of types that this expression matches as a whole: text/.*");
  build_command->add_option("--digest", options->digest, "The algorithm of the digests")->capture_default_str();
  build_command
      ->add_option("--key-policy", options->key_policy,
                   "The rules by which URLs are known again: 'ia-surt -strip-www-n'. Without it, those of the first "
                   "index among the sources, or else ia-surt")
      ->type_name("NOTATION");
  build_command->callback([options, &exit_code] { finish(build(*options), exit_code); });
}

void add_merge(CLI::App& group, int& exit_code) {
  const auto options = std::make_shared<BuildOptions>();
  CLI::App* command = group.add_subcommand("merge", "Make one digest index of several");
  add_output_options(*command, *options);
  command->add_option("INDEX", options->sources, "Digest indexes")->required();
  command->callback([options, &exit_code] { finish(merge(*options), exit_code); });
}

void add_query(CLI::App& group, int& exit_code) {
  const auto options = std::make_shared<QueryOptions>();
  CLI::App* command = group.add_subcommand(
      "query",
      "Find the capture that holds a payload. Without digests and --url, lines of a digest, a blank and a URL are read "
      "from standard input");
  command->add_option("INDEX", options->index, "A digest index")->required();
  command->add_option("DIGEST", options->digests, "Digests of payloads: sha1:… in base32");
  command->add_option("--url", options->url, "The URL that the payload was found at; alone, all that is known of it");
  command
      ->add_option("--strategy", options->strategy,
                   "url: only this URL; canonical: only its index key; url-preferred: these first, then any; any: the "
                   "earliest capture")
      ->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object a line");
  command->callback([options, &exit_code] { finish(query(*options), exit_code); });
}

void add_stats(CLI::App& group, int& exit_code) {
  const auto options = std::make_shared<StatsOptions>();
  CLI::App* command = group.add_subcommand("stats", "Tell what digest indexes hold, and if their sources have changed");
  command->add_option("INDEX", options->indexes, "Digest indexes")->required();
  command->add_option("--top", options->top, "Show so many payloads that most URLs share")->capture_default_str();
  command->add_flag("--check", options->check, "Read all of it, and tell if it is damaged");
  command->add_flag("--json", options->json, "One JSON object for each");
  command->callback([options, &exit_code] { exit_code = stats(*options); });
}

void add_dependents(CLI::App& group, int& exit_code) {
  const auto options = std::make_shared<DependentsOptions>();
  CLI::App* command = group.add_subcommand(
      "dependents", "List the captures of a collection that are lost with archive files: revisits of what is in them");
  command->add_option("FILE", options->archives, "WARC or ARC files")->required();
  command->add_option("--collection", options->collection, "The collection, with its indexes and its other files")
      ->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object for each capture");
  command->callback([options, &exit_code] { finish(dependents(*options), exit_code); });
}

void add_cited(CLI::App& group, int& exit_code) {
  const auto options = std::make_shared<CitedOptions>();
  CLI::App* command = group.add_subcommand("cited", "List the payloads of a collection that most revisits refer to");
  command->add_option("COLLECTION", options->collection, "A collection, with its indexes")->required();
  command->add_option("--top", options->top, "List so many")->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object for each");
  command->callback([options, &exit_code] { finish(cited(*options), exit_code); });
}

}  // namespace

void add_dedup_commands(CLI::App& app, int& exit_code) {
  CLI::App* group = app.add_subcommand("dedup", "Make and ask indexes of payloads that are archived already");
  group->require_subcommand(1);
  add_build(*group, exit_code);
  add_merge(*group, exit_code);
  add_query(*group, exit_code);
  add_stats(*group, exit_code);
  add_dependents(*group, exit_code);
  add_cited(*group, exit_code);
}

}  // namespace caddis::cli
