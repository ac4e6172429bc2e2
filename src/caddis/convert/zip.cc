// Zip archives of files (as sites are handed over), entry by entry.
#include <algorithm>

#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/convert/convert.h"
#include "caddis/convert/warc_builder.h"
#include "caddis/io/zip_reader.h"
#include "caddis/text/media_types.h"
#include "fmt/format.h"

namespace caddis::convert {
namespace {

// Each part of the path escaped; empty if it leads out of the archive.
std::string url_path(std::string_view name) {
  std::string path;
  for (const std::string_view part : split(name, '/')) {
    if (part == ".." || part == ".") return {};
    if (!path.empty()) path += '/';
    path += percent_encoded(part);
  }
  return name.starts_with('/') ? std::string() : path;
}

class ZipConversion {
 public:
  ZipConversion(const io::ZipReader& zip, WarcBuilder& builder, const ConvertOptions& options, const ZipLimits& limits,
                uint64_t size)
      : zip_(zip),
        builder_(builder),
        options_(options),
        entry_limit_(limits.entry),
        left_(std::max(limits.least, limits.times * std::min(size, UINT64_MAX / limits.times))) {}

  Result<ConvertReport> run() {
    for (uint64_t i = 0; i < zip_.entries(); ++i) {
      const auto entry = zip_.entry(i);
      if (!entry) {
        leave_out(fmt::format("entry {}", i), entry.error().message);
      } else if (!entry->is_folder) {
        TRY_VOID(convert(i, *entry));
      }
    }
    if (converted_names_ > 0)
      report_.notes.push_back(fmt::format(
          "{} names are not in UTF-8, and are read as code page 437, as the format has it", converted_names_));
    return std::move(report_);
  }

 private:
  void leave_out(std::string_view name, std::string_view why) {
    ++report_.left_out;
    report_.notes.push_back(fmt::format("{} is left out: {}", visible(name, kQuoted), why));
  }

  Result<void> convert(uint64_t number, const io::ZipEntry& entry) {
    const std::string path = url_path(entry.name);
    if (path.empty()) return leave_out(entry.name, "its name leads out of the archive"), Result<void>();
    if (entry.is_link) return leave_out(entry.name, "it is a symbolic link"), Result<void>();
    if (entry.is_encrypted) return leave_out(entry.name, "it is encrypted"), Result<void>();
    const uint64_t most = std::min(entry_limit_, left_);
    uint64_t read = 0;
    const WarcBuilder::Sink count = [&](std::string_view piece) -> Result<void> {
      read += piece.size();
      return {};
    };
    // All of it is read once before any of it is written.
    const auto size = zip_.read(number, most, count);
    if (!size && size.error().code == ErrorCode::limit) read = most;
    left_ -= std::min(left_, read);
    if (!size) return leave_out(entry.name, size.error().message), Result<void>();
    if (entry.was_converted) ++converted_names_;
    auto fields = warc::RecordFields::resource(builder_.new_id(), rfc3339(options_.now), options_.url_prefix + path,
                                               text::media_type_of(entry.name));
    auto added = builder_.add_read(std::move(fields),
                                   [&](const WarcBuilder::Sink& sink) { return zip_.read(number, *size, sink); });
    if (!added) return pass(std::move(added).error(), entry.name);
    if (options_.progress) options_.progress(*size);
    return {};
  }

  const io::ZipReader& zip_;
  WarcBuilder& builder_;
  const ConvertOptions& options_;
  const uint64_t entry_limit_;
  uint64_t left_;  // bytes that may still be unpacked
  uint64_t converted_names_ = 0;
  ConvertReport report_;
};

}  // namespace

Result<ConvertReport> convert_zip(io::Files& files, const std::string& from, const std::string& to,
                                  const ConvertOptions& options, const ZipLimits& limits) {
  if (options.url_prefix.find(':') == std::string::npos)
    return fail(ErrorCode::config, "a zip archive needs a URL for its files to begin with: --url-prefix https://…/");
  TRY(const auto file, files.open_read(from));
  TRY(const uint64_t size, file->size());
  TRY(const io::ZipReader zip, io::ZipReader::open(*file));
  TRY(WarcBuilder builder, WarcBuilder::create(files, to, "the archive " + std::string(io::base_name(from)), options));
  TRY(ConvertReport report, ZipConversion(zip, builder, options, limits, size).run());
  if (builder.records() == 0)
    return fail(ErrorCode::not_found, report.notes.empty() ? "there are no files in it"
                                                           : "nothing in it can be converted: " + report.notes.front());
  report.records = builder.records();
  TRY(report.written, builder.commit());
  return report;
}

}  // namespace caddis::convert
