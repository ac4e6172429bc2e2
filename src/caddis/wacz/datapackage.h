// datapackage.json and datapackage-digest.json of a package, as they are read. Pure functions, any thread; bounded by the
// text, which has kLargestDescription bytes at most.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::wacz {

inline constexpr uint64_t kLargestDescription = 64 << 20;

struct Resource {
  std::string name, path, hash;
  std::optional<uint64_t> bytes;
};

// The name of a resource at `path`, and whether that is one: small letters, digits, '-', '.', '_' and '/' (the schema of
// Frictionless).
std::string resource_name(std::string_view path);
bool is_resource_name(std::string_view name);

struct DataPackage {
  std::string profile, version, title, description, created;
  std::vector<Resource> resources;
};
Result<DataPackage> parse_datapackage(std::string_view text);

struct SignedData {
  std::string hash, created, software, version, signature;
  std::string public_key;            // of an anonymous signature
  std::string domain, domain_chain;  // of one by a domain
};
struct PackageDigest {
  std::string path, hash;
  std::optional<SignedData> signed_data;
};
Result<PackageDigest> parse_digest(std::string_view text);

// A line of a list of pages: empty strings where it has none. ErrorCode::parse for what is no JSON object.
struct PageLine {
  std::string format, url, ts;
};
Result<PageLine> parse_page_line(std::string_view line);

// A line of the index of an index: "key timestamp {json}".
struct MemberPlace {
  std::string first;  // what the first line of the member begins with
  uint64_t offset = 0, length = 0;
  std::string digest;
};
Result<MemberPlace> parse_member_place(std::string_view line);

}  // namespace caddis::wacz
