// The bytes come as over a connection: by a stream that a worker reads. So a fetch is ended, paced and counted like every
// other.

#include "caddis/protocols/local_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/http/throttle.h"
#include "caddis/io/beneath.h"
#include "caddis/protocols/body_recorder.h"
#include "caddis/text/media_types.h"
#include "caddis/url/percent.h"

namespace caddis::protocols {
namespace {

using At = http::Failure::At;
using io::FoundBeneath;

constexpr size_t kMostNames = 1'000'000;  // of a folder

// "type=dir;modify=20200131123059; name"; empty if the name is gone.
std::string listing_line(const FoundBeneath& folder, const std::string& name) {
  const auto found = folder.look_at(name);
  if (!found) return {};
  std::string line;
  switch (found->kind) {
    case FoundBeneath::Kind::file:
      line = fmt::format("type=file;size={};", found->size);
      break;
    case FoundBeneath::Kind::folder:
      line = "type=dir;";
      break;
    case FoundBeneath::Kind::link:
      line = "type=OS.unix=symlink;";
      break;
    case FoundBeneath::Kind::special:
      line = "type=OS.unix=special;";
      break;
  }
  return fmt::format("{}modify={}; ", line, timestamp14(found->modified)).append(name).append("\r\n");
}

// A file or a folder as bytes. Its reader may be gone while a worker reads: both hold it.
class Source {
 public:
  explicit Source(FoundBeneath found) : found_(std::move(found)) {}

  const FoundBeneath::Facts& facts() const { return found_.facts(); }
  Result<FoundBeneath::Facts> facts_now() const { return found_.facts_now(); }
  size_t nameless() const { return nameless_; }

  Result<void> list() {
    TRY(names_, found_.names(kMostNames));
    return {};
  }

  Result<size_t> read(char* buffer, size_t size) {
    if (!facts().is_folder) {
      TRY(const size_t got, found_.read_at(offset_, buffer, size));
      offset_ += got;
      return got;
    }
    while (lines_.size() < size && next_ < names_.size()) {
      const std::string& name = names_[next_++];
      // In a listing a line end would make two names of it.
      if (name.find_first_of("\r\n") != name.npos)
        ++nameless_;
      else
        lines_ += listing_line(found_, name);
    }
    const size_t got = std::min(size, lines_.size());
    std::memcpy(buffer, lines_.data(), got);
    lines_.erase(0, got);
    return got;
  }

 private:
  const FoundBeneath found_;
  uint64_t offset_ = 0;
  std::vector<std::string> names_;
  size_t next_ = 0, nameless_ = 0;
  std::string lines_;
};

// Reads a source on a worker. Belongs to the loop.
class LocalStream final : public aio::Stream {
 public:
  LocalStream(aio::Loop& loop, aio::Blocking& disk, std::shared_ptr<Source> source)
      : loop_(loop), disk_(disk), source_(std::move(source)) {}

  aio::Task<Result<size_t>> read(char* buffer, size_t size) override {
    if (is_closed_) co_return fail(ErrorCode::cancelled, "reading was ended");
    Result<size_t> got = size_t{0};
    std::function<void()> work = [&] { got = source_->read(buffer, size); };
    co_await disk_.run_piece(loop_, std::move(work));
    if (is_closed_) co_return fail(ErrorCode::cancelled, "reading was ended");
    if (loop_.clock().steady() > deadline_) co_return fail(ErrorCode::timeout, "the disk was too slow");
    co_return got;
  }
  aio::Task<Result<void>> write(std::string_view /*bytes*/) override {
    co_return fail(ErrorCode::unsupported, "a file is only read");
  }
  void set_deadline(SteadyTime when) override { deadline_ = when; }
  void close() override { is_closed_ = true; }
  aio::Endpoint remote() const override { return {}; }
  const aio::TlsInfo* tls() const override { return nullptr; }

 private:
  aio::Loop& loop_;
  aio::Blocking& disk_;
  const std::shared_ptr<Source> source_;
  SteadyTime deadline_ = SteadyTime::max();
  bool is_closed_ = false;
};

std::unexpected<TransferFailure> refused(FetchStatus status, std::string why) {
  auto made = failed(At::response, Error{ErrorCode::denied, std::move(why)});
  made.error().status = status;
  return made;
}

// Why a file could not be opened, for operators.
std::unexpected<TransferFailure> not_opened(const Error& error) {
  switch (error.code) {
    case ErrorCode::config:
      return refused(status::kUnfetchable, fmt::format("fetch.files does not allow it: {}", error.message));
    case ErrorCode::unsupported:
      return refused(status::kUnfetchable, error.message);
    case ErrorCode::not_found:
    case ErrorCode::denied:
      return refused(kNoFile, error.message);
    default:
      auto unreadable = refused(kFileUnreadable, error.message);
      unreadable.error().is_transient = true;
      return unreadable;
  }
}

class LocalSession {
 public:
  LocalSession(Wires& wires, aio::Blocking& disk, io::SpoolFolder& spools, Transfer transfer)
      : wires_(wires),
        disk_(disk),
        transfer_(std::move(transfer)),
        begun_(wires.loop().clock().steady()),
        patience_{wires.loop().clock(), transfer_.limits.silence, begun_ + transfer_.limits.total},
        recorder_(spools, transfer_.limits) {
    timings_.started = wires.loop().clock().wall();
  }

  aio::Task<TransferResult> run(std::vector<std::string> folders) {
    TransferStep done = co_await open(std::move(folders));
    if (done && is_wanted()) done = co_await receive();
    if (!done) co_return std::unexpected(std::move(done).error());
    co_return finish();
  }

 private:
  aio::Task<TransferStep> open(std::vector<std::string> folders) {
    if (folders.empty())
      co_return refused(status::kUnfetchable,
                        "files are fetched only if the setting fetch.files names a folder that holds them");
    const std::optional<std::string> path = local_path(transfer_.path);
    if (!path) co_return refused(kNoFile, "no file has such a name");
    std::optional<Result<FoundBeneath>> opened;
    std::function<void()> work = [&] { opened.emplace(io::open_beneath(folders, *path)); };
    co_await disk_.run(wires_.loop(), std::move(work));
    if (!*opened) co_return not_opened(opened->error());
    source_ = std::make_shared<Source>(*std::move(*opened));
    if (source_->facts().is_folder) {
      Result<void> listed;
      work = [&] { listed = source_->list(); };
      co_await disk_.run(wires_.loop(), std::move(work));
      if (!listed) co_return not_opened(listed.error());
    }
    media_type_ = source_->facts().is_folder ? std::string_view("text/plain") : text::media_type_of(*path);
    timings_.connected = since_begin();
    co_return TransferStep();
  }

  bool is_wanted() {
    if (!transfer_.limits.wants_body) return true;
    const http::ResponseHead head = made_up_head(kFileRead, media_type_);
    const int64_t length = source_->facts().is_folder ? -1 : static_cast<int64_t>(source_->facts().size);
    if (transfer_.limits.wants_body(head, length)) return true;
    recorder_.cut(http::Truncated::unwanted);
    return false;
  }

  aio::Task<TransferStep> receive() {
    auto stream = std::make_unique<LocalStream>(wires_.loop(), disk_, source_);
    auto wire = wires_.carry(std::move(stream), patience_, transfer_.ticket);
    if (!wire) co_return failed(At::response, std::move(wire).error());
    http::Throttle throttle(transfer_.limits.bandwidth);
    const auto buffer = std::make_unique<std::array<char, kBuffer>>();
    while (!recorder_.is_cut()) {
      const SteadyTime next = throttle.next();
      if (next > wires_.loop().clock().steady()) {
        co_await aio::sleep_until(wires_.loop(), std::min(next, patience_.deadline));
        if (next >= patience_.deadline) recorder_.cut(http::Truncated::time);
        if (recorder_.is_cut()) break;
      }
      const Result<size_t> got = co_await (*wire)->read(buffer->data(), throttle.at_once(buffer->size()));
      if (!got) co_return broken(got.error());
      if (*got == 0) co_return co_await compare();
      if (recorder_.size() == 0) timings_.first_byte = since_begin();
      throttle.took(*got, wires_.loop().clock().steady());
      const std::string_view bytes(buffer->data(), *got);
      if (const Result<void> stored = recorder_.feed(bytes); !stored) co_return failed(At::local, stored.error());
    }
    co_return TransferStep();
  }

  // The bytes that have come are kept.
  TransferStep broken(const Error& error) {
    if (error.code == ErrorCode::cancelled) return failed(At::response, error);
    if (recorder_.size() == 0 && error.code == ErrorCode::timeout) return failed(At::response, error);
    if (recorder_.size() == 0) return not_opened(error);
    recorder_.cut(error.code == ErrorCode::timeout ? http::Truncated::time : http::Truncated::disconnect);
    recorder_.note(error.message);
    return {};
  }

  // Whether that was one state of the file.
  aio::Task<TransferStep> compare() {
    if (source_->nameless() > 0)
      recorder_.note(fmt::format("{} with a line end in the name are not listed", source_->nameless()));
    if (source_->facts().is_folder) co_return TransferStep();
    Result<FoundBeneath::Facts> now = source_->facts();
    std::function<void()> work = [&] { now = source_->facts_now(); };
    co_await disk_.run(wires_.loop(), std::move(work));
    if (!now) co_return broken(now.error());
    if (*now == source_->facts() && recorder_.size() == now->size) co_return TransferStep();
    recorder_.note("the file has changed while it was read");
    if (recorder_.size() < source_->facts().size) recorder_.cut(http::Truncated::disconnect);
    co_return TransferStep();
  }

  TransferResult finish() {
    http::Resource resource;
    resource.protocol = "file";
    resource.status = kFileRead;
    resource.reply = rfc3339(source_->facts().modified);
    resource.listing = source_->facts().is_folder ? http::Resource::Listing::mlsd : http::Resource::Listing::none;
    http::Exchange exchange = recorder_.finish(std::move(resource), media_type_);
    timings_.finished = since_begin();
    if (timings_.first_byte == Duration::zero()) timings_.first_byte = timings_.finished;
    exchange.timings = timings_;
    return exchange;
  }

  Duration since_begin() const { return wires_.loop().clock().steady() - begun_; }

  static constexpr size_t kBuffer = 128 * 1024;

  Wires& wires_;
  aio::Blocking& disk_;
  const Transfer transfer_;
  const SteadyTime begun_;
  const Patience patience_;
  BodyRecorder recorder_;
  std::shared_ptr<Source> source_;
  std::string_view media_type_;
  http::Timings timings_;
};

}  // namespace

aio::Task<TransferResult> LocalFiles::fetch(Transfer transfer, std::vector<std::string> folders) {
  if (disk_ == nullptr) disk_ = aio::make_blocking(1);
  LocalSession session(wires_, *disk_, spools_, std::move(transfer));
  co_return co_await session.run(std::move(folders));
}

std::optional<std::string> local_path(std::string_view escaped) {
  std::string path;
  escaped.remove_prefix(escaped.starts_with('/') ? 1 : 0);
  for (const std::string_view segment : split(escaped, '/')) {
    const std::string name = url::percent_decode(segment);
    if (name.find('/') != name.npos || name.find('\0') != name.npos || name == "." || name == "..") return std::nullopt;
    path.append("/").append(name);
  }
  return path;
}

Result<void> check_files_folder(std::string_view text) {
  const auto segments = split(text, '/');
  const bool has_dots = std::ranges::any_of(segments, [](std::string_view one) { return one == "." || one == ".."; });
  if (text.starts_with('/') && !has_dots && text.find('\0') == text.npos) return {};
  return fail(ErrorCode::config,
              fmt::format("'{}' is no absolute path of a folder; write for example /srv/site", text));
}

}  // namespace caddis::protocols
