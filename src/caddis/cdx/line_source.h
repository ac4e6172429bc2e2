// A sorted row of index lines, wherever it lies: a file (SortedFile) or memory (the journals of running crawls, the
// index of a single WARC). Sources may be read by any thread, also while lines are added; a cursor by one at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/broken_lines.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/line_question.h"
#include "caddis/cdx/sorted_file.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

// A place in the row. It stands on a line, or at the end.
class LineCursor {
 public:
  virtual ~LineCursor() = default;
  virtual bool at_end() const = 0;
  // Valid until the cursor moves.
  virtual std::string_view line() const = 0;
  // The line's first bytes, as many as are at hand: its key and time at least, and the blanks behind them.
  virtual std::string_view head() const { return line(); }
  // The cost of reading the line, in bytes.
  virtual size_t size() const { return line().size(); }
  virtual Result<void> next() = 0;
  // False where there is no line before; the cursor then stays.
  virtual Result<bool> previous() = 0;

  // As line() < bound, and line().starts_with(prefix).
  bool is_before(std::string_view bound) const;
  bool starts_with(std::string_view prefix) const;
};

class LineSource {
 public:
  virtual ~LineSource() = default;
  // A cursor on the first line not smaller than `key`; it must not outlive the source.
  virtual Result<std::unique_ptr<LineCursor>> seek(std::string_view key) = 0;
  virtual Result<Capture> parse(std::string_view line) const = 0;
  // The capture on which a cursor of this source stands.
  virtual Result<Capture> capture_at(const LineCursor& cursor) const { return parse(cursor.line()); }
  // True once a line was found that is smaller than the one before it: the source cannot be searched.
  virtual bool disordered() const { return false; }
  // By which its lines are keyed.
  virtual const url::KeyPolicy& policy() const { return url::KeyPolicy::ia_surt(); }
  // The key under which the captures of that key stand, where URLs have aliases.
  virtual std::string resolved(std::string key) const { return key; }
  // The lines that answer a question, of a source that has to ask for them: it does so at once, and whoever reads them first
  // waits. Null: the source has its lines at hand.
  virtual std::shared_ptr<LineSource> ask(const LineQuestion& /*question*/) { return nullptr; }
  // Why lines are missing, in words for people; empty if none are.
  virtual std::string problem() const { return {}; }
};

// The sources, with answers to the question in the place of those that have to ask for their lines. All are asked at the
// same time.
std::vector<std::shared_ptr<LineSource>> asked(std::vector<std::shared_ptr<LineSource>> sources,
                                               const LineQuestion& question);

class FileLines : public LineSource {
 public:
  // `broken` is told of lines that cannot be parsed; null: nobody is.
  explicit FileLines(std::unique_ptr<SortedFile> file, url::KeyPolicy policy = url::KeyPolicy::ia_surt(),
                     std::shared_ptr<BrokenLines> broken = nullptr)
      : file_(std::move(file)), policy_(std::move(policy)), broken_(std::move(broken)) {}
  Result<std::unique_ptr<LineCursor>> seek(std::string_view key) override;
  Result<Capture> parse(std::string_view line) const override;
  bool disordered() const override { return disordered_; }
  const url::KeyPolicy& policy() const override { return policy_; }
  const SortedFile& file() const { return *file_; }

  struct Count {
    uint64_t lines = 0;
    bool exact = true;  // false: estimated from the first bytes
  };
  // Reads about `bytes` of the file, once: it does not change.
  Result<Count> count_lines(uint64_t bytes);

 private:
  std::string place_of(std::string_view line) const;

  std::unique_ptr<SortedFile> file_;
  const url::KeyPolicy policy_;
  const std::shared_ptr<BrokenLines> broken_;
  std::atomic<bool> disordered_ = false;
  std::mutex count_mutex_;
  std::optional<Count> count_;
};

class MemoryLines : public LineSource {
 public:
  using Lines = std::set<std::string, std::less<>>;
  explicit MemoryLines(url::KeyPolicy policy = url::KeyPolicy::ia_surt()) : policy_(std::move(policy)) {}
  // Lines are kept for ever, identical ones once.
  void add(std::string_view line);
  size_t size() const;
  Result<std::unique_ptr<LineCursor>> seek(std::string_view key) override;
  Result<Capture> parse(std::string_view line) const override;
  const url::KeyPolicy& policy() const override { return policy_; }

 private:
  const url::KeyPolicy policy_;
  mutable std::shared_mutex mutex_;
  Lines lines_;
};

}  // namespace caddis::cdx
