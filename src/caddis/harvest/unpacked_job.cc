// The metadata file is read once. Each log goes into a file of its own, line by line, and the lines of crawl.log that matter
// for what was missed go to a sorter as well: by URL and time, since a log may lie in several files. Then the sorted lines
// are gone through, and what was never captured well is left.
#include "caddis/harvest/unpacked_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/cdx/line_sorter.h"
#include "caddis/io/gzip.h"
#include "caddis/io/text_lines.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/source.h"

namespace caddis::harvest {
namespace {

constexpr size_t kLongestLine = 1 << 20;
constexpr size_t kHeld = 256 << 10;  // of a file, before it goes to the disk

bool is_plain(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

}  // namespace

std::optional<RecordAddress> record_address(std::string_view uri) {
  const size_t begin = uri.find("/crawl/");
  if (!uri.starts_with("metadata://") || begin == std::string_view::npos || !is_plain(uri)) return std::nullopt;
  const std::string_view path = uri.substr(begin + 7);
  const size_t slash = path.find('/'), mark = path.find('?');
  if (slash == std::string_view::npos || mark == std::string_view::npos || mark < slash) return std::nullopt;
  RecordAddress address{std::string(path.substr(0, slash)), std::string(path.substr(slash + 1, mark - slash - 1))};
  const size_t file = path.find("filename=");
  if (address.kind == "index" && file != std::string_view::npos) address.name = std::string(path.substr(file + 9));
  return address;
}

namespace {

class OutFile {
 public:
  static Result<OutFile> open(io::Files& files, const std::string& path) {
    TRY(auto file, files.open_append(path));
    return OutFile(std::move(file));
  }
  Result<void> add(std::string_view bytes) {
    held_ += bytes;
    return held_.size() < kHeld ? Result<void>() : flush();
  }
  Result<void> flush() {
    TRY_VOID(file_->append(held_));
    held_.clear();
    return {};
  }
  // All was added: it survives a power cut.
  Result<void> finish() {
    TRY_VOID(flush());
    return file_->sync();
  }

 private:
  explicit OutFile(std::unique_ptr<io::File> file) : file_(std::move(file)) {}
  std::unique_ptr<io::File> file_;
  std::string held_;
};

std::string eight_bytes(uint64_t number) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
  return bytes;
}

// The first six fields of a line of crawl.log; false if there are fewer.
bool take_fields(std::string_view line, std::array<std::string_view, 6>& fields) {
  for (std::string_view& field : fields) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return false;
    line.remove_prefix(begin);
    field = line.substr(0, line.find(' '));
    line.remove_prefix(field.size());
  }
  return true;
}

bool is_embedded(std::string_view hops) { return hops.ends_with('E') || hops.ends_with('X') || hops.ends_with('I'); }

// The line as it is sorted: by URL, then by time. Nothing: it says nothing of what was missed.
std::optional<std::string> missed_event(std::string_view line, uint64_t number) {
  std::array<std::string_view, 6> fields;
  if (!take_fields(line, fields) || !is_plain(line)) return std::nullopt;
  const auto [time, status_text, size, url, hops, via] = fields;
  const int64_t status = parse_int(status_text).value_or(0);
  if (!url.starts_with("http://") && !url.starts_with("https://")) return std::nullopt;
  if (status >= 200 && status < 400) return fmt::format("{}\t{}\t{:020}\tw", url, time, number);
  const bool is_link = !hops.ends_with('P') && hops != "-";
  if (!is_link && !is_embedded(hops)) return std::nullopt;
  return fmt::format("{}\t{}\t{:020}\tm\t{}\t{}\t{}", url, time, number, via, status, hops);
}

// The lines of a log as they come in pieces, packed or not.
class LogLines {
 public:
  // Calls `use` for each line that is whole.
  template <typename Use>
  Result<void> take(std::string_view piece, const Use& use) {
    if (!is_known_) {
      front_ += piece;
      if (front_.size() < 4) return {};
      is_known_ = true;
      is_packed_ = io::looks_like_gzip(front_);
      const std::string front = std::exchange(front_, {});
      return take(front, use);
    }
    if (!is_packed_) return take_text(piece, use);
    std::string text(kHeld, '\0');
    while (!piece.empty() && !is_damaged_) {
      const auto step = gunzip_.inflate(piece, std::span(text));
      // Damage ends the log; the lines before it count.
      is_damaged_ = !step;
      TRY_VOID(take_text(std::string_view(text).substr(0, step ? step->written : gunzip_.damaged_output()), use));
    }
    return {};
  }
  template <typename Use>
  Result<void> end(const Use& use) {
    if (!is_known_ && !front_.empty()) TRY_VOID(take_text(std::exchange(front_, {}), use));
    return rest_.empty() ? Result<void>() : use(std::exchange(rest_, {}));
  }

 private:
  template <typename Use>
  Result<void> take_text(std::string_view text, const Use& use) {
    for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      if (rest_.empty()) {
        TRY_VOID(use(text.substr(0, std::min(end, kLongestLine))));
      } else {
        keep(text.substr(0, end));
        TRY_VOID(use(rest_));
        rest_.clear();
      }
      text.remove_prefix(end + 1);
    }
    keep(text);
    return {};
  }
  void keep(std::string_view text) { rest_ += text.substr(0, kLongestLine - std::min(rest_.size(), kLongestLine)); }

  bool is_known_ = false, is_packed_ = false, is_damaged_ = false;
  std::string front_, rest_;
  io::GunzipStream gunzip_;
};

// One log on its way into its files.
struct Log {
  LogLines lines;
  OutFile text, places;
  bool is_of_visits;
  uint64_t number = 0, at = 0;
};

// Sorts what crawl.log says of URLs, and writes what was missed.
class MissedUrls {
 public:
  MissedUrls(io::Files& files, std::string folder, size_t memory)
      : files_(files),
        folder_(std::move(folder)),
        events_path_(folder_ + "/events"),
        sorter_(std::in_place, files, events_path_, memory) {}

  Result<void> take(std::string_view line) {
    const auto event = missed_event(line, lines_++);
    return event ? sorter_->add(*event) : Result<void>();
  }
  // All lines were taken: sorts and sifts them, about so many bytes. True if all is written.
  Result<bool> go_on(uint64_t bytes) {
    if (sorter_) {
      TRY(const bool is_sorted, sorter_->finish_some(bytes));
      if (!is_sorted) return false;
      TRY_VOID(begin_to_sift());
    }
    return sift(bytes);
  }

 private:
  Result<void> begin_to_sift() {
    sorter_.reset();
    TRY(events_, io::TextLines::open(files_, events_path_));
    TRY(OutFile embedded, OutFile::open(files_, folder_ + "/missed-embedded"));
    TRY(OutFile all, OutFile::open(files_, folder_ + "/missed-all"));
    embedded_.emplace(std::move(embedded));
    all_.emplace(std::move(all));
    return {};
  }
  // A capture settles a URL, whenever it was; without one the last failure is told. True if all is written.
  Result<bool> sift(uint64_t bytes) {
    for (uint64_t read = 0; read < bytes;) {
      TRY(const auto line, events_->next());
      if (!line) {
        TRY_VOID(tell());
        TRY_VOID(embedded_->finish());
        TRY_VOID(all_->finish());
        TRY_VOID(files_.remove(events_path_));
        return true;
      }
      read += line->size() + 1;
      const auto fields = split(*line, '\t');
      if (fields[0] != url_) {
        TRY_VOID(tell());
        url_ = fields[0];
        is_captured_ = false;
      }
      if (fields[3] == "w") {
        is_captured_ = true;
        missed_embed_.clear();
        missed_.clear();
      } else if (!is_captured_) {
        missed_ = fmt::format("{}\t{}\t{}\t{}\n", url_, fields[4], fields[5], fields[6]);
        if (is_embedded(fields[6])) missed_embed_ = missed_;
      }
    }
    return false;
  }
  Result<void> tell() {
    TRY_VOID(embedded_->add(std::exchange(missed_embed_, {})));
    return all_->add(std::exchange(missed_, {}));
  }

  io::Files& files_;
  const std::string folder_, events_path_;
  std::optional<cdx::LineSorter> sorter_;  // until all is sorted
  uint64_t lines_ = 0;
  std::unique_ptr<io::TextLines> events_;
  std::optional<OutFile> embedded_, all_;
  std::string url_, missed_embed_, missed_;
  bool is_captured_ = false;
};

}  // namespace

class JobUnpacker::Work {
 public:
  Work(io::Files& files, UnpackedJob job, std::unique_ptr<io::File> file, uint64_t size, size_t memory)
      : files_(files),
        job_(std::move(job)),
        file_(std::move(file)),
        size_(size),
        source_(*file_),
        reader_(source_),
        missed_(files, job_.folder, memory) {}

  Result<bool> step(uint64_t bytes) {
    uint64_t read = 0;
    while (!is_read_ && read < bytes) {
      TRY(const uint64_t some, read_some());
      read += some;
    }
    if (!is_read_) return false;
    TRY(const bool is_done, missed_.go_on(bytes - std::min(read, bytes)));
    if (!is_done) return false;
    // Whoever finds `records` finds all.
    TRY_VOID(files_.sync_dir(job_.folder));
    TRY_VOID(files_.write_atomically(job_.folder + "/records", records_));
    is_done_ = true;
    return true;
  }
  int percent() const {
    if (is_done_) return 100;
    return size_ == 0 ? 0 : static_cast<int>(std::min<uint64_t>(std::min(at_, size_) * 100 / size_, 99));
  }

 private:
  // Returns how many bytes it has read; at least 1.
  Result<uint64_t> read_some() {
    if (record_ == nullptr) {
      TRY(record_, reader_.next());
      if (record_ == nullptr) {
        at_ = size_;
        is_read_ = true;
        return 1;
      }
      at_ = record_->offset();
      TRY_VOID(begin_record());
    }
    TRY(const std::string_view piece, record_->read_block());
    if (piece.empty()) {
      TRY_VOID(end_record());
      return 1;
    }
    if (log_) TRY_VOID(log_->lines.take(piece, [this](std::string_view line) { return take_line(line); }));
    return piece.size();
  }

  Result<void> begin_record() {
    const auto address = record_address(record_->header().target_uri());
    if (!address) return {};
    std::string name = "-";
    if (address->kind == "logs") {
      name = fmt::format("log-{}.txt", logs_++);
      const std::string path = job_.folder + "/" + name;
      TRY(auto text, OutFile::open(files_, path));
      TRY(auto places, OutFile::open(files_, path + ".places"));
      log_.emplace(LogLines(), std::move(text), std::move(places), address->name.starts_with("crawl.log"));
    }
    records_ += fmt::format("{}\t{}\t{}\t{}\t{}\n", address->kind, address->name, record_->content_length(),
                            record_->offset(), name);
    return {};
  }

  Result<void> end_record() {
    record_ = nullptr;
    if (!log_) return {};
    TRY_VOID(log_->lines.end([this](std::string_view line) { return take_line(line); }));
    TRY_VOID(log_->text.finish());
    TRY_VOID(log_->places.finish());
    log_.reset();
    return {};
  }

  Result<void> take_line(std::string_view line) {
    if (log_->number > 0 && log_->number % kLinesAPlace == 0) TRY_VOID(log_->places.add(eight_bytes(log_->at)));
    ++log_->number;
    log_->at += line.size() + 1;
    TRY_VOID(log_->text.add(line));
    TRY_VOID(log_->text.add("\n"));
    return log_->is_of_visits ? missed_.take(line) : Result<void>();
  }

  io::Files& files_;
  const UnpackedJob job_;
  const std::unique_ptr<io::File> file_;
  const uint64_t size_;
  const warc::FileSource source_;
  warc::Reader reader_;
  warc::Record* record_ = nullptr;
  MissedUrls missed_;
  std::optional<Log> log_;
  std::string records_;
  uint64_t at_ = 0;
  int logs_ = 0;
  bool is_read_ = false, is_done_ = false;
};

bool is_unpacked(io::Files& files, const UnpackedJob& job) { return files.exists(job.folder + "/records"); }

Result<void> forget_unpacked(io::Files& files, const UnpackedJob& job) {
  if (!files.is_directory(job.folder)) return {};
  // Without `records` the others say nothing.
  if (is_unpacked(files, job)) TRY_VOID(files.remove(job.folder + "/records"));
  TRY(const auto entries, files.list(job.folder));
  for (const io::DirectoryEntry& entry : entries) TRY_VOID(files.remove(job.folder + "/" + entry.name));
  return files.remove(job.folder);
}

Result<std::unique_ptr<JobUnpacker>> JobUnpacker::begin(io::Files& files, const UnpackedJob& job, size_t memory) {
  TRY_VOID(forget_unpacked(files, job));
  TRY(auto file, files.open_read(job.metadata_file));
  TRY(const uint64_t size, file->size());
  TRY_VOID(files.make_dirs(job.folder));
  return std::unique_ptr<JobUnpacker>(
      new JobUnpacker(std::make_unique<Work>(files, job, std::move(file), size, memory)));
}

JobUnpacker::JobUnpacker(std::unique_ptr<Work> work) : work_(std::move(work)) {}
JobUnpacker::~JobUnpacker() = default;
Result<bool> JobUnpacker::step(uint64_t bytes) { return work_->step(bytes); }
int JobUnpacker::percent() const { return work_->percent(); }

}  // namespace caddis::harvest
