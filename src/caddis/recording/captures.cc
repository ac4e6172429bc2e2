#include "caddis/recording/captures.h"

#include <utility>

#include "caddis/cdx/line.h"
#include "caddis/commit/commit_group.h"
#include "caddis/io/files.h"
#include "caddis/recording/store_layout.h"
#include "caddis/store/streams.h"

namespace caddis::recording {

namespace {

LoggedRequest logged(const MadeCapture& capture) {
  return {.url = capture.url,
          .via = capture.via,
          .mime = capture.log_mime,
          .digest = capture.digest,
          .status = capture.status,
          .body_size = capture.body_size,
          .size = capture.size,
          .started = capture.date,
          .finished = capture.finished,
          .protocol = capture.protocol,
          .truncated = capture.truncated,
          .has_problem = capture.has_problem,
          .is_websocket = false,
          .revisit = capture.revisit ? &*capture.revisit : nullptr};
}

}  // namespace

// The captures of one group.
class Captures::Write final : public commit::StagedWrite {
 public:
  Write(Captures& captures, std::vector<MadeCapture> own, bool closes)
      : captures_(captures), own_(std::move(own)), closes_(closes) {}

  Result<void> append(commit::GroupOutput& out) override { return captures_.append(out, own_, closes_); }
  void seal(commit::GroupOutput& /*out*/, commit::CommitGroup& group) override { captures_.files_.seal(group.batch()); }

 private:
  Captures& captures_;
  const std::vector<MadeCapture> own_;
  const bool closes_;
};

Captures::Captures(Options options, const Clock& clock, Random& random, OwnOriginals& originals)
    : options_(std::move(options)), originals_(originals), files_(options_.files, clock, random) {
  kind_.stream = kWarcStream;
  kind_.packing = options_.form.settings.packing;
  kind_.prefix = options_.form.settings.prefix;
}

void Captures::add(MadeCapture capture) {
  // Not before: whoever refers to it is added later, and so is never committed without it.
  if (auto& row = capture.original) originals_.add(std::move(row->first), std::move(row->second));
  ++gathered_.captures;
  gathered_.received += capture.size;
  if (capture.truncated != http::Truncated::none) ++gathered_.cut;
  if (capture.revisit) {
    ++gathered_.revisits;
    gathered_.saved += capture.body_size;
  }
  captures_.push_back(std::move(capture));
}

void Captures::add_line(const LoggedRequest& request) {
  ++(request.is_websocket ? gathered_.websockets : gathered_.failures);
  lines_ += log_line(request, LoggedPlace());
}

Result<void> Captures::open(store::StreamSet& streams) {
  TRY_VOID(streams.open_stream(kJournalStream, options_.launch.cdx_journal()));
  TRY_VOID(streams.open_stream(kPagesStream, options_.launch.pages()));
  return streams.open_stream(kLogStream, options_.launch.crawl_log());
}

void Captures::stage(commit::CommitGroup& group) {
  staged_.push_back(std::exchange(gathered_, {}));
  originals_.stage(group.number(), group.batch());
  group.append(kLogStream, std::exchange(lines_, {}));
  group.add(std::make_unique<Write>(*this, std::exchange(captures_, {}), group.closes_files()));
}

void Captures::committed(commit::GroupNumber group) {
  originals_.committed(group);
  totals_ += staged_.front();
  staged_.pop_front();
}

Result<void> Captures::append(commit::GroupOutput& out, const std::vector<MadeCapture>& captures, bool closes) {
  files_.begin_group();
  journal_lines_.clear();
  log_lines_.clear();
  page_lines_.clear();
  for (const MadeCapture& capture : captures) TRY_VOID(append_capture(out, capture));
  store::StreamSet& streams = out.streams();
  if (!journal_lines_.empty()) TRY_VOID(streams.append(kJournalStream, journal_lines_));
  if (!log_lines_.empty()) TRY_VOID(streams.append(kLogStream, log_lines_));
  if (!page_lines_.empty()) TRY_VOID(streams.append(kPagesStream, page_lines_));
  const bool is_old = files_.is_old(streams, kWarcStream, options_.form);
  if ((closes || is_old) && streams.has_open(kWarcStream)) TRY_VOID(streams.close_stream(kWarcStream));
  return {};
}

Result<void> Captures::append_capture(commit::GroupOutput& out, const MadeCapture& capture) {
  store::StreamSet& streams = out.streams();
  const auto most = static_cast<uint64_t>(options_.form.settings.max_file_size);
  if (!streams.has_open(kWarcStream) || streams.length(kWarcStream) >= most)
    TRY_VOID(files_.begin(out, options_.form, kind_));
  const uint64_t start = streams.length(kWarcStream);
  const std::string file(io::base_name(streams.path(kWarcStream)));
  TRY_VOID(capture.records.bytes.for_each([&](std::string_view bytes) -> Result<void> {
    TRY_VOID(streams.append(kWarcStream, bytes));
    return {};
  }));
  const uint64_t offset = start + capture.records.indexed_offset;
  journal_lines_ += cdx::cdxj_line({.url = capture.url,
                                    .date = capture.date,
                                    .mime = capture.mime,
                                    .status = capture.status,
                                    .digest = capture.digest,
                                    .length = capture.records.indexed_length,
                                    .offset = offset,
                                    .filename = file,
                                    .method = capture.method,
                                    .request_body = capture.request_body},
                                   options_.index_key);
  journal_lines_ += '\n';
  log_lines_ += log_line(logged(capture), {file, offset});
  page_lines_ += capture.page_line;
  return {};
}

}  // namespace caddis::recording
