#include "caddis/inspect/statistics.h"

#include "caddis/base/hash.h"
#include "caddis/inspect/record_facts.h"
#include "caddis/url/url.h"
#include "caddis/warc/digest_field.h"
#include "caddis/warc/reader.h"

namespace caddis::inspect {
namespace {

std::string host_of(std::string_view url) {
  const auto parsed = url::Url::parse(url);
  return parsed ? std::string(parsed->host()) : std::string();
}

bool is_capture(warc::RecordType type) {
  return type == warc::RecordType::response || type == warc::RecordType::resource || type == warc::RecordType::revisit;
}

void merge(ArchiveStatistics::Table& table, const ArchiveStatistics::Table& other) {
  for (const auto& [name, amount] : other) table[name] += amount;
}

// The digest's bytes, whichever way it is written; 0 if there is none.
uint64_t digest_key(std::string_view field) {
  const auto digest = warc::parse_digest_field(field);
  return digest && !digest->raw.empty() ? siphash(digest->raw, 0, 0) : 0;
}

}  // namespace

Amount& Amount::operator+=(const Amount& other) {
  records += other.records;
  bytes += other.bytes;
  stored += other.stored;
  return *this;
}

Result<uint64_t> ArchiveStatistics::add_file(const warc::ByteSource& source) {
  warc::Reader reader(source);
  for (;;) {
    TRY(warc::Record* const record, reader.next());
    if (record == nullptr) break;
    TRY(const RecordFacts facts, facts_of(*record));
    TRY_VOID(record->finish());
    const warc::Header& header = record->header();
    const uint64_t bytes = record->content_length(), stored = record->length();
    all_.add(bytes, stored);
    const std::string_view type = header.get("WARC-Type");
    types_[std::string(type.empty() ? "unknown" : type)].add(bytes, stored);
    if (!is_capture(record->type())) continue;
    statuses_[facts.status > 0 ? std::to_string(facts.status) : "-"].add(bytes, stored);
    mimes_[facts.mime.empty() ? "-" : facts.mime].add(bytes, stored);
    const std::string host = host_of(header.target_uri());
    hosts_[host.empty() ? "-" : host].add(bytes, stored);
    const uint64_t key = record->type() == warc::RecordType::revisit ? 0 : digest_key(header.payload_digest());
    if (key == 0) continue;
    Payload& payload = payloads_[key];
    payload.all.add(bytes, stored);
    if (payload.all.records == 1) payload.first = payload.all;
  }
  uint64_t errors = 0;
  for (const warc::Finding& finding : reader.take_findings()) errors += finding.level == warc::Level::error ? 1 : 0;
  return errors;
}

ArchiveStatistics& ArchiveStatistics::operator+=(const ArchiveStatistics& other) {
  merge(types_, other.types_);
  merge(statuses_, other.statuses_);
  merge(mimes_, other.mimes_);
  merge(hosts_, other.hosts_);
  all_ += other.all_;
  for (const auto& [key, payload] : other.payloads_) {
    Payload& mine = payloads_[key];
    if (mine.all.records == 0) mine.first = payload.first;
    mine.all += payload.all;
  }
  return *this;
}

Amount ArchiveStatistics::repeated() const {
  Amount sum;
  for (const auto& [key, payload] : payloads_) {
    sum.records += payload.all.records - payload.first.records;
    sum.bytes += payload.all.bytes - payload.first.bytes;
    sum.stored += payload.all.stored - payload.first.stored;
  }
  return sum;
}

}  // namespace caddis::inspect
