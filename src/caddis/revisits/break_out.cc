#include "caddis/revisits/break_out.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/io/digest.h"
#include "caddis/revisits/record_fields.h"
#include "caddis/revisits/stored_payload.h"
#include "caddis/warc/digest_check.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/views.h"
#include "caddis/warc/writer.h"

namespace caddis::revisits {
namespace {

using Place = OriginalPlaces::Place;
using Profile = warc::Revisit::Profile;

constexpr uint64_t kInMemory = 8 << 20;
constexpr uint64_t kMaxHead = 1 << 20;

Result<void> each_record(io::Files& files, const std::string& path, const ReadProgress& progress,
                         const std::function<void(const warc::Record&)>& use) {
  TRY(const auto file, files.open_read(path));
  const warc::FileSource source(*file);
  warc::Reader reader(source);
  for (uint64_t told = 0;;) {
    auto record = reader.next();
    if (!record) return pass(std::move(record).error(), path);
    (void)reader.take_findings();
    if (*record == nullptr) return {};
    TRY_VOID((*record)->finish());
    use(**record);
    const uint64_t at = (*record)->offset() + (*record)->length();
    if (progress && at > told) progress(at - std::exchange(told, at));
  }
}

// The id of the response that a revisit becomes: a name-based UUID (RFC 9562, 5.5), so that it is the same each time.
std::string new_id(const warc::Header& revisit) {
  std::string raw = io::sha1(
      fmt::format("caddis warc break-out {} {} {}", revisit.id(), revisit.get("WARC-Date"), revisit.target_uri()));
  raw.resize(16);
  raw[6] = static_cast<char>((raw[6] & 0x0F) | 0x50);
  raw[8] = static_cast<char>((raw[8] & 0x3F) | 0x80);
  std::string id = to_hex(raw);
  for (const size_t at : {8, 13, 18, 23}) id.insert(at, 1, '-');
  return "<urn:uuid:" + id + ">";
}

// Why the block cannot be trusted; empty if its digest holds, or there is none that can be verified.
std::string flaw_of_block(const warc::Header& header, std::string_view block) {
  std::string flaw;
  warc::DigestCheck check([&flaw](warc::Level level, const std::string&, std::string message, const std::string&) {
    if (level == warc::Level::error) flaw = std::move(message);
  });
  check.begin(header);
  check.feed(block);
  (void)check.finish(true);
  return flaw;
}

class BreakOut {
 public:
  BreakOut(io::Files& files, const std::string& path, const BreakOutOptions& options, const OriginalPlaces& places,
           const std::vector<std::string>& sources)
      : files_(files), path_(path), options_(options), places_(places), sources_(sources) {}
  BreakOut(const BreakOut&) = delete;
  BreakOut& operator=(const BreakOut&) = delete;

  Result<void> use(warc::Record& record, warc::RecordCopy& copy) {
    if (record.type() != warc::RecordType::revisit) return keep(record, copy, {});
    // Nobody writes bodies into revisits; such a record stays as it is.
    if (record.content_length() > kMaxHead) return stay(record, "its block is no HTTP head", copy, {});
    TRY(const std::string block, record.read_all(kMaxHead));
    TRY_VOID(record.finish());
    if (!record.complete()) return keep(record, copy, block);
    if (const std::string flaw = flaw_of_block(record.header(), block); !flaw.empty())
      return stay(record, flaw, copy, block);
    const auto original = original_of(record.header());
    if (!original) return stay(record, original.error().message, copy, block);
    return put_back(record.header(), block, *original, copy);
  }
  const BreakOutReport& report() const { return report_; }

 private:
  Result<void> stay(warc::Record& record, std::string_view why, warc::RecordCopy& copy, std::string_view front) {
    ++report_.unresolved;
    options_.how.report({record.offset(), warc::Level::error, "revisit-unresolved",
                         fmt::format("the revisit of {} stays one: {}", record.header().target_uri(), why),
                         "name the folder with its original by --from"});
    return keep(record, copy, front);
  }

  // The file that was asked for last stays open: neighbours often refer to one file.
  Result<const io::File*> open(uint32_t number) {
    if (open_ == nullptr || open_number_ != number) {
      TRY(open_, files_.open_read(sources_[number]));
      open_number_ = number;
    }
    return open_.get();
  }

  // The first of those that may be it whose payload has the right digest.
  Result<StoredPayload> original_of(const warc::Header& header) {
    if (warc::Revisit(header).profile() == Profile::unknown)
      return fail(ErrorCode::unsupported, fmt::format("its profile '{}' is unknown", header.get("WARC-Profile")));
    std::string why = "its original is in none of the files";
    for (const Place& place : places_.places_of(header)) {
      auto original = open_original(place, header.payload_digest());
      if (original) return original;
      why = fmt::format("{}, at offset {}: {}", sources_[place.file], place.offset, original.error().message);
    }
    return fail(ErrorCode::not_found, std::move(why));
  }

  Result<StoredPayload> open_original(const Place& place, std::string_view digest) {
    TRY(const io::File* const file, open(place.file));
    return StoredPayload::open(*file, place.offset, digest);
  }

  Result<void> put_back(const warc::Header& revisit, const std::string& block, const StoredPayload& original,
                        warc::RecordCopy& copy) {
    const bool may_have_head =
        warc::is_http(revisit) && warc::Revisit(revisit).profile() == Profile::identical_payload_digest;
    // A payload behind a head that never ends would become a part of it.
    const auto own_end = may_have_head ? warc::HttpHead::find_end(block) : std::nullopt;
    const std::string head = own_end ? block.substr(0, *own_end) : original.http_head();
    const uint64_t size = original.size_below(head);
    io::Sha1 digest;
    digest.update(head);
    TRY_VOID(original.give_below(head, [&](std::string_view piece) -> Result<void> {
      digest.update(piece);
      return {};
    }));
    const std::string id = new_id(revisit);
    if (!revisit.id().empty()) replaced_[std::string(revisit.id())] = id.substr(1, id.size() - 2);
    const auto fields = fields_of(revisit, original, id, head.empty(), io::digest_label(digest.finish()));
    ++report_.responses;
    report_.put_back += size;
    return write(fields.header_block(head.size() + size), head, size, original, copy);
  }

  static warc::RecordFields fields_of(const warc::Header& revisit, const StoredPayload& original, std::string_view id,
                                      bool is_resource, std::string_view block_digest) {
    const std::string_view date = revisit.get("WARC-Date");
    const std::string_view own_type = warc::is_http(revisit) ? std::string_view() : revisit.content_type();
    const std::string_view type = own_type.empty() ? original.header().content_type() : own_type;
    auto fields = is_resource ? warc::RecordFields::resource(id, date, revisit.target_uri(), type)
                              : warc::RecordFields::response(id, date, revisit.target_uri());
    const bool has_own_type = warc::is_http(revisit) && !revisit.content_type().empty();
    if (!is_resource) fields.content_type(has_own_type ? revisit.content_type() : warc::kHttpResponse);
    fields.payload_digest(revisit.payload_digest().empty() ? original.header().payload_digest()
                                                           : revisit.payload_digest());
    keep_other_fields(revisit, fields);
    fields.block_digest(block_digest).field("WARC-Truncated", original.header().truncated());
    return fields;
  }

  static Result<void> write(std::string header, const std::string& head, uint64_t size, const StoredPayload& original,
                            warc::RecordCopy& copy) {
    if (head.size() + size > kInMemory) {
      return copy.add_large(header, head.size() + size, [&](const warc::RecordCopy::Sink& sink) -> Result<void> {
        TRY_VOID(sink(head));
        return original.give_below(head, sink);
      });
    }
    header += head;
    TRY_VOID(original.give_below(head, [&](std::string_view piece) -> Result<void> {
      header += piece;
      return {};
    }));
    return copy.add(std::move(header));
  }

  Result<void> keep(warc::Record& record, warc::RecordCopy& copy, std::string_view front) {
    TRY(const bool whole, copy.copy(record, with_new_names(record), front));
    return whole ? Result<void>()
                 : fail(ErrorCode::corrupt,
                        fmt::format("{}: the record at offset {} is damaged or cut", path_, record.offset()));
  }

  // Its header, where it names a revisit that has become a response.
  std::string with_new_names(const warc::Record& record) const {
    std::string header = record.header_bytes();
    for (size_t i = 0; i < record.header().size(); ++i) {
      const auto [name, value] = record.header()[i];
      const bool is_reference =
          equals_ignore_case(name, "WARC-Concurrent-To") || equals_ignore_case(name, "WARC-Refers-To");
      if (!is_reference || !value.starts_with('<') || !value.ends_with('>')) continue;
      const std::string old(value.substr(1, value.size() - 2));
      const auto replaced = replaced_.find(old);
      const size_t at = replaced == replaced_.end() ? std::string::npos : header.find(": <" + old + ">");
      if (at != std::string::npos) header.replace(at + 3, old.size(), replaced->second);
    }
    return header;
  }

  io::Files& files_;
  const std::string& path_;
  const BreakOutOptions& options_;
  const OriginalPlaces& places_;
  const std::vector<std::string>& sources_;
  std::unique_ptr<io::File> open_;
  uint32_t open_number_ = Place::kNone;
  std::unordered_map<std::string, std::string> replaced_;  // ids, without brackets
  BreakOutReport report_;
};

}  // namespace

Result<void> want_originals(io::Files& files, const std::string& file, OriginalPlaces& places,
                            const ReadProgress& progress) {
  return each_record(files, file, progress, [&](const warc::Record& record) {
    if (record.type() == warc::RecordType::revisit) places.want(record.header());
  });
}

Result<void> offer_originals(io::Files& files, const std::string& file, uint32_t number, OriginalPlaces& places,
                             const ReadProgress& progress) {
  return each_record(files, file, progress, [&](const warc::Record& record) {
    const bool has_payload = record.type() == warc::RecordType::response || record.type() == warc::RecordType::resource;
    // One that shares its member has no address.
    const bool can_be_read = record.complete() && record.length() > 0 && record.offset_in_member() == 0;
    if (has_payload && can_be_read && !record.header().has("WARC-Segment-Number"))
      places.offer(record.header(), {number, record.offset()});
  });
}

Result<BreakOutReport> break_out_file(io::Files& files, const std::string& from, const std::string& to,
                                      const BreakOutOptions& options, const OriginalPlaces& places,
                                      const std::vector<std::string>& sources) {
  BreakOut break_out(files, from, options, places, sources);
  const UseRecord use = [&](warc::Record& record, const io::File&, warc::RecordCopy& copy) {
    return break_out.use(record, copy);
  };
  TRY(const RewriteReport file, rewrite_file(files, from, to, options.how, use));
  BreakOutReport report = break_out.report();
  static_cast<RewriteReport&>(report) = file;
  return report;
}

}  // namespace caddis::revisits
