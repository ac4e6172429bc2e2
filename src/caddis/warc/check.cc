#include "caddis/warc/check.h"

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/warc/digest_check.h"
#include "caddis/warc/field_check.h"
#include "caddis/warc/reader.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

// The clause of WARC 1.1 that a flaw is against; empty if it is none of the standard's. Flaws of single fields name
// theirs themselves.
std::string_view clause_of(std::string_view code) {
  using Row = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Row, 15> kClauses{{{"record-separator", "4"},
                                          {"header-line", "4"},
                                          {"header-name", "4"},
                                          {"header-line-end", "4"},
                                          {"header-cut", "4"},
                                          {"garbage", "4"},
                                          {"encoding", "4"},
                                          {"content-length", "5.3"},
                                          {"record-id-repeated", "5.2"},
                                          {"block-digest", "5.8"},
                                          {"payload-digest", "5.9"},
                                          {"payload-digest-chunked", "5.9"},
                                          {"uri-brackets", "5.14"},
                                          {"uri-blank", "5.14"},
                                          {"revisit-chain", "6.7"}}};
  const auto found = std::ranges::find(kClauses, code, &Row::first);
  return found == kClauses.end() ? std::string_view() : found->second;
}

class FileCheck {
 public:
  FileCheck(const ByteSource& source, const std::function<void(const Finding&)>& report, RecordLinks& links)
      : reader_(source),
        report_(report),
        links_(links),
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
  void tell(Finding finding) {
    if (finding.level == Level::error) ++summary_.errors;
    if (finding.level == Level::warning) ++summary_.warnings;
    const std::string_view clause = is_arc_ ? std::string_view() : clause_of(finding.code);
    if (!clause.empty()) finding.message += fmt::format(" (WARC 1.1, {})", clause);
    report_(finding);
  }
  void tell(Level level, std::string code, std::string message, std::string repair = {}) {
    tell(Finding{offset_, level, std::move(code), std::move(message), std::move(repair)});
  }
  void forward() {
    for (Finding& finding : reader_.take_findings()) tell(std::move(finding));
  }

  Result<void> check(Record& record) {
    offset_ = record.offset();
    is_arc_ = record.is_arc();
    const Header& header = record.header();
    check_fields(header, record.content_length(),
                 [this](Level level, std::string code, std::string message, std::string repair) {
                   tell(level, std::move(code), std::move(message), std::move(repair));
                 });
    if (const auto earlier = links_.add(header, offset_)) {
      tell(Level::warning, "record-id-repeated",
           fmt::format("an earlier record, at offset {}{}, has the id {} too", earlier->offset, in_other_file(*earlier),
                       header.id()),
           "records that are copies of each other can be left out");
    }
    return check_digests(record);
  }

  std::string in_other_file(RecordLinks::Place place) const {
    const std::string& file = links_.file(place);
    return file.empty() || file == links_.file() ? std::string() : " of " + file;
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
  RecordLinks& links_;
  DigestCheck digests_;
  CheckSummary summary_;
  uint64_t offset_ = 0;
  bool is_arc_ = false;
};

}  // namespace

Result<CheckSummary> ArchiveCheck::file(const std::string& name, const ByteSource& source) {
  links_.add_file(name);
  const std::function<void(const Finding&)> report = [&](const Finding& finding) { report_(name, finding); };
  return FileCheck(source, report, links_).run();
}

ArchiveCheck::Revisits ArchiveCheck::finish() {
  const auto dangling = links_.dangling();
  for (const RecordLinks::Dangling& each : dangling) {
    const bool chain = each.flaw == RecordLinks::Flaw::chain;
    report_(links_.file(each.place),
            {each.place.offset, chain ? Level::warning : Level::info, chain ? "revisit-chain" : "revisit-unresolved",
             chain ? fmt::format("the revisit refers to another revisit, {} (WARC 1.1, {})", each.refers_to,
                                 clause_of("revisit-chain"))
             : each.refers_to.empty()
                 ? "the revisit names no original and has no digest to find it by"
                 : fmt::format("the revisit's original, {}, is in none of the files given", each.refers_to),
             chain ? "" : "check it together with the files that it depends on"});
  }
  return {links_.revisits(), dangling.size()};
}

Result<CheckSummary> check_file(const ByteSource& source, const std::function<void(const Finding&)>& report) {
  RecordLinks links;
  links.add_file("");
  return FileCheck(source, report, links).run();
}

}  // namespace caddis::warc
