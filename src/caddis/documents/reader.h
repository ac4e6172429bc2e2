// The reader of a crawl's documents. The real one asks a process of its own (worker_pool.h); tests and simulated
// worlds, which cannot have processes, read in place.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/documents/document.h"

namespace caddis::aio {
class Loop;
}

namespace caddis::documents {

struct Question {
  Format format = Format::pdf;
  std::string_view bytes;  // borrowed until the answer
  Limits limits;
  // Makes the bytes instead, if they are not there yet: called once, by the thread that is to read them, when their turn
  // has come. So the documents that wait take no memory. Null: they are there.
  std::function<Result<std::string>()> bring = nullptr;
};

// Has the bytes made if they are not there yet: into `storage`, from which the question borrows them.
Result<void> bring_bytes(Question& question, std::string& storage);
// The answer for a document that was not read.
Found not_read(Error error);

// The documents of a format so far.
struct FormatReport {
  std::string_view format;
  uint64_t documents = 0;
  uint64_t links = 0;
  uint64_t failed = 0;  // of `documents`: not read as a whole
  uint64_t attachments = 0;
  Duration time{};  // waiting for a worker included
};

// All of it: any thread.
class Reader {
 public:
  virtual ~Reader() = default;
  // Continues on `loop`, the caller's. Whatever becomes of the reading is said in the answer.
  virtual aio::Task<Found> read(aio::Loop& loop, Question question) = 0;

  void count(Format format, const Found& found, Duration time);
  // One for each format that has come.
  std::vector<FormatReport> report() const;

 private:
  struct Counters {
    std::atomic<uint64_t> documents = 0, links = 0, failed = 0, attachments = 0;
    std::atomic<int64_t> nanoseconds = 0;
  };
  std::array<Counters, kFormats> counters_;
};

// Reads at once, on the caller's thread.
class InlineReader final : public Reader {
 public:
  aio::Task<Found> read(aio::Loop&, Question question) override {
    std::string storage;
    if (auto brought = bring_bytes(question, storage); !brought) co_return not_read(std::move(brought).error());
    co_return read_document(question.format, question.bytes, question.limits);
  }
};

}  // namespace caddis::documents
