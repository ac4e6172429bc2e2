#include "caddis/cdx/query.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "caddis/base/json_text.h"
#include "caddis/cdx/line.h"

namespace caddis::cdx {
namespace {

// Gives revisits the place of the first capture with their digest among those that have passed.
class Resolver {
 public:
  void resolve(Capture& capture) {
    if (capture.digest.empty() || capture.filename.empty()) return;
    if (!capture.is_revisit()) {
      originals_.try_emplace(capture.digest, capture);
      return;
    }
    const auto original = originals_.find(capture.digest);
    if (original == originals_.end()) return;
    capture.mime = original->second.mime;
    capture.status = original->second.status;
    capture.original_length = original->second.length;
    capture.original_offset = original->second.offset;
    capture.original_filename = original->second.filename;
  }

 private:
  std::unordered_map<std::string, Capture> originals_;
};

class Collapser {
 public:
  explicit Collapser(const std::vector<Collapse>& by) : by_(by), last_(by.size()) {}
  // True where the capture differs from the last one kept.
  bool keep(const Capture& capture) {
    bool same = kept_ && !by_.empty();
    for (size_t i = 0; i < by_.size(); ++i) {
      const std::string_view value = field(capture, by_[i].field).substr(0, by_[i].length);
      if (value != last_[i]) same = false;
    }
    if (same) return false;
    for (size_t i = 0; i < by_.size(); ++i) last_[i] = field(capture, by_[i].field).substr(0, by_[i].length);
    kept_ = true;
    return true;
  }

 private:
  const std::vector<Collapse>& by_;
  std::vector<std::string> last_;
  bool kept_ = false;
};

// "2014" as a lower bound is below all its captures, as an upper bound above them.
bool in_period(const Query& query, std::string_view timestamp) {
  if (!query.from.empty() && timestamp.substr(0, query.from.size()) < query.from) return false;
  return query.to.empty() || timestamp.substr(0, query.to.size()) <= query.to;
}

void sort_by_distance(std::vector<Capture>& captures, std::string_view timestamp, uint64_t wanted) {
  std::vector<std::pair<long long, size_t>> order;
  order.reserve(captures.size());
  for (size_t i = 0; i < captures.size(); ++i)
    order.emplace_back(timestamp_distance(captures[i].timestamp, timestamp), i);
  const size_t kept = static_cast<size_t>(std::min<uint64_t>(wanted, order.size()));
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept));
  std::vector<Capture> sorted;
  sorted.reserve(kept);
  for (size_t i = 0; i < kept; ++i) sorted.push_back(std::move(captures[order[i].second]));
  captures = std::move(sorted);
}

void json_member(std::string& out, std::string_view name, std::string_view json) {
  out += out.size() == 1 ? "\"" : ", \"";
  out += name;
  out += "\": ";
  out += json;
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string chosen_as_json(const Capture& capture, const std::vector<std::string>& names) {
  std::string out = "{";
  for (const std::string& name : names) {
    const std::string_view value = field(capture, name);
    if (!value.empty()) json_member(out, name, json_string(value));
  }
  return out + "}";
}

std::string chosen_as_text(const Capture& capture, const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    if (!out.empty()) out += ' ';
    const std::string_view value = field(capture, name);
    out += value.empty() ? "-" : value;
  }
  return out;
}

std::string json_line(const Capture& capture) {
  const std::string line = cdxj_line(capture);
  const size_t object = line.find('{', capture.urlkey.size());
  std::string out = "{";
  json_member(out, "urlkey", json_string(capture.urlkey));
  json_member(out, "timestamp", json_string(capture.timestamp));
  const std::string_view members = std::string_view(line).substr(object + 1);
  if (members != "}") out += ", ";
  out += members;
  return out;
}

}  // namespace

Result<std::vector<Capture>> run_query(CaptureIndex& index, const Query& query) {
  TRY(const KeyRange range, key_range(query.url, query.match));
  const bool nearest = !query.closest.empty();
  const uint64_t wanted = query.limit + query.skip;
  std::deque<Capture> kept;
  Resolver resolver;
  Collapser collapser(query.collapse);
  TRY_VOID(index.scan(range.from, range.to, [&](std::string_view line, Capture& capture) {
    if (query.resolve_revisits) resolver.resolve(capture);
    for (const Filter& filter : query.filters)
      if (!filter.accepts(line, capture)) return true;
    if (!in_period(query, capture.timestamp) || !collapser.keep(capture)) return true;
    kept.push_back(std::move(capture));
    if (nearest) return true;
    if (query.reverse && kept.size() > wanted) kept.pop_front();
    return query.reverse || kept.size() < wanted;
  }));
  std::vector<Capture> captures(std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end()));
  if (nearest)
    sort_by_distance(captures, query.closest, wanted);
  else if (query.reverse)
    std::ranges::reverse(captures);
  captures.erase(captures.begin(),
                 captures.begin() + static_cast<std::ptrdiff_t>(std::min<uint64_t>(query.skip, captures.size())));
  return captures;
}

std::string format_capture(const Capture& capture, const Query& query) {
  switch (query.output) {
    case Output::text:
    case Output::link:
      if (!query.fields.empty()) return chosen_as_text(capture, query.fields);
      return query.resolve_revisits ? cdx14_line(capture) : cdx11_line(capture);
    case Output::json:
      return query.fields.empty() ? json_line(capture) : chosen_as_json(capture, query.fields);
    case Output::cdxj:
      break;
  }
  if (query.fields.empty()) return cdxj_line(capture);
  return capture.urlkey + ' ' + capture.timestamp + ' ' + chosen_as_json(capture, query.fields);
}

std::string_view content_type_of(Output output) {
  switch (output) {
    case Output::json:
      return "application/x-ndjson";
    case Output::link:
      return "application/link-format";
    case Output::cdxj:
      return "text/x-cdxj";
    case Output::text:
      return "text/plain";
  }
  return "text/plain";
}

}  // namespace caddis::cdx
