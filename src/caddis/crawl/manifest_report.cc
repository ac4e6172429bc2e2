// crawl-manifest: the files of the launch, as Heritrix lists them: "L+ logs/crawl.log". C stands for configuration, L
// for a log, R for a report.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/crawl/report_source.h"

namespace caddis::crawl {
namespace {

using reports::count;
using reports::Row;
using reports::RowCall;
using reports::word;

Result<void> write_folder(const ReportSource& source, std::string_view kind, const std::string& name,
                          const RowCall& row) {
  const std::string folder = source.launch.folder() + "/" + name;
  if (!source.files.exists(folder)) return {};
  TRY(const auto entries, source.files.list(folder));
  for (const io::DirectoryEntry& entry : entries)
    if (!entry.is_directory && !entry.name.ends_with(".part"))
      TRY_VOID(row({std::string(kind), name + "/" + entry.name, std::to_string(entry.size)}));
  return {};
}

Result<void> write_files_of(const ReportSource& source, const RowCall& row) {
  TRY(const auto entries, source.files.list(source.launch.folder()));
  for (const io::DirectoryEntry& entry : entries)
    if (!entry.is_directory && entry.name == "crawl.yaml") TRY_VOID(row({"C", entry.name, std::to_string(entry.size)}));
  TRY_VOID(write_folder(source, "L", "logs", row));
  return write_folder(source, "R", "reports", row);
}

}  // namespace

void add_manifest_report(const ReportSource& source, ReportList& list) {
  list.push_back({.name = "crawl-manifest",
                  .columns = {word("kind"), word("file"), count("bytes")},
                  .rows = [source](const RowCall& row) { return write_files_of(source, row); },
                  .text_line = [](std::string& text, const Row& row) { text += row[0] + "+ " + row[1] + "\n"; }});
}

}  // namespace caddis::crawl
