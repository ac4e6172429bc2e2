#include "caddis/base/percent.h"
#include "caddis/base/time_format.h"
#include "caddis/convert/convert.h"
#include "caddis/convert/warc_builder.h"
#include "caddis/text/media_types.h"
#include "fmt/format.h"

namespace caddis::convert {
namespace {

constexpr size_t kMaxDepth = 64;

class FolderConversion {
 public:
  FolderConversion(io::Files& files, std::string to, WarcBuilder& builder, const ConvertOptions& options)
      : files_(files), to_(std::move(to)), builder_(builder), options_(options) {}

  // The files in `folder`, whose URLs begin with `prefix`.
  Result<void> walk(const std::string& folder, const std::string& prefix, size_t depth) {
    if (depth > kMaxDepth) return fail(ErrorCode::limit, folder + ": folders nested more than 64 deep");
    TRY(const auto entries, files_.list(folder));
    for (const io::DirectoryEntry& entry : entries) {
      const std::string path = io::join_path(folder, entry.name);
      const std::string url = prefix + percent_encoded(entry.name);
      if (entry.is_link) {
        leave_out(path, "it is a symbolic link");
      } else if (entry.is_directory) {
        TRY_VOID(walk(path, url + "/", depth + 1));
      } else if (path != to_ && path != to_ + ".part") {
        TRY_VOID(add(path, url));
      }
    }
    return {};
  }
  ConvertReport& report() { return report_; }

 private:
  void leave_out(const std::string& path, std::string_view why) {
    ++report_.left_out;
    report_.notes.push_back(fmt::format("{} is left out: {}", path, why));
  }

  Result<void> add(const std::string& path, const std::string& url) {
    const auto file = files_.open_read_foreign(path);
    if (!file) {
      leave_out(path, file.error().message);
      return {};
    }
    TRY(const uint64_t size, (*file)->size());
    auto fields =
        warc::RecordFields::resource(builder_.new_id(), rfc3339(options_.now), url, text::media_type_of(path));
    auto added = builder_.add_file(std::move(fields), **file);
    if (!added) return pass(std::move(added).error(), path);
    if (options_.progress) options_.progress(size);
    return {};
  }

  io::Files& files_;
  std::string to_;
  WarcBuilder& builder_;
  const ConvertOptions& options_;
  ConvertReport report_;
};

}  // namespace

Result<ConvertReport> convert_folder(io::Files& files, const std::string& from, const std::string& to,
                                     const ConvertOptions& options) {
  if (options.url_prefix.find(':') == std::string::npos)
    return fail(ErrorCode::config, "a folder needs a URL for its files to begin with: --url-prefix https://…/");
  TRY(WarcBuilder builder, WarcBuilder::create(files, to, "the folder " + std::string(io::base_name(from)), options));
  FolderConversion conversion(files, to, builder, options);
  TRY_VOID(conversion.walk(from, options.url_prefix, 0));
  ConvertReport report = std::move(conversion.report());
  if (builder.records() == 0) return fail(ErrorCode::not_found, "there are no files in it");
  report.records = builder.records();
  TRY(report.written, builder.commit());
  return report;
}

}  // namespace caddis::convert
