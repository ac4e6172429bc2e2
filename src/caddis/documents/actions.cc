#include "caddis/documents/actions.h"

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/documents/byte_reader.h"

namespace caddis::documents {
namespace {

void add_address(std::string_view url, LinkCollector& links) {
  constexpr std::string_view kScript = "javascript:";
  if (starts_with_ignore_case(url, kScript)) return links.add_quoted(url.substr(kScript.size()));
  if (starts_with_ignore_case(url, "FSCommand:") || starts_with_ignore_case(url, "print:")) return;
  links.add(url, LinkKind::embed);
}

class ActionReader {
 public:
  explicit ActionReader(LinkCollector& links) : links_(links) {}

  void read(std::string_view actions) {
    constexpr uint8_t kWithBody = 0x80;
    for (ByteReader reader(actions); !reader.at_end() && !reader.overran();) {
      const uint8_t code = reader.u8();
      const std::string_view body = code >= kWithBody ? reader.take(reader.u16()) : std::string_view();
      read_action(code, body);
    }
  }

 private:
  void read_action(uint8_t code, std::string_view body) {
    constexpr uint8_t kGetUrl = 0x83, kConstants = 0x88, kPush = 0x96, kGetUrl2 = 0x9A;
    if (code == kPush) return read_push(body);
    if (code == kGetUrl) add_address(ByteReader(body).text(), links_);
    if (code == kConstants) read_constants(body);
    // Address and target are on the stack; they are known if they were pushed just before.
    if (code == kGetUrl2 && stack_.size() >= 2) add_address(stack_[stack_.size() - 2], links_);
    stack_.clear();
  }

  void read_constants(std::string_view body) {
    ByteReader reader(body);
    const size_t count = reader.u16();
    constants_.clear();
    while (constants_.size() < count && !reader.at_end()) {
      constants_.push_back(reader.text());
      links_.add_text(constants_.back());
    }
  }

  void read_push(std::string_view body) {
    // Bytes of each kind of value; 0 is a text, 8 and 9 are constants.
    constexpr size_t kSizes[] = {0, 4, 0, 0, 1, 1, 8, 4};
    for (ByteReader reader(body); !reader.at_end();) {
      const uint8_t kind = reader.u8();
      if (kind == 0) {
        stack_.push_back(reader.text());
        links_.add_text(stack_.back());
      } else if (kind == 8 || kind == 9) {
        const size_t number = kind == 8 ? reader.u8() : reader.u16();
        stack_.push_back(number < constants_.size() ? constants_[number] : std::string_view());
      } else if (kind < std::size(kSizes)) {
        reader.skip(kSizes[kind]);
        stack_.emplace_back();
      } else {
        return;
      }
    }
  }

  LinkCollector& links_;
  std::vector<std::string_view> constants_;
  std::vector<std::string_view> stack_;  // what was pushed lately; empty for what is no text
};

// A number of seven bits a byte, five bytes at most.
uint32_t number(ByteReader& reader) {
  uint32_t value = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    const uint8_t byte = reader.u8();
    value |= static_cast<uint32_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) break;
  }
  return value;
}

// A pool of `count` has one entry less: the first one is implied.
size_t pool_size(ByteReader& reader) {
  const uint32_t count = number(reader);
  return count == 0 ? 0 : count - 1;
}

}  // namespace

void read_actions(std::string_view actions, LinkCollector& links) { ActionReader(links).read(actions); }

void read_abc(std::string_view block, LinkCollector& links) {
  ByteReader reader(block);
  reader.skip(4);
  for (int pool = 0; pool < 2; ++pool)
    for (size_t left = pool_size(reader); left > 0 && !reader.at_end(); --left) (void)number(reader);
  constexpr size_t kDouble = 8;
  if (const size_t doubles = pool_size(reader); doubles > 0) reader.skip(doubles * kDouble);
  std::vector<std::string_view> strings = {""};
  for (size_t left = pool_size(reader); left > 0 && !reader.at_end(); --left) {
    const size_t length = number(reader);
    strings.push_back(reader.take(length));
  }
  std::unordered_set<uint32_t> namespaces;
  for (size_t left = pool_size(reader); left > 0 && !reader.at_end(); --left) {
    reader.skip(1);
    namespaces.insert(number(reader));
  }
  for (uint32_t i = 0; i < strings.size(); ++i)
    if (!namespaces.contains(i)) links.add_text(strings[i]);
}

}  // namespace caddis::documents
