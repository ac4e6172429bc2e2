#include "caddis/dedup/index_builder.h"

namespace caddis::dedup {

IndexBuilder::IndexBuilder(io::Files& files, const std::string& output, const WriterOptions& options,
                           CaptureFilter filter, Intake::Progress progress)
    : files_(files),
      options_(options),
      writer_(files, output, options),
      intake_(writer_, options.algorithm, std::move(filter), std::move(progress)) {}

Result<ReadSource> IndexBuilder::read(const std::string& path, SourceKind kind) {
  switch (kind) {
    case SourceKind::archive:
      return read_archive(files_, path, intake_);
    case SourceKind::cdxj:
      return read_cdxj(files_, path, options_.key, intake_);
    case SourceKind::cdx:
      return read_cdx(files_, path, intake_);
    case SourceKind::crawl_log:
      return read_crawl_log(files_, path, intake_);
    case SourceKind::digest_index:
      return read_digest_index(files_, path, options_.key, options_.algorithm, intake_);
  }
  return ReadSource();
}

Result<SourceReport> IndexBuilder::add(const std::string& path) {
  // Before it is read: what is added meanwhile makes the index stale.
  TRY(io::FileStamp stamp, io::stamp_of(files_, path));
  SourceReport report;
  report.path = path;
  TRY(report.kind, kind_of(files_, path));
  intake_.begin_source();
  TRY(ReadSource read_source, read(path, report.kind));
  report.flaws = std::move(read_source.flaws);
  report.counts = intake_.counts();
  writer_.add_source({path, stamp});
  return report;
}

}  // namespace caddis::dedup
