// The chain of writers as a lane sees it: makes the bytes of a capture in the form of each writer that takes it.
// Which do, guards and sheets say (archive/writer_spec.h).
//
//   writer.write(visit, capture, [&](auto kind, const auto& form, auto& records) {
//     return archive::write_http_capture(http, form, random, records);
//   });
//
// Belongs to its lane's loop.
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

  using MakeRecords =
      std::function<Result<void>(archive::WriterKind kind, const archive::RecordForm& form, archive::Records& records)>;
  // Has records made for each writer that takes the document at hand, for its main ones first; a mirror gets the
  // document itself. Returns false if no writer takes it: then nothing of it is archived.
  Result<bool> write(Visit& visit, Capture& capture, const MakeRecords& make);
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
