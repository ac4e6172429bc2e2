// Writes small files in the MaxMind DB format, for tests: networks of IPv4 with a country each.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caddis::testing {

// The data section: maps, texts and numbers with their control bytes. Nothing here is longer than 28.
namespace mmdb {

inline std::string text(std::string_view value) {
  return static_cast<char>(2 << 5 | static_cast<int>(value.size())) + std::string(value);
}
inline std::string map(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string out(1, static_cast<char>(7 << 5 | static_cast<int>(entries.size())));
  for (const auto& [name, value] : entries) out += text(name) + value;
  return out;
}
// A number of two or four bytes (types 5 and 6).
inline std::string number(int type, uint32_t value) {
  const int bytes = type == 5 ? 2 : 4;
  std::string out(1, static_cast<char>(type << 5 | bytes));
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
  return out;
}
// Eight bytes: an extended type, 9.
inline std::string number64(uint64_t value) {
  std::string out = {static_cast<char>(8), static_cast<char>(2)};
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
  return out;
}

}  // namespace mmdb

struct CountryNetwork {
  std::array<uint8_t, 4> address;
  unsigned prefix = 24;
  std::string country;
};

// `is_nested`: as MaxMind has it, {country: {iso_code: "AT"}}; otherwise {country_code: "AT"}.
inline std::string country_file(const std::vector<CountryNetwork>& networks, bool is_nested = true) {
  // Records are node numbers; -1: nothing is known; -2 - i: the i-th network.
  std::vector<std::array<int, 2>> nodes = {{-1, -1}};
  for (size_t i = 0; i < networks.size(); ++i) {
    size_t node = 0;
    for (unsigned bit = 0; bit < networks[i].prefix; ++bit) {
      const int side = networks[i].address[bit / 8] >> (7 - bit % 8) & 1;
      if (bit + 1 == networks[i].prefix) {
        nodes[node][static_cast<size_t>(side)] = -2 - static_cast<int>(i);
      } else {
        if (nodes[node][static_cast<size_t>(side)] < 0) {
          nodes[node][static_cast<size_t>(side)] = static_cast<int>(nodes.size());
          nodes.push_back({-1, -1});
        }
        node = static_cast<size_t>(nodes[node][static_cast<size_t>(side)]);
      }
    }
  }
  std::string data;
  std::vector<size_t> offsets;
  for (const CountryNetwork& network : networks) {
    offsets.push_back(data.size());
    const std::string code = mmdb::text(network.country);
    data += is_nested ? mmdb::map({{"country", mmdb::map({{"iso_code", code}})}}) : mmdb::map({{"country_code", code}});
  }
  std::string file;
  for (const auto& node : nodes)
    for (const int record : node) {
      const size_t value = record >= 0    ? static_cast<size_t>(record)
                           : record == -1 ? nodes.size()
                                          : nodes.size() + 16 + offsets[static_cast<size_t>(-2 - record)];
      for (int shift = 16; shift >= 0; shift -= 8) file += static_cast<char>(value >> shift & 0xff);
    }
  file += std::string(16, '\0') + data + "\xab\xcd\xefMaxMind.com";
  file += mmdb::map({{"binary_format_major_version", mmdb::number(5, 2)},
                     {"binary_format_minor_version", mmdb::number(5, 0)},
                     {"build_epoch", mmdb::number64(1'790'000'000)},
                     {"database_type", mmdb::text("Country")},
                     {"description", mmdb::map({})},
                     {"ip_version", mmdb::number(5, 4)},
                     {"languages", std::string("\x00\x04", 2)},
                     {"node_count", mmdb::number(6, static_cast<uint32_t>(nodes.size()))},
                     {"record_size", mmdb::number(5, 24)}});
  return file;
}

}  // namespace caddis::testing
