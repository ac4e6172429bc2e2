// caddis warc check
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/io/files.h"
#include "caddis/warc/check.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

using warc::Finding;
using warc::Level;

struct Totals {
  uint64_t files = 0;
  warc::CheckSummary sum;
  warc::ArchiveCheck::Revisits revisits;
};

void check_one(const std::string& path, bool json, warc::ArchiveCheck& check, Totals& totals) {
  ++totals.files;
  const auto run = [&]() -> Result<warc::CheckSummary> {
    if (!io::real_files().exists(path)) return fail(ErrorCode::not_found, "no such file or folder");
    TRY(const auto file, io::real_files().open_read(path));
    return check.file(path, warc::FileSource(*file));
  };
  const auto summary = run();
  if (!summary) {
    ++totals.sum.errors;
    const Finding finding{0, Level::error, "unreadable", summary.error().message, "check the path and its permissions"};
    put(json ? finding_json(path, finding) : finding_text(path, finding));
    return;
  }
  totals.sum.records += summary->records;
  totals.sum.bytes += summary->bytes;
  totals.sum.digests += summary->digests;
  totals.sum.warnings += summary->warnings;
  totals.sum.errors += summary->errors;
  if (!json) {
    put(fmt::format("{}: {}: {}, {} of blocks, {} verified, {}, {}\n", path,
                    summary->errors == 0 ? "sound" : "NOT SOUND", counted(summary->records, "record"),
                    format_size(static_cast<long long>(summary->bytes)), counted(summary->digests, "digest"),
                    counted(summary->errors, "error"), counted(summary->warnings, "warning")));
  }
}

void put_totals(const Totals& totals) {
  JsonObject line;
  line.add("summary", true)
      .add("files", totals.files)
      .add("records", totals.sum.records)
      .add("bytes", totals.sum.bytes);
  line.add("digests", totals.sum.digests).add("warnings", totals.sum.warnings).add("errors", totals.sum.errors);
  put(line.finish() + "\n");
}

}  // namespace

void add_warc_check(CLI::App& warc, int& exit_code) {
  struct Options {
    std::vector<std::string> files;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* check = warc.add_subcommand(
      "check", "Verify structure, checksums, digests and fields; the exit code is 1 if something is damaged");
  check->add_option("FILE", options->files, kArchiveFiles)->required();
  check->add_flag("--json", options->json, "Print a JSON object for each finding, and a summary as the last");
  check->callback([options, &exit_code] {
    Totals totals;
    const auto files = archives_at(options->files);
    if (!files) {
      complain("", files.error());
      exit_code = 1;
      return;
    }
    const bool json = options->json;
    warc::ArchiveCheck check([&](const std::string& file, const Finding& finding) {
      put(json ? finding_json(file, finding) : finding_text(file, finding));
    });
    for (const std::string& file : *files) check_one(file, json, check, totals);
    totals.revisits = check.finish();
    if (json) {
      put_totals(totals);
    } else if (totals.revisits.all > 0) {
      put(fmt::format("{}, {} of them resolved in these files\n", counted(totals.revisits.all, "revisit"),
                      totals.revisits.all - totals.revisits.unresolved));
    }
    if (totals.sum.errors > 0) exit_code = 1;
  });
}

}  // namespace caddis::cli
