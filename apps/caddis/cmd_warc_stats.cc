// caddis warc stats
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/inspect/statistics.h"
#include "caddis/io/files.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

using inspect::Amount;
using inspect::ArchiveStatistics;
using Rows = std::vector<std::pair<std::string, Amount>>;

struct Options {
  std::vector<std::string> inputs;
  size_t top = 20;
  unsigned jobs = 0;
  bool json = false;
};

// The rows that hold most bytes come first.
Rows largest(const ArchiveStatistics::Table& table, size_t top) {
  Rows rows(table.begin(), table.end());
  std::ranges::sort(rows, [](const auto& a, const auto& b) {
    return a.second.bytes != b.second.bytes ? a.second.bytes > b.second.bytes : a.first < b.first;
  });
  if (top > 0 && rows.size() > top) rows.resize(top);
  return rows;
}

std::string size(uint64_t bytes) { return format_size(static_cast<long long>(bytes)); }

std::string amount_text(std::string_view name, const Amount& amount) {
  return fmt::format("  {:<40} {:>10} {:>12} {:>12}\n", name, amount.records, size(amount.bytes), size(amount.stored));
}

void put_table(std::string_view title, const ArchiveStatistics::Table& table, size_t top) {
  if (table.empty()) return;
  put(fmt::format("{:<42} {:>10} {:>12} {:>12}\n", title, "records", "bytes", "stored"));
  const Rows rows = largest(table, top);
  for (const auto& [name, amount] : rows) put(amount_text(name, amount));
  if (rows.size() < table.size()) put(fmt::format("  … and {} more\n", table.size() - rows.size()));
}

std::string amount_json(const Amount& amount) {
  JsonObject object;
  object.add("records", amount.records).add("bytes", amount.bytes).add("stored", amount.stored);
  return object.finish();
}

std::string table_json(const ArchiveStatistics::Table& table, size_t top) {
  JsonObject object;
  for (const auto& [name, amount] : largest(table, top)) object.add_raw(name, amount_json(amount));
  return object.finish();
}

void put_text(const ArchiveStatistics& statistics, size_t files, size_t top) {
  put(fmt::format("{}, {}\n", counted(files, "file"), counted(statistics.all().records, "record")));
  put_table("type", statistics.types(), 0);
  put_table("status", statistics.statuses(), 0);
  put_table("media type", statistics.mimes(), top);
  put_table("host", statistics.hosts(), top);
  put(fmt::format("{:<42} {:>10} {:>12} {:>12}\n", "repeated payloads", "records", "bytes", "stored"));
  put(amount_text("deduplication would save", statistics.repeated()));
}

void put_json(const ArchiveStatistics& statistics, size_t files, size_t top) {
  JsonObject object;
  object.add("files", files).add_raw("all", amount_json(statistics.all()));
  object.add_raw("types", table_json(statistics.types(), 0)).add_raw("statuses", table_json(statistics.statuses(), 0));
  object.add_raw("media_types", table_json(statistics.mimes(), top));
  object.add_raw("hosts", table_json(statistics.hosts(), top));
  object.add_raw("repeated", amount_json(statistics.repeated()));
  put(object.finish() + "\n");
}

Result<bool> run(const Options& options) {
  TRY(const auto files, archives_at(options.inputs));
  std::vector<ArchiveStatistics> parts(files.size());
  FilesProgress progress("stats", files.size());
  std::atomic<bool> sound = true;
  for_each_of(files.size(), options.jobs, [&](size_t i) {
    const auto add = [&]() -> Result<uint64_t> {
      TRY(const auto file, io::real_files().open_read(files[i]));
      TRY(const uint64_t errors, parts[i].add_file(warc::FileSource(*file)));
      TRY(const uint64_t bytes, file->size());
      progress.read(bytes);
      return errors;
    };
    const auto errors = add();
    progress.file_done();
    if (!errors) progress.tell(fmt::format("caddis: {}: {}\n", files[i], errors.error().message));
    if (errors && *errors > 0)
      progress.tell(fmt::format("caddis: {} is damaged; its sound records are counted (caddis warc check tells more)\n",
                                files[i]));
    if (!errors || *errors > 0) sound = false;
  });
  ArchiveStatistics all;
  for (const ArchiveStatistics& part : parts) all += part;
  if (options.json) {
    put_json(all, files.size(), options.top);
  } else {
    put_text(all, files.size(), options.top);
  }
  return sound.load();
}

}  // namespace

void add_warc_stats(CLI::App& warc, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = warc.add_subcommand(
      "stats", "Count records and bytes by type, status, media type and host, and what deduplication would save");
  command->add_option("FILE", options->inputs, kArchiveFiles)->required();
  command->add_option("--top", options->top, "How many media types and hosts are shown; 0: all")->capture_default_str();
  command->add_option("--jobs", options->jobs, "How many threads read files; 0: one for each core")
      ->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object");
  command->callback([options, &exit_code] {
    const auto sound = run(*options);
    if (!sound) complain("", sound.error());
    if (!sound || !*sound) exit_code = 1;
  });
}

}  // namespace caddis::cli
