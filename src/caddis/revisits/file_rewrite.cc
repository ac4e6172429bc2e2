#include "caddis/revisits/file_rewrite.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "caddis/warc/archive_file.h"

namespace caddis::revisits {
namespace {

class Rewrite {
 public:
  Rewrite(const io::File& file, warc::ArchiveFile& out, const RewriteOptions& options)
      : options_(options),
        file_(file),
        source_(file),
        reader_(source_, {.keep_headers = true}),
        note_([this](const warc::Finding& finding) { note(finding); }),
        copy_(out, note_) {}
  Rewrite(const Rewrite&) = delete;
  Rewrite& operator=(const Rewrite&) = delete;

  Result<void> run(const UseRecord& use) {
    uint64_t told = 0;
    for (;;) {
      TRY(warc::Record* const record, reader_.next());
      TRY_VOID(take_findings());
      if (record == nullptr) break;
      if (record->is_arc()) return refuse_arc();
      TRY_VOID(use(*record, file_, copy_));
      TRY_VOID(record->finish());
      TRY_VOID(take_findings());
      const uint64_t at = record->offset() + record->length();
      if (options_.progress && at > told) options_.progress(at - std::exchange(told, at));
    }
    if (copy_.records() > 0) return {};
    return fail(ErrorCode::corrupt, "there is no record in it");
  }

  uint64_t records() const { return copy_.records(); }
  std::string finish_sum() { return copy_.finish_sum(); }

 private:
  Result<void> take_findings() {
    for (const warc::Finding& finding : reader_.take_findings()) note(finding);
    return damage_ ? refuse_damaged(*damage_) : Result<void>();
  }

  void note(const warc::Finding& finding) {
    if (finding.level != warc::Level::error) return;
    if (is_damage(finding)) {
      if (!damage_) damage_ = finding;
    } else if (!warc::is_mended_by_packing(finding.code)) {
      options_.report(finding);
    }
  }

  const RewriteOptions& options_;
  const io::File& file_;
  warc::FileSource source_;
  warc::Reader reader_;
  std::function<void(const warc::Finding&)> note_;
  warc::RecordCopy copy_;
  std::optional<warc::Finding> damage_;
};

}  // namespace

bool is_damage(const warc::Finding& finding) {
  return finding.level == warc::Level::error && finding.code != "payload-digest" && finding.code != "block-digest" &&
         !warc::is_mended_by_packing(finding.code);
}

std::unexpected<Error> refuse_arc() {
  return fail(ErrorCode::unsupported, "this is an ARC file: convert it first (caddis warc convert)");
}

std::unexpected<Error> refuse_damaged(const warc::Finding& damage) {
  return fail(
      ErrorCode::corrupt,
      fmt::format("at offset {}: {} [{}]; 'caddis warc recompress --salvage' makes a sound file of what is left",
                  damage.offset, damage.message, damage.code));
}

Result<RewriteReport> rewrite_file(io::Files& files, const std::string& from, const std::string& to,
                                   const RewriteOptions& options, const UseRecord& use) {
  RewriteReport report;
  TRY(const auto file, files.open_read(from));
  TRY(report.read, file->size());
  TRY(const auto out,
      warc::ArchiveFile::create(files, to,
                                {.compression = options.compression, .threads = options.threads, .dictionary = {}}));
  Rewrite rewrite(*file, *out, options);
  TRY_VOID(rewrite.run(use));
  TRY_VOID(out->finish());
  TRY_VOID(warc::check_written(files, *out, rewrite.records(), rewrite.finish_sum()));
  TRY_VOID(out->commit());
  report.records = rewrite.records();
  report.written = out->size();
  return report;
}

}  // namespace caddis::revisits
