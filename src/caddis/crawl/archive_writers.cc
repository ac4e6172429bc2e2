#include "caddis/crawl/archive_writers.h"

#include <algorithm>
#include <utility>

#include "caddis/base/check.h"
#include "caddis/base/counted.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/collection/layout.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/index_journal.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/writer_loss.h"
#include "caddis/io/files.h"

namespace caddis::crawl {

// A writer of the chain, and what became of it.
struct ArchiveWriters::Writer {
  archive::WriterSpec spec;
  std::optional<MirrorFiles> mirror;
  bool is_broken = false;           // it failed, and the crawl goes on without it
  uint64_t left_out = 0;            // captures that it has not, in all of the crawl
  uint64_t left_out_committed = 0;  // as of the last commit: the group may be written once more
  std::string why;
  bool has_news = false;  // that are in no row yet
};

// The captures of one group.
class ArchiveWriters::Write final : public commit::StagedWrite {
 public:
  Write(ArchiveWriters& writers, std::shared_ptr<const warcstore::ArchiveForm> form,
        std::vector<visit::Capture> captures, bool closes)
      : writers_(writers), form_(std::move(form)), captures_(std::move(captures)), closes_(closes) {}

  Result<void> append(commit::GroupOutput& out) override { return writers_.append(out, *form_, captures_, closes_); }
  commit::AfterFailure failed(commit::GroupOutput& out, std::string_view stream, const Error& error) override {
    return writers_.failed(out.streams(), stream, error);
  }
  void seal(commit::GroupOutput& out, commit::CommitGroup& group) override {
    (void)out;
    writers_.seal(group.batch());
  }

 private:
  ArchiveWriters& writers_;
  const std::shared_ptr<const warcstore::ArchiveForm> form_;
  const std::vector<visit::Capture> captures_;
  const bool closes_;
};

ArchiveWriters::ArchiveWriters(Options options, const Clock& clock, Random& random)
    : options_(std::move(options)), files_(options_.files, clock, random) {
  form_ = std::make_shared<const warcstore::ArchiveForm>(options_.form);
  auto specs = archive::writer_chain(options_.form.settings.writers);
  CADDIS_CHECK(specs.has_value());
  const collection::Layout layout(options_.files.collection);
  for (archive::WriterSpec& spec : *specs) {
    auto writer = std::make_unique<Writer>();
    if (!spec.writes_records())
      writer->mirror.emplace(*options_.files.files, spec.folder.empty() ? layout.mirror() : layout.within(spec.folder));
    writer->spec = std::move(spec);
    chain_.push_back(std::move(writer));
  }
  keeps_dictionary_ = options_.dictionary == nullptr || options_.dictionary->get() != nullptr;
}

ArchiveWriters::~ArchiveWriters() {
  for (const auto& writer : chain_)
    if (writer->is_broken)
      log_warn("commit", "the writer {} has left out {}", writer->spec.name,
               counted(writer->left_out_committed, "capture"));
}

void ArchiveWriters::follow(archive::ArchiveSettings settings, archive::Provenance provenance) {
  form_ = std::make_shared<const warcstore::ArchiveForm>(
      warcstore::ArchiveForm{std::move(settings), std::move(provenance)});
}

Result<void> ArchiveWriters::load(store::Kv& kv) {
  TRY(const auto rows, rows_of(kv, kWriterFailedRow));
  for (const auto& writer : chain_) {
    const auto row = rows.find(writer->spec.name);
    if (row == rows.end()) continue;
    const WriterLoss loss = WriterLoss::read(row->second);
    writer->left_out = writer->left_out_committed = loss.captures;
    writer->why = loss.why;
  }
  return {};
}

Result<void> ArchiveWriters::open(store::StreamSet& streams) {
  const bool has_mirror = std::ranges::any_of(chain_, [](const auto& writer) { return writer->mirror.has_value(); });
  return has_mirror ? streams.open_stream(kMirrorStream, options_.mirror_list) : Result<void>();
}

void ArchiveWriters::on_final(visit::VisitResult& result) {
  for (visit::Capture& capture : result.captures) add(std::move(capture));
  result.captures.clear();
}

void ArchiveWriters::stage(commit::CommitGroup& group) {
  group.add(std::make_unique<Write>(*this, form_, std::exchange(captures_, {}), group.closes_files()));
}

Result<void> ArchiveWriters::append(commit::GroupOutput& out, const warcstore::ArchiveForm& form,
                                    const std::vector<visit::Capture>& captures, bool closes) {
  files_.begin_group();
  for (const auto& writer : chain_) writer->left_out = writer->left_out_committed;
  std::string index_lines;
  for (const visit::Capture& capture : captures) TRY_VOID(append_capture(out, form, capture, index_lines));
  TRY_VOID(mirror(out, captures));
  at_work_.reset();
  TRY_VOID(IndexJournal::append(out.streams(), index_lines));
  TRY_VOID(close_files(out.streams(), form, closes));
  learn();
  return {};
}

Result<void> ArchiveWriters::append_capture(commit::GroupOutput& out, const warcstore::ArchiveForm& form,
                                            const visit::Capture& capture, std::string& index_lines) {
  bool is_indexed = false;
  if (capture.place != nullptr) *capture.place = {};  // the group may be written once more
  const auto write = [&](const Piece& piece) -> Result<void> {
    std::string path;
    TRY(const auto start, append_records(out, form, piece, path));
    // Index and records must agree on what it is: a revisit, which only WARC has, or a response.
    const bool is_alike = piece.records.id.empty() == capture.records.id.empty();
    if (!start || is_indexed || !is_alike) return {};
    IndexJournal::add_line(index_lines, capture, piece.records, {io::base_name(path), *start}, options_.index_key);
    if (capture.place != nullptr)
      *capture.place = {std::string(io::base_name(path)), *start + piece.records.indexed_offset};
    is_indexed = true;
    return {};
  };
  if (capture.records.bytes.size() > 0)
    TRY_VOID(write({capture.writer, capture.has_dictionary, capture.prefix, capture.records}));
  for (const visit::Written& copy : capture.copies) {
    if (chain_[copy.writer]->mirror) continue;
    TRY_VOID(write({copy.writer, copy.has_dictionary, capture.prefix, copy.records}));
  }
  return {};
}

warcstore::ArchiveFiles::Kind ArchiveWriters::kind_of(const warcstore::ArchiveForm& form, const Piece& piece) const {
  const archive::WriterSpec& spec = chain_[piece.writer]->spec;
  warcstore::ArchiveFiles::Kind kind;
  kind.writer = spec.kind;
  kind.packing = spec.packing.value_or(form.settings.packing);
  const std::string& of_site = piece.prefix.empty() ? form.settings.prefix : piece.prefix;
  kind.prefix = spec.prefix.empty() ? of_site : spec.prefix;
  kind.folder = spec.folder;
  if (piece.has_dictionary && options_.dictionary != nullptr) kind.dictionary = options_.dictionary->get();
  kind.stream = archive_stream(piece.writer == 0 ? "" : spec.name, piece.prefix, piece.has_dictionary);
  return kind;
}

Result<std::optional<uint64_t>> ArchiveWriters::append_records(commit::GroupOutput& out,
                                                               const warcstore::ArchiveForm& form, const Piece& piece,
                                                               std::string& path) {
  Writer& writer = *chain_[piece.writer];
  if (writer.is_broken) {
    leave_out(writer, 1);
    return std::nullopt;
  }
  at_work_ = piece.writer;
  store::StreamSet& streams = out.streams();
  warcstore::ArchiveFiles::Kind kind = kind_of(form, piece);
  const auto most = static_cast<uint64_t>(form.settings.max_file_size);
  const auto own_above = static_cast<uint64_t>(form.settings.own_file_above);
  const bool is_own = own_above > 0 && piece.records.bytes.size() > own_above;
  if (is_own) kind.stream = own_file_stream(kind.stream);
  if (is_own || !streams.has_open(kind.stream) || streams.length(kind.stream) >= most ||
      files_.has_other_prefix(streams, kind))
    TRY_VOID(files_.begin(out, form, kind));
  const uint64_t start = streams.length(kind.stream);
  path = streams.path(kind.stream);
  TRY_VOID(piece.records.bytes.for_each([&](std::string_view bytes) -> Result<void> {
    TRY_VOID(streams.append(kind.stream, bytes));
    return {};
  }));
  if (is_own) TRY_VOID(streams.close_stream(kind.stream));
  return start;
}

Result<void> ArchiveWriters::mirror(commit::GroupOutput& out, const std::vector<visit::Capture>& captures) {
  for (size_t i = 0; i < chain_.size(); ++i) {
    Writer& writer = *chain_[i];
    if (!writer.mirror) continue;
    std::vector<const visit::Capture*> own;
    for (const visit::Capture& capture : captures)
      if (std::ranges::find(capture.copies, i, &visit::Written::writer) != capture.copies.end())
        own.push_back(&capture);
    if (own.empty()) continue;
    if (writer.is_broken) {
      leave_out(writer, own.size());
      continue;
    }
    at_work_ = i;
    std::string list;
    TRY_VOID(writer.mirror->write(own, i, list));
    TRY_VOID(out.streams().append(kMirrorStream, list));
  }
  return {};
}

// All files when the group says so, and those that are old.
Result<void> ArchiveWriters::close_files(store::StreamSet& streams, const warcstore::ArchiveForm& form,
                                         bool closes_all) {
  if (!closes_all && form.settings.max_file_age == Duration(0)) return {};
  for (const std::string& stream : streams.names()) {
    if (!is_archive_stream(stream) || !streams.has_open(stream)) continue;
    if (closes_all || files_.is_old(streams, stream, form)) TRY_VOID(streams.close_stream(stream));
  }
  return {};
}

// Lanes use it from now on: their captures go into files of their own.
void ArchiveWriters::learn() {
  archive::CrawlDictionary* const dictionary = options_.dictionary.get();
  if (dictionary == nullptr || !dictionary->can_learn()) return;
  dictionary->learn();
  if (const io::ZstdDictionary* const learned = dictionary->get(); learned != nullptr)
    log_info("commit", "a dictionary of {} was learned for files packed by zstd",
             counted(learned->bytes().size(), "byte"));
}

// A disk that is full, or gone, concerns the writers on it alone: their policies say what is to be done.
commit::AfterFailure ArchiveWriters::failed(store::StreamSet& streams, std::string_view stream, const Error& error) {
  std::optional<size_t> failing = std::exchange(at_work_, std::nullopt);
  if (!failing && stream == kMirrorStream) return commit::AfterFailure::try_again;
  for (size_t i = 0; !failing && i < chain_.size(); ++i)
    if (is_stream_of(stream, i == 0 ? "" : chain_[i]->spec.name)) failing = i;
  if (!failing) return commit::AfterFailure::try_again;
  Writer& writer = *chain_[*failing];
  if (writer.spec.on_failure == archive::OnFailure::stop) return commit::AfterFailure::stop;
  // The last one that writes waits: going on without it would keep nothing.
  const auto writes = [](const auto& one) { return !one->is_broken; };
  const bool is_last = !writer.is_broken && std::ranges::count_if(chain_, writes) == 1;
  if (writer.spec.on_failure != archive::OnFailure::go_on || is_last) return commit::AfterFailure::try_again;
  if (!std::exchange(writer.is_broken, true)) {
    log_error("commit", "the writer {} writes no more until the crawl is resumed: {}", writer.spec.name, error.message);
    writer.why = error.message;
    writer.has_news = true;
  }
  for (const std::string& own : streams.names()) {
    if (!is_stream_of(own, *failing == 0 ? "" : writer.spec.name)) continue;
    files_.leave(own);
    streams.leave(own);
  }
  return commit::AfterFailure::try_again;
}

void ArchiveWriters::leave_out(Writer& writer, uint64_t captures) {
  writer.left_out += captures;
  writer.has_news = true;
}

void ArchiveWriters::seal(store::Batch& batch) {
  files_.seal(batch);
  for (const auto& writer : chain_) {
    // At 1, 10, 100, …: it is not said for each of them.
    uint64_t round = 1;
    while (round <= writer->left_out_committed) round *= 10;
    if (writer->left_out >= round)
      log_warn("commit", "the writer {} has left out {}: {}", writer->spec.name, counted(writer->left_out, "capture"),
               writer->why);
    writer->left_out_committed = writer->left_out;
    if (std::exchange(writer->has_news, false))
      batch.put(kMeta, std::string(kWriterFailedRow) + writer->spec.name,
                WriterLoss{writer->left_out, writer->why}.row());
  }
  const io::ZstdDictionary* const learned = options_.dictionary == nullptr ? nullptr : options_.dictionary->get();
  if (keeps_dictionary_ || learned == nullptr) return;
  batch.put(kMeta, kDictionaryRow, learned->bytes());
  keeps_dictionary_ = true;
}

}  // namespace caddis::crawl
