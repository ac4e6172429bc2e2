#include "caddis/inspect/record_facts.h"

#include "caddis/base/strings.h"
#include "caddis/warc/payload.h"

namespace caddis::inspect {

std::string bare_mime(std::string_view content_type) {
  return to_lower(trim(content_type.substr(0, content_type.find_first_of(";,"))));
}

Result<RecordFacts> facts_of(warc::Record& record) {
  RecordFacts facts;
  if (!warc::is_http(record.header())) {
    facts.mime = bare_mime(record.header().content_type());
    return facts;
  }
  std::optional<size_t> end;
  for (size_t looked = 0; !end && facts.front.size() < warc::PayloadSplitter::kMaxHead;) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) break;
    facts.front += piece;
    end = warc::HttpHead::find_end(facts.front, looked);
    looked = facts.front.size();
  }
  facts.http_head = facts.front.substr(0, end.value_or(facts.front.size()));
  const warc::HttpHead head(facts.http_head);
  facts.status = head.status();
  facts.mime = bare_mime(head.get("Content-Type"));
  return facts;
}

}  // namespace caddis::inspect
