#include "caddis/inspect/copy_matching.h"

#include <algorithm>
#include <optional>

#include "caddis/base/hash.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/record_copy.h"

namespace caddis::inspect {
namespace {

class MatchingCopy {
 public:
  MatchingCopy(io::Files& files, const RecordFilter& filter, warc::ArchiveFile& out, const CopyOptions& options)
      : files_(files),
        filter_(filter),
        options_(options),
        report_finding_([this](const warc::Finding& finding) { options_.report(file_, finding); }),
        copy_(out, report_finding_) {}
  MatchingCopy(const MatchingCopy&) = delete;
  MatchingCopy& operator=(const MatchingCopy&) = delete;

  // Remembers which records match, and what they name.
  Result<void> look(const std::string& path) {
    return for_each(path, false, [this](warc::Record& record) -> Result<void> {
      TRY(const RecordFacts facts, facts_of(record));
      if (!filter_.matches(record, facts)) return {};
      const warc::Header& header = record.header();
      add(matching_, header.get("WARC-Record-ID"));
      for (const std::string_view id : header.all("WARC-Concurrent-To")) add(named_, id);
      add(named_, header.get("WARC-Warcinfo-ID"));
      return {};
    });
  }

  Result<void> copy(const std::string& path) {
    return for_each(path, true, [this](warc::Record& record) -> Result<void> {
      ++report_.read;
      TRY(const RecordFacts facts, facts_of(record));
      if (!filter_.matches(record, facts) && !belongs(record.header())) return {};
      if (is_arc_.value_or(record.is_arc()) != record.is_arc())
        return fail(ErrorCode::unsupported,
                    "records of ARC and WARC files do not go into one file: convert first (caddis warc convert)");
      is_arc_ = record.is_arc();
      TRY(const bool whole, copy_.copy(record, facts.front));
      ++(whole ? report_.copied : report_.left_out);
      return {};
    });
  }

  CopyReport report() const { return report_; }

 private:
  static uint64_t hash(std::string_view id) { return siphash(id, 0, 0); }

  static void add(std::unordered_set<uint64_t>& ids, std::string_view id) {
    if (!id.empty()) ids.insert(hash(id));
  }

  bool belongs(const warc::Header& header) const {
    if (!options_.with_concurrent) return false;
    if (named_.contains(hash(header.get("WARC-Record-ID")))) return true;
    const auto matching = [this](std::string_view id) { return matching_.contains(hash(id)); };
    return std::ranges::any_of(header.all("WARC-Concurrent-To"), matching) ||
           (header.type() == warc::RecordType::metadata && matching(header.get("WARC-Refers-To")));
  }

  Result<void> for_each(const std::string& path, bool last, const std::function<Result<void>(warc::Record&)>& use) {
    file_ = path;
    TRY(const auto file, files_.open_read(path));
    const warc::FileSource source(*file);
    warc::Reader reader(source, {.keep_headers = true});
    const auto tell = [&] {
      for (const warc::Finding& finding : reader.take_findings()) {
        if (last) options_.report(path, finding);
      }
    };
    for (;;) {
      auto record = reader.next();
      if (!record) return pass(std::move(record).error(), path);
      tell();
      if (*record == nullptr) return {};
      if (auto used = use(**record); !used) return pass(std::move(used).error(), path);
      TRY_VOID((*record)->finish());
      tell();
      if (options_.progress) options_.progress((*record)->length());
    }
  }

  io::Files& files_;
  const RecordFilter& filter_;
  const CopyOptions& options_;
  std::string file_;
  std::function<void(const warc::Finding&)> report_finding_;
  warc::RecordCopy copy_;
  std::unordered_set<uint64_t> matching_, named_;
  std::optional<bool> is_arc_;
  CopyReport report_;
};

}  // namespace

Result<CopyReport> copy_matching(io::Files& files, const std::vector<std::string>& from, const RecordFilter& filter,
                                 warc::ArchiveFile& out, const CopyOptions& options) {
  MatchingCopy copy(files, filter, out, options);
  if (options.with_concurrent) {
    for (const std::string& path : from) TRY_VOID(copy.look(path));
  }
  for (const std::string& path : from) TRY_VOID(copy.copy(path));
  return copy.report();
}

}  // namespace caddis::inspect
