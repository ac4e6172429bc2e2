#include "caddis/documents/reader.h"

#include <chrono>
#include <utility>

namespace caddis::documents {

Result<void> bring_bytes(Question& question, std::string& storage) {
  if (!question.bring) return {};
  TRY(storage, question.bring());
  question.bytes = storage;
  return {};
}

Found not_read(Error error) {
  Found found;
  found.problem = std::move(error).message;
  return found;
}

void Reader::count(Format format, const Found& found, Duration time) {
  Counters& counters = counters_[static_cast<size_t>(format)];
  ++counters.documents;
  counters.links += found.links.size();
  counters.failed += found.problem.empty() ? 0 : 1;
  counters.attachments += found.attachments;
  counters.nanoseconds += std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

std::vector<FormatReport> Reader::report() const {
  std::vector<FormatReport> all;
  for (size_t i = 0; i < kFormats; ++i) {
    const Counters& counters = counters_[i];
    if (counters.documents == 0) continue;
    all.push_back({.format = kFormatNames[i],
                   .documents = counters.documents,
                   .links = counters.links,
                   .failed = counters.failed,
                   .attachments = counters.attachments,
                   .time = std::chrono::duration_cast<Duration>(std::chrono::nanoseconds(counters.nanoseconds))});
  }
  return all;
}

}  // namespace caddis::documents
