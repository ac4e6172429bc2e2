#include "caddis/reports/report_files.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <vector>

namespace caddis::reports {
namespace {

struct Written {
  std::string path;
  std::unique_ptr<io::File> file;
  std::unique_ptr<ReportWriter> writer;
};

Result<std::unique_ptr<Written>> open(io::Files& files, std::string path, Format format, const Report& report) {
  auto one = std::make_unique<Written>();
  one->path = std::move(path);
  const std::string unfinished = one->path + ".part";
  if (files.exists(unfinished)) TRY_VOID(files.remove(unfinished));
  TRY(one->file, files.open_append(unfinished));
  io::File& file = *one->file;
  one->writer = make_writer(format, report, [&file](std::string_view bytes) { return file.append(bytes); });
  return one;
}

}  // namespace

Result<void> write_files(io::Files& files, const std::string& folder, const Report& report, const RowCall& also,
                         std::span<const Format> formats) {
  std::vector<std::unique_ptr<Written>> all;
  for (const Format format : formats) {
    TRY(auto one, open(files, fmt::format("{}/{}.{}", folder, report.name, ending_of(format)), format, report));
    all.push_back(std::move(one));
  }
  TRY_VOID(report.rows([&](const Row& row) -> Result<void> {
    for (const auto& one : all) TRY_VOID(one->writer->add(row));
    return also ? also(row) : Result<void>();
  }));
  for (const auto& one : all) {
    TRY_VOID(one->writer->end());
    TRY_VOID(one->file->sync());
    one->file.reset();
    TRY_VOID(files.rename(one->path + ".part", one->path));
  }
  return {};
}

}  // namespace caddis::reports
