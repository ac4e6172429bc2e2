// The chain of writers as a lane sees it: makes the bytes of a capture in the form of each writer that takes it.
// Which do, guards and sheets say (archive/writer_spec.h).
//
//   const auto chosen = writer.choose(visit, capture);
//   writer.write(chosen, visit, capture, [&](auto kind, const auto& form, auto& records) {
//     return archive::write_http_capture(http, form, random, records);
//   });
//
// Belongs to its lane's loop, but for `write`: any thread, while the visit waits for it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "caddis/archive/capture.h"
#include "caddis/archive/record_form.h"
#include "caddis/archive/writer_spec.h"
#include "caddis/base/error.h"
#include "caddis/visit/visit_result.h"

namespace caddis::visit {

struct LaneTools;
class Visit;

class CaptureWriter {
 public:
  // `tools` outlive it.
  explicit CaptureWriter(LaneTools& tools);

  // A writer that takes the document at hand.
  struct Chosen {
    size_t writer = 0;
    archive::RecordForm form;  // of its records; none if it is a mirror
  };
  // The writers that take the document at hand, the main ones first. The capture gets the prefix of their files.
  std::vector<Chosen> choose(Visit& visit, Capture& capture) const;

  using MakeRecords =
      std::function<Result<void>(archive::WriterKind kind, const archive::RecordForm& form, archive::Records& records)>;
  // Has records made for each of the writers; a mirror gets the document itself. Returns false if none has taken it:
  // then nothing of it is archived.
  Result<bool> write(const std::vector<Chosen>& chosen, Visit& visit, Capture& capture, const MakeRecords& make) const;
  // Whether revisits may refer to the capture: WARC has it, by a writer without which the crawl does not go on.
  bool is_original(const Capture& capture) const;

 private:
  struct Writer {
    archive::WriterSpec spec;
    std::string step;  // its name in guards
  };
  archive::RecordForm form_of(Visit& visit, const archive::WriterSpec& spec) const;
  Result<bool> mirror(Visit& visit, size_t writer, Capture& capture) const;

  LaneTools& tools_;
  std::vector<Writer> writers_;
};

}  // namespace caddis::visit
