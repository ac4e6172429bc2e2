#include "caddis/dns/message.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include "caddis/base/strings.h"

namespace caddis::dns {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  Result<uint16_t> u16() {
    if (bytes_.size() - at_ < 2) return cut();
    at_ += 2;
    return static_cast<uint16_t>(byte(at_ - 2) << 8 | byte(at_ - 1));
  }
  Result<uint32_t> u32() {
    TRY(const uint32_t high, u16());
    TRY(const uint32_t low, u16());
    return high << 16 | low;
  }
  Result<std::string_view> take(size_t size) {
    if (bytes_.size() - at_ < size) return cut();
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  // A name, in presentation form; what follows is what follows its first pointer, if it has one.
  Result<std::string> name();
  size_t at() const { return at_; }
  void go_to(size_t at) { at_ = at; }

 private:
  unsigned byte(size_t at) const { return static_cast<unsigned char>(bytes_[at]); }
  std::unexpected<Error> cut() const { return fail(ErrorCode::parse, "the DNS message breaks off"); }

  std::string_view bytes_;
  size_t at_ = 0;
};

void append_label(std::string& out, std::string_view label) {
  for (const char c : label) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '.' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code <= 0x20 || code >= 0x7f) {
      out += fmt::format("\\{:03}", code);
    } else {
      out += c;
    }
  }
  out += '.';
}

Result<std::string> Reader::name() {
  std::string text;
  size_t wire_size = 1;
  size_t limit = at_;  // pointers lead to before this, so that they end
  size_t after = 0;    // where reading goes on after the first pointer
  for (;;) {
    TRY(const std::string_view head, take(1));
    const auto length = static_cast<unsigned char>(head[0]);
    if (length == 0) break;
    if (length >= 0xc0) {
      TRY(const std::string_view low, take(1));
      const size_t target = (length & 0x3fu) << 8 | static_cast<unsigned char>(low[0]);
      if (after == 0) after = at_;
      if (target >= limit) return fail(ErrorCode::parse, "a DNS name points forwards");
      limit = at_ = target;
      continue;
    }
    if (length > 63) return fail(ErrorCode::parse, "a DNS label of unknown kind");
    wire_size += 1u + length;
    if (wire_size > 255) return fail(ErrorCode::parse, "a DNS name of more than 255 bytes");
    TRY(const std::string_view label, take(length));
    append_label(text, label);
  }
  if (after != 0) at_ = after;
  return text.empty() ? "." : text;
}

std::string address_text(int family, std::string_view data) {
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(family, data.data(), text, sizeof(text));
  return text;
}

// The data in presentation form; the reader stands at its begin.
Result<std::string> data_text(Reader& reader, Type type, size_t size) {
  const size_t end = reader.at() + size;
  switch (type) {
    case Type::ns:
    case Type::cname:
    case Type::ptr:
    case Type::dname: {
      TRY(std::string name, reader.name());
      if (reader.at() != end) return fail(ErrorCode::parse, "a DNS record of the wrong size");
      return name;
    }
    default:
      break;
  }
  TRY(const std::string_view data, reader.take(size));
  if (type == Type::a && size == 4) return address_text(AF_INET, data);
  if (type == Type::aaaa && size == 16) return address_text(AF_INET6, data);
  return fmt::format("\\# {} {}", size, to_hex(data));
}

Result<Record> read_record(Reader& reader) {
  Record record;
  TRY(record.name, reader.name());
  TRY(const uint16_t type, reader.u16());
  record.type = static_cast<Type>(type);
  TRY(record.record_class, reader.u16());
  TRY(record.ttl, reader.u32());
  if (record.ttl > 0x7fff'ffff) record.ttl = 0;  // RFC 2181 section 8
  TRY(const uint16_t size, reader.u16());
  TRY(record.data, data_text(reader, record.type, size));
  return record;
}

std::string type_name(Type type) {
  switch (type) {
    case Type::a:
      return "A";
    case Type::ns:
      return "NS";
    case Type::cname:
      return "CNAME";
    case Type::ptr:
      return "PTR";
    case Type::aaaa:
      return "AAAA";
    case Type::dname:
      return "DNAME";
  }
  return fmt::format("TYPE{}", static_cast<int>(type));
}

}  // namespace

Result<Message> parse_message(std::string_view bytes) {
  Reader reader(bytes);
  Message message;
  TRY_VOID(reader.u16());  // id
  TRY(const uint16_t flags, reader.u16());
  message.response_code = flags & 15;
  TRY(const uint16_t questions, reader.u16());
  TRY(const uint16_t answers, reader.u16());
  TRY_VOID(reader.u32());  // authorities, additional records
  for (int i = 0; i < questions; ++i) {
    TRY_VOID(reader.name());
    TRY_VOID(reader.u32());
  }
  for (int i = 0; i < answers; ++i) {
    TRY(Record record, read_record(reader));
    message.answers.push_back(std::move(record));
  }
  return message;
}

Result<std::string> query_message(std::string_view name, Type type) {
  constexpr size_t kLongestName = 255, kLongestLabel = 63;
  using namespace std::string_literals;
  std::string message = "\0\0\1\0\0\1\0\0\0\0\0\0"s;
  std::string wire;
  std::string_view rest = name;
  if (rest.ends_with('.')) rest.remove_suffix(1);
  const auto no_name = [name] {
    return fail(ErrorCode::not_found, fmt::format("{} is no name that DNS can ask for", name));
  };
  for (const std::string_view label : split(rest, '.')) {
    if (label.empty() || label.size() > kLongestLabel) return no_name();
    wire += static_cast<char>(label.size());
    wire += label;
  }
  wire += '\0';
  if (wire.size() > kLongestName) return no_name();
  message += wire;
  const auto number = static_cast<uint16_t>(type);
  message += static_cast<char>(number >> 8);
  message += static_cast<char>(number & 0xff);
  return message + "\0\1"s;
}

std::string to_string(const Record& record) {
  const std::string record_class = record.record_class == 1 ? "IN" : fmt::format("CLASS{}", record.record_class);
  return fmt::format("{}\t{}\t{}\t{}\t{}", record.name, record.ttl, record_class, type_name(record.type), record.data);
}

}  // namespace caddis::dns
