#include "caddis/warc/check.h"

#include <unordered_set>

#include "caddis/base/hash.h"
#include "caddis/warc/digest_check.h"
#include "caddis/warc/field_check.h"
#include "caddis/warc/reader.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

class FileCheck {
 public:
  FileCheck(const ByteSource& source, const std::function<void(const Finding&)>& report)
      : reader_(source),
        report_(report),
        digests_([this](Level level, std::string code, std::string message, std::string repair) {
          tell(level, std::move(code), std::move(message), std::move(repair));
        }) {}
  FileCheck(const FileCheck&) = delete;
  FileCheck& operator=(const FileCheck&) = delete;

  Result<CheckSummary> run() {
    for (;;) {
      TRY(Record * record, reader_.next());
      forward();
      if (record == nullptr) return summary_;
      ++summary_.records;
      TRY_VOID(check(*record));
      forward();
    }
  }

 private:
  void tell(const Finding& finding) {
    if (finding.level == Level::error) ++summary_.errors;
    if (finding.level == Level::warning) ++summary_.warnings;
    report_(finding);
  }
  void tell(Level level, std::string code, std::string message, std::string repair = {}) {
    tell(Finding{offset_, level, std::move(code), std::move(message), std::move(repair)});
  }
  void forward() {
    for (const Finding& finding : reader_.take_findings()) tell(finding);
  }

  Result<void> check(Record& record) {
    offset_ = record.offset();
    const Header& header = record.header();
    check_fields(header, record.content_length(),
                 [this](Level level, std::string code, std::string message, std::string repair) {
                   tell(level, std::move(code), std::move(message), std::move(repair));
                 });
    const std::string_view id = header.id();
    if (!id.empty() && !ids_.insert(siphash(id, 0, 0)).second) {
      tell(Level::warning, "record-id-repeated", fmt::format("an earlier record has the id {} too", id),
           "records that are copies of each other can be left out");
    }
    return check_digests(record);
  }

  Result<void> check_digests(Record& record) {
    digests_.begin(record.header());
    for (;;) {
      TRY(const std::string_view piece, record.read_block());
      if (piece.empty()) break;
      summary_.bytes += piece.size();
      digests_.feed(piece);
    }
    TRY_VOID(record.finish());
    summary_.digests += digests_.finish(record.complete());
    return {};
  }

  Reader reader_;
  const std::function<void(const Finding&)>& report_;
  DigestCheck digests_;
  CheckSummary summary_;
  uint64_t offset_ = 0;
  std::unordered_set<uint64_t> ids_;
};

}  // namespace

Result<CheckSummary> check_file(const ByteSource& source, const std::function<void(const Finding&)>& report) {
  return FileCheck(source, report).run();
}

}  // namespace caddis::warc
