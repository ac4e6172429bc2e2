// Puts a body together in an Answer from runs of text and blocks, plain or as gzip, without compressing anything: a run
// is a stored block (RFC 1951, 3.2.4), a Block comes deflated, the CRCs are combined. Internal to the world.
//
//   EntityWriter writer(answer, gzip);
//   writer.text() += "<p>";
//   writer.block(stock.pick(...));
//   writer.finish();                     // answer.parts is the entity
#pragma once

#include <string_view>

#include "simweb/world/answer.h"
#include "simweb/world/blocks.h"

namespace simweb {

class EntityWriter {
 public:
  EntityWriter(Answer& answer, bool gzip);
  // The end of the current run; for appending only.
  std::string& text() { return answer_.text; }
  // Keeps a run below what a stored block can hold: to be called at least every 5 KB.
  void breathe() {
    if (gzip_ && answer_.text.size() - run_ > kMaxRun) next_run();
  }
  void block(const Block& block);
  // Bytes that outlive the answer; not in gzip.
  void borrow(std::string_view bytes);
  void finish();

 private:
  static constexpr size_t kMaxRun = 60'000;
  void open_run();
  void close_run();
  void next_run() {
    close_run();
    open_run();
  }
  void add_text(size_t begin);

  Answer& answer_;
  bool gzip_;
  size_t run_ = 0;  // where the current run begins in the text, behind the header of its stored block
  uint32_t crc_ = 0;
  uint64_t size_ = 0;
};

// Total bytes of parts.
uint64_t size_of(const std::vector<Answer::Part>& parts);
// Makes answer.framed from answer.parts: as chunks (RFC 9112, 7.1) of about 16 KB.
void frame_chunks(Answer& answer);
// Makes answer.body from parts. The text may not grow afterwards.
void expose(Answer& answer, const std::vector<Answer::Part>& parts);

}  // namespace simweb
