// The way of an exchange: its payload is looked up among what is known, its records are made on a worker, and the
// committer's next group holds them. Beyond kMostWaiting bytes on their way to a disk, whoever brings more waits.

#include "caddis/recording/recording.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/aio/event.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/json_text.h"
#include "caddis/base/log.h"
#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/collection/creation.h"
#include "caddis/collection/lock.h"
#include "caddis/commit/committer.h"
#include "caddis/dedup/earlier_digests.h"
#include "caddis/dedup/known_originals.h"
#include "caddis/dedup/original_row.h"
#include "caddis/io/files.h"
#include "caddis/recording/captures.h"
#include "caddis/recording/leftovers.h"
#include "caddis/recording/record_maker.h"
#include "caddis/recording/recorded_exchange.h"
#include "caddis/recording/store_layout.h"
#include "caddis/store/streams.h"

namespace caddis::recording {
namespace {

constexpr uint64_t kMostWaiting = 64 << 20;
constexpr std::string_view kName = "recording";

// The file that says what the folder is.
std::string note_text(const Recording& recording, const archive::Provenance& provenance, WallTime begun,
                      std::optional<WallTime> ended) {
  JsonObject note;
  note.add("recording", recording.name()).add("software", provenance.software).add("begun", rfc3339(begun));
  if (ended) {
    const RecordingTotals& totals = recording.totals();
    note.add("ended", rfc3339(*ended))
        .add("captures", totals.captures)
        .add("revisits", totals.revisits)
        .add("failures", totals.failures)
        .add("cut", totals.cut)
        .add("websockets", totals.websockets)
        .add("received", totals.received)
        .add("saved", totals.saved);
  }
  return note.finish() + "\n";
}

}  // namespace

struct Recording::Parts {
  Parts(RecordingWorld the_world, RecordingOptions the_options)
      : world(std::move(the_world)), options(std::move(the_options)), random(world.seed), changed(world.loop) {}

  RecordingWorld world;
  RecordingOptions options;
  SeededRandom random;  // of the worker that writes files
  collection::Launch launch;
  WallTime begun;
  std::unique_ptr<io::FileLock> lock;
  std::unique_ptr<store::Kv> kv;
  std::unique_ptr<store::StreamSet> streams;
  std::unique_ptr<OwnOriginals> own;
  dedup::KnownOriginals known;
  std::unique_ptr<RecordMaker> maker;
  std::unique_ptr<Captures> captures;
  std::unique_ptr<commit::Committer> committer;
  RecordingTotals totals;  // of the end
  aio::Event changed;

  Result<void> make_launch();
  Result<void> open_captures();
};

Result<void> Recording::Parts::make_launch() {
  TRY(launch, collection::create_launch(world.files, options.collection, kName, begun));
  options.provenance.crawl = launch.name;
  TRY_VOID(world.files.make_dirs(launch.spools()));
  TRY_VOID(cdx::write_index_meta(world.files, launch.cdx_journal(), options.index_key, std::vector<uint64_t>()));
  TRY(kv, world.open_kv(launch.store(), family_names()));
  store::Batch first;
  first.put(kMeta, kFormatRow, kFormat);
  return kv->write(first, store::Durability::synced);
}

Result<void> Recording::Parts::open_captures() {
  Captures::Options made{.files = {.files = &world.files,
                                   .collection = options.collection,
                                   .pid = world.pid,
                                   .full_host = world.full_hostname,
                                   .port = 0,
                                   .next_serial = 0},
                         .form = {options.archive, options.provenance},
                         .index_key = options.index_key,
                         .launch = launch};
  captures = std::make_unique<Captures>(std::move(made), world.clock, random, *own);
  committer = std::make_unique<commit::Committer>(world.loop, world.committing, *streams, *kv);
  committer->on_change([this] { changed.notify(); });
  return committer->add(*captures);
}

Recording::Recording(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Recording::~Recording() = default;

Result<std::unique_ptr<Recording>> Recording::open(RecordingWorld world, RecordingOptions options,
                                                   std::vector<std::string>& notices) {
  auto parts = std::make_unique<Parts>(std::move(world), std::move(options));
  Parts& made = *parts;
  io::Files& files = made.world.files;
  made.begun = made.world.clock.wall();
  TRY(made.lock, collection::lock_collection(
                     files, made.options.collection,
                     fmt::format("recording, process {} on {}", made.world.pid, made.options.provenance.hostname)));
  TRY_VOID(end_dead_recordings(files, made.world.open_kv, made.options.collection, notices));
  TRY_VOID(made.make_launch());
  std::unique_ptr<Recording> recording(new Recording(std::move(parts)));
  TRY_VOID(files.write_atomically(note_of(made.launch),
                                  note_text(*recording, made.options.provenance, made.begun, std::nullopt)));
  TRY(made.streams,
      store::StreamSet::open(files, *made.kv, kStreams, made.launch.folder() + "/orphans", made.options.collection));
  made.own = std::make_unique<OwnOriginals>(*made.kv, kOriginals, dedup::index_key_by(made.options.index_key));
  made.known.add(*made.own);
  const dedup::EarlierCaptures earlier{made.options.dedup.against, dedup::index_key_by(made.options.index_key)};
  if (made.options.dedup.strategy != dedup::Strategy::off)
    TRY_VOID(dedup::add_earlier_digests(files, made.launch, earlier, made.known, notices));
  made.maker =
      std::make_unique<RecordMaker>(RecordMaker::Options{made.options.archive, made.options.dedup, made.world.seed + 1},
                                    files, made.launch.spools(), *made.own, made.known);
  TRY_VOID(made.open_captures());
  return recording;
}

aio::Task<void> Recording::run() { co_await parts_->committer->run(); }

void Recording::close() { parts_->committer->close(); }

Result<void> Recording::finish() {
  Parts& parts = *parts_;
  if (!parts.committer->committed_everything())
    return fail(ErrorCode::io, fmt::format("not all of {} could be written: {}; begin another recording of this "
                                           "collection when there is room, which brings what is there to its end",
                                           parts.launch.name, parts.committer->trouble()));
  parts.totals = parts.captures->totals();
  parts.captures.reset();
  parts.committer.reset();
  parts.streams.reset();
  parts.maker.reset();
  parts.own.reset();
  parts.kv.reset();
  TRY_VOID(leave_index(parts.world.files, parts.launch, parts.options.index_key));
  return parts.world.files.write_atomically(
      note_of(parts.launch), note_text(*this, parts.options.provenance, parts.begun, parts.world.clock.wall()));
}

aio::Task<void> Recording::wait_for_room() {
  Parts& parts = *parts_;
  while (!is_ending_ && parts.committer->backlog() > kMostWaiting && !parts.committer->is_fatal())
    co_await parts.changed.wait();
}

void Recording::end_waiting() {
  is_ending_ = true;
  parts_->changed.notify();
}

aio::Task<void> Recording::keep(RecordedExchange exchange) {
  Parts& parts = *parts_;
  co_await wait_for_room();
  Result<MadeCapture> made = fail(ErrorCode::io, "");
  const WallTime finished = parts.world.clock.wall();
  std::function<void()> work = [&] { made = parts.maker->make(exchange, finished); };
  co_await parts.world.packing.run(parts.world.loop, std::move(work));
  if (!made) {
    log_error("recording", "{} is not in the archive: {}", exchange.url, made.error().message);
    LoggedRequest lost{.url = exchange.url, .via = exchange.via, .mime = {}, .digest = {}};
    lost.status = status::kSevereError;
    lost.started = exchange.exchange.timings.started;
    lost.finished = finished;
    log(lost);
    co_return;
  }
  const uint64_t memory = 4096 + made->records.bytes.memory_view().size();
  parts.captures->add(*std::move(made));
  parts.committer->commit_soon(memory);
}

void Recording::log(const LoggedRequest& request) {
  Parts& parts = *parts_;
  parts.captures->add_line(request);
  parts.committer->commit_soon(request.url.size());
}

aio::Task<Result<void>> Recording::settle() { return parts_->committer->write_now(); }

const RecordingTotals& Recording::totals() const {
  return parts_->captures ? parts_->captures->totals() : parts_->totals;
}
const std::string& Recording::name() const { return parts_->launch.name; }
std::string Recording::spools() const { return parts_->launch.spools(); }
const std::string& Recording::trouble() const {
  static const std::string none;
  return parts_->committer ? parts_->committer->trouble() : none;
}
bool Recording::has_failed() const { return parts_->committer && parts_->committer->is_fatal(); }

}  // namespace caddis::recording
