// The figures of a recording. A plain record.
#pragma once

#include <cstdint>

namespace caddis::recording {

struct RecordingTotals {
  uint64_t captures = 0, revisits = 0, failures = 0, cut = 0, websockets = 0;
  uint64_t received = 0;  // bytes of responses
  uint64_t saved = 0;     // of them, which revisits stand for

  RecordingTotals& operator+=(const RecordingTotals& more) {
    captures += more.captures;
    revisits += more.revisits;
    failures += more.failures;
    cut += more.cut;
    websockets += more.websockets;
    received += more.received;
    saved += more.saved;
    return *this;
  }
};

}  // namespace caddis::recording
