#include "caddis/cdxserver/index_metrics.h"

#include "caddis/aio/process_use.h"
#include "caddis/metrics/exposition.h"

namespace caddis::cdxserver {
namespace {

using enum metrics::Type;

// Looked at once for all metrics.
struct Moment {
  const std::vector<std::shared_ptr<ServedIndex>>& open;
  const IndexCounts& counts;
  uint64_t refused;
  aio::ProcessUse process;
};

struct Row {
  metrics::Metric metric;
  void (*tell)(const Moment&, metrics::Exposition&);
};

double number(uint64_t value) { return static_cast<double>(value); }

void tell_requests(const Moment& at, metrics::Exposition& out) {
  out.add(number(at.counts.answered), "answered").add(number(at.counts.rejected), "rejected");
  out.add(number(at.counts.failed), "failed");
}

void tell_refused(const Moment& at, metrics::Exposition& out) { out.add(number(at.refused)); }

void tell_lines(const Moment& at, metrics::Exposition& out) {
  out.add(number(at.counts.added), "added").add(number(at.counts.deleted), "deleted");
}

void tell_captures(const Moment& at, metrics::Exposition& out) {
  for (const auto& index : at.open) out.add(number(index->store->estimated_captures()), index->name);
}

void tell_bytes(const Moment& at, metrics::Exposition& out) {
  for (const auto& index : at.open) out.add(number(index->store->store().bytes_on_disk()), index->name);
}

void tell_processor_time(const Moment& at, metrics::Exposition& out) {
  out.add(std::chrono::duration<double>(at.process.processor).count());
}

void tell_memory(const Moment& at, metrics::Exposition& out) { out.add(number(at.process.memory)); }

constexpr Row kRows[] = {
    {{"caddis_index_requests_total", counter,
      "Requests by how they ended: answered, rejected (status 400 to 499), failed (500 and more).", "end"},
     tell_requests},
    {{"caddis_index_requests_refused_total", counter,
      "Requests that were refused since their client had sent too many.", ""},
     tell_refused},
    {{"caddis_index_lines_total", counter, "Lines that were taken, by what was done with them.", "what"}, tell_lines},
    {{"caddis_index_captures", gauge, "Captures of each index that is open, about.", "index"}, tell_captures},
    {{"caddis_index_disk_bytes", gauge, "Bytes of each index that is open, on the disk.", "index"}, tell_bytes},
    {{"caddis_index_cpu_seconds_total", counter, "Processor time of the server's process.", ""}, tell_processor_time},
    {{"caddis_index_resident_memory_bytes", gauge, "Memory of the server's process.", ""}, tell_memory},
};

}  // namespace

std::string index_metrics(const std::vector<std::shared_ptr<ServedIndex>>& open, const IndexCounts& counts,
                          uint64_t refused) {
  const Moment moment{.open = open, .counts = counts, .refused = refused, .process = aio::process_use()};
  metrics::Exposition text;
  for (const Row& row : kRows) {
    text.begin(row.metric);
    row.tell(moment, text);
  }
  return text.finish();
}

std::string index_metrics_markdown() {
  std::vector<metrics::Metric> rows;
  for (const Row& row : kRows) rows.push_back(row.metric);
  return "\n## Of an index server\n\n" + metrics::markdown_table(rows);
}

}  // namespace caddis::cdxserver
