#include "simweb/serve/dns_message.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"

namespace simweb {
namespace {

constexpr size_t max_records = 16;
constexpr uint16_t own_limit = 1232;  // without fragments on any path; what EDNS answers announce

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  // Reading past the end gives zeros and makes the reader bad.
  uint16_t u16() {
    const std::string_view two = take(2);
    return two.size() < 2 ? 0 : static_cast<uint16_t>(static_cast<uint8_t>(two[0]) << 8 | static_cast<uint8_t>(two[1]));
  }
  uint8_t u8() {
    const std::string_view one = take(1);
    return one.empty() ? 0 : static_cast<uint8_t>(one[0]);
  }
  std::string_view take(size_t size) {
    if (bad_ || bytes_.size() - at_ < size) {
      bad_ = true;
      return {};
    }
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  std::string name();
  void skip_name();
  void spoil() { bad_ = true; }
  bool bad() const { return bad_; }
  size_t at() const { return at_; }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
  bool bad_ = false;
};

std::string Reader::name() {
  std::string text;
  size_t wire_size = 1;
  for (;;) {
    const uint8_t length = u8();
    if (bad_ || length == 0) return text;
    wire_size += 1u + length;
    if (length > 63 || wire_size > 255) {
      bad_ = true;
      return text;
    }
    if (!text.empty()) text += '.';
    for (const char c : take(length)) {
      if (caddis::is_alnum(c) || c == '-' || c == '_')
        text += caddis::to_lower(c);
      else
        text += fmt::format("\\{:03}", static_cast<uint8_t>(c));
    }
  }
}

// A name that may end in a pointer, which is not followed.
void Reader::skip_name() {
  while (!bad_) {
    const uint8_t length = u8();
    if (length == 0) return;
    if (length >= 0xc0) {
      u8();
      return;
    }
    if (length > 63) bad_ = true;
    take(length);
  }
}

// What follows the question: only EDNS matters.
void read_further_records(Reader& reader, size_t count, DnsQuery& query) {
  for (size_t i = 0; i < count && !reader.bad(); ++i) {
    reader.skip_name();
    const uint16_t type = reader.u16();
    const uint16_t record_class = reader.u16();
    reader.take(4);
    reader.take(reader.u16());
    if (type != dns_type::opt || reader.bad()) continue;
    if (query.edns) return reader.spoil();  // a second one: RFC 6891 section 6.1.1
    query.edns = true;
    query.reply_limit = std::clamp<uint16_t>(record_class, 512, own_limit);
  }
}

class Writer {
 public:
  explicit Writer(std::string out) : out_(std::move(out)) {}
  void u16(uint16_t value) {
    out_ += static_cast<char>(value >> 8);
    out_ += static_cast<char>(value & 0xff);
  }
  void u32(uint32_t value) {
    u16(static_cast<uint16_t>(value >> 16));
    u16(static_cast<uint16_t>(value & 0xffff));
  }
  // Compressed against every name written before.
  void name(std::string_view name);
  // Lets later names point to `name`, whose labels stand uncompressed at `offset`.
  void remember(std::string_view name, size_t offset);
  void record(std::string_view owner, uint16_t type, uint32_t ttl, auto&& write_data) {
    name(owner);
    u16(type);
    u16(1);
    u32(ttl);
    const size_t size_at = out_.size();
    u16(0);
    write_data();
    const size_t size = out_.size() - size_at - 2;
    out_[size_at] = static_cast<char>(size >> 8);
    out_[size_at + 1] = static_cast<char>(size & 0xff);
  }
  std::string& out() { return out_; }

 private:
  struct Known {
    std::string name;
    uint16_t offset;
  };
  std::string out_;
  std::vector<Known> known_;
};

void Writer::remember(std::string_view name, size_t offset) {
  while (!name.empty() && offset < 0x4000) {
    known_.push_back({std::string(name), static_cast<uint16_t>(offset)});
    const size_t dot = name.find('.');
    // Where a label is escaped, text and wire differ in length: later labels are not where they seem.
    if (dot == std::string_view::npos || name.find('\\') != std::string_view::npos) return;
    name.remove_prefix(dot + 1);
    offset += dot + 1;
  }
}

void Writer::name(std::string_view name) {
  while (!name.empty()) {
    const auto known = std::ranges::find(known_, name, &Known::name);
    if (known != known_.end()) return u16(static_cast<uint16_t>(0xc000u | known->offset));
    if (out_.size() < 0x4000) known_.push_back({std::string(name), static_cast<uint16_t>(out_.size())});
    const std::string_view label = name.substr(0, name.find('.'));
    out_ += static_cast<char>(std::min<size_t>(label.size(), 63));
    out_ += label.substr(0, 63);
    name.remove_prefix(std::min(name.size(), label.size() + 1));
  }
  out_ += '\0';
}

std::string head(const DnsQuery& query, DnsCode code, bool truncated, size_t answers, size_t authorities) {
  constexpr uint16_t response = 0x8000, authoritative = 0x0400, truncation = 0x0200, desired = 0x0100,
                     available = 0x0080;
  Writer writer("");
  writer.u16(query.id);
  writer.u16(static_cast<uint16_t>(response | authoritative | available | (truncated ? truncation : 0) |
                                   (query.recursion_desired ? desired : 0) | static_cast<uint16_t>(code)));
  writer.u16(query.question.empty() ? 0 : 1);
  writer.u16(static_cast<uint16_t>(answers));
  writer.u16(static_cast<uint16_t>(authorities));
  writer.u16(query.edns ? 1 : 0);
  return std::move(writer.out()) + query.question;
}

void write_answer(Writer& writer, const DnsRecord& record) {
  writer.record(record.name, record.type, record.ttl, [&] {
    if (record.type == dns_type::cname || record.type == dns_type::ns)
      writer.name(record.data);
    else
      writer.out() += record.data;
  });
}

void write_soa(Writer& writer, const DnsReply& reply) {
  writer.record(reply.zone, dns_type::soa, reply.negative_ttl, [&] {
    writer.name("ns." + reply.zone);
    writer.name("hostmaster." + reply.zone);
    for (const uint32_t value : {1u, 3600u, 600u, 86400u, reply.negative_ttl}) writer.u32(value);
  });
}

void write_edns(Writer& writer) {
  writer.out() += '\0';
  writer.u16(dns_type::opt);
  writer.u16(own_limit);
  writer.u32(0);
  writer.u16(0);
}

}  // namespace

std::optional<DnsQuery> parse_dns_query(std::string_view bytes) {
  if (bytes.size() < 12 || (bytes[2] & 0x80) != 0) return std::nullopt;
  Reader reader(bytes);
  DnsQuery query;
  query.id = reader.u16();
  const uint16_t flags = reader.u16();
  query.recursion_desired = (flags & 0x0100) != 0;
  const uint16_t questions = reader.u16();
  const size_t further = size_t{reader.u16()} + reader.u16() + reader.u16();
  if ((flags & 0x7800) != 0) {
    query.error = DnsCode::not_implemented;
    return query;
  }
  query.name = reader.name();
  query.type = reader.u16();
  query.record_class = reader.u16();
  if (questions == 1 && !reader.bad()) query.question = bytes.substr(12, reader.at() - 12);
  if (further > max_records) reader.spoil();
  read_further_records(reader, further, query);
  if (questions != 1 || reader.bad()) query.error = DnsCode::format_error;
  return query;
}

std::string encode_dns_reply(const DnsQuery& query, const DnsReply& reply) {
  const bool negative = !query.question.empty() && !reply.zone.empty();
  Writer writer(head(query, reply.code, false, reply.answers.size(), negative ? 1 : 0));
  if (!query.question.empty()) writer.remember(query.name, 12);
  for (const DnsRecord& record : reply.answers) write_answer(writer, record);
  if (negative) write_soa(writer, reply);
  if (query.edns) write_edns(writer);
  if (writer.out().size() <= query.reply_limit) return std::move(writer.out());
  Writer cut(head(query, reply.code, true, 0, 0));
  if (query.edns) write_edns(cut);
  return std::move(cut.out());
}

}  // namespace simweb
