#include "caddis/warc/recompress.h"

#include <algorithm>

#include "caddis/base/random.h"
#include "caddis/warc/archive_file.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/record_copy.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

class Recompression {
 public:
  Recompression(const io::File& file, ArchiveFile& out, const RecompressOptions& options)
      : options_(options),
        source_(file),
        reader_(source_, {.keep_headers = true}),
        note_([this](const Finding& finding) { note(finding); }),
        copy_(out, note_) {}
  Recompression(const Recompression&) = delete;
  Recompression& operator=(const Recompression&) = delete;

  Result<RecompressReport> run() {
    TRY(report_.read, source_.size());
    for (;;) {
      TRY(Record* const record, reader_.next());
      take_findings();
      TRY_VOID(refuse_damage());
      if (record == nullptr) break;
      TRY(const bool whole, copy_.copy(*record));
      if (!whole) ++report_.left_out;
      take_findings();
      TRY_VOID(refuse_damage());
      if (options_.progress) options_.progress(record->offset() + record->length(), report_.read);
    }
    report_.records = copy_.records();
    report_.bytes = copy_.bytes();
    report_.digests = copy_.digests();
    report_.is_damaged = first_damage_.has_value();
    if (report_.records > 0) return std::move(report_);
    return fail(ErrorCode::corrupt, "there is no sound record in it" + told(first_damage_));
  }

  std::string finish_sum() { return copy_.finish_sum(); }

 private:
  static std::string told(const std::optional<Finding>& damage) {
    return damage ? fmt::format(": at offset {}: {}", damage->offset, damage->message) : std::string();
  }

  void take_findings() {
    for (const Finding& finding : reader_.take_findings()) note(finding);
  }

  void note(const Finding& finding) {
    if (finding.level != Level::error) return;
    report_.findings.push_back(finding);
    const bool only_field = finding.code == "payload-digest";
    if (!is_mended_by_packing(finding.code) && !only_field && !first_damage_) first_damage_ = finding;
  }

  Result<void> refuse_damage() const {
    if (!first_damage_ || options_.salvage) return {};
    const bool kept = first_damage_->code == "block-digest";
    return fail(ErrorCode::corrupt,
                fmt::format("at offset {}: {} [{}]; --salvage {}", first_damage_->offset, first_damage_->message,
                            first_damage_->code, kept ? "keeps the record as it is" : "leaves out what is damaged"));
  }

  const RecompressOptions& options_;
  FileSource source_;
  Reader reader_;
  std::function<void(const Finding&)> note_;
  RecordCopy copy_;
  RecompressReport report_;
  std::optional<Finding> first_damage_;
};

}  // namespace

Result<std::string> train_dictionary(const io::File& file) {
  constexpr size_t kSamples = 2048, kSample = 8 * 1024, kDictionary = 112 * 1024;
  const FileSource source(file);
  Reader reader(source, {.keep_headers = true});
  // Every record has the same chance to be a sample.
  SeededRandom random(1);
  std::vector<std::string> samples;
  for (uint64_t seen = 1;; ++seen) {
    TRY(Record* const record, reader.next());
    if (record == nullptr) break;
    const size_t place = samples.size() < kSamples ? samples.size() : static_cast<size_t>(random.next() % seen);
    if (place >= kSamples) continue;
    std::string sample = record->header_bytes();
    while (sample.size() < kSample) {
      TRY(const std::string_view piece, record->read_block());
      if (piece.empty()) break;
      sample += piece.substr(0, kSample - std::min(kSample, sample.size()));
    }
    if (place == samples.size()) samples.emplace_back();
    samples[place] = std::move(sample);
  }
  std::string all;
  std::vector<size_t> sizes;
  for (const std::string& sample : samples) {
    all += sample;
    sizes.push_back(sample.size());
  }
  return io::ZstdDictionary::train(all, sizes, kDictionary).value_or(std::string());
}

Result<RecompressReport> recompress(io::Files& files, const std::string& from, const std::string& to,
                                    const RecompressOptions& options) {
  TRY(const auto file, files.open_read(from));
  ArchiveFileOptions packing{.compression = options.compression, .threads = options.threads, .dictionary = {}};
  if (options.train_dictionary && packing_of(options.compression) == Packing::zstd) {
    TRY(packing.dictionary, train_dictionary(*file));
  }
  const size_t dictionary = packing.dictionary.size();
  TRY(const auto out, ArchiveFile::create(files, to, std::move(packing)));
  Recompression recompression(*file, *out, options);
  TRY(RecompressReport report, recompression.run());
  TRY_VOID(out->finish());
  TRY_VOID(check_written(files, *out, report.records, recompression.finish_sum()));
  TRY_VOID(out->commit());
  report.written = out->size();
  report.dictionary = dictionary;
  return report;
}

}  // namespace caddis::warc
