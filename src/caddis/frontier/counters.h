// Counts over all hosts, those that are not resident included. A queue or a host counts for its share, which
// follows from how it stands; whatever changes that goes through `transition`.
//
// Belongs to the frontier's thread.
#pragma once

#include "caddis/base/error.h"
#include "caddis/frontier/host.h"
#include "caddis/frontier/rows.h"

namespace caddis::frontier {

// The URLs of the queue, under each heading that they count for.
Totals share_of(const Queue& queue);
// The same of all its queues, and what of it is suspended or abandoned.
Totals share_of(const Host& host);

class Counters {
 public:
  const Totals& totals() const { return totals_; }

  // Something that counted for `before` counts for `after` now. The only way in which totals change.
  void transition(const Totals& before, const Totals& after);
  void add(const Totals& share) { transition({}, share); }
  // Around an edit of a queue or a host.
  template <class Subject, class Edit>
  void change(Subject& subject, const Edit& edit) {
    const Totals before = share_of(subject);
    edit();
    transition(before, share_of(subject));
  }

  // Takes over the row of the store; without one all counts are zero.
  Result<void> load(const std::optional<std::string>& row);
  // The row, if it has changed since the last call.
  std::optional<std::string> stage();

 private:
  Totals totals_, written_;
};

}  // namespace caddis::frontier
