#include "caddis/wacz/datapackage.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "caddis/base/strings.h"
#include "caddis/io/files.h"

namespace caddis::wacz {
namespace {

using nlohmann::json;

std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<uint64_t> number_of(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<uint64_t>();
}

Result<json> parse_object(std::string_view text, const char* what) {
  if (text.size() > kLargestDescription) return fail(ErrorCode::limit, std::string(what) + " is larger than 64 MiB");
  json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return fail(ErrorCode::parse, std::string(what) + " is no JSON object");
  return object;
}

bool is_of_name(char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || std::string_view("-._/").contains(c); }

}  // namespace

std::string resource_name(std::string_view path) {
  std::string name = to_lower(io::base_name(path));
  for (char& c : name)
    if (!is_of_name(c)) c = '-';
  return name;
}

bool is_resource_name(std::string_view name) { return std::ranges::all_of(name, is_of_name); }

Result<DataPackage> parse_datapackage(std::string_view text) {
  TRY(const json object, parse_object(text, "datapackage.json"));
  DataPackage package{text_of(object, "profile"),     text_of(object, "wacz_version"), text_of(object, "title"),
                      text_of(object, "description"), text_of(object, "created"),      {}};
  const auto resources = object.find("resources");
  if (resources == object.end() || !resources->is_array())
    return fail(ErrorCode::parse, "datapackage.json has no list 'resources'");
  for (const json& one : *resources) {
    if (!one.is_object()) return fail(ErrorCode::parse, "datapackage.json: a resource that is no object");
    package.resources.push_back(
        {text_of(one, "name"), text_of(one, "path"), text_of(one, "hash"), number_of(one, "bytes")});
  }
  return package;
}

Result<PackageDigest> parse_digest(std::string_view text) {
  TRY(const json object, parse_object(text, "datapackage-digest.json"));
  PackageDigest digest{text_of(object, "path"), text_of(object, "hash"), std::nullopt};
  const auto data = object.find("signedData");
  if (data == object.end() || !data->is_object()) return digest;
  digest.signed_data = {text_of(*data, "hash"),    text_of(*data, "created"),   text_of(*data, "software"),
                        text_of(*data, "version"), text_of(*data, "signature"), text_of(*data, "publicKey"),
                        text_of(*data, "domain"),  text_of(*data, "domainCert")};
  return digest;
}

Result<PageLine> parse_page_line(std::string_view line) {
  TRY(const json object, parse_object(line, "a line of pages"));
  return PageLine{text_of(object, "format"), text_of(object, "url"), text_of(object, "ts")};
}

Result<MemberPlace> parse_member_place(std::string_view line) {
  const size_t brace = line.find(" {");
  if (brace == std::string_view::npos) return fail(ErrorCode::parse, "no line of the form 'key timestamp {json}'");
  TRY(const json object, parse_object(line.substr(brace + 1), "a line of the index"));
  const auto offset = number_of(object, "offset"), length = number_of(object, "length");
  if (!offset || !length) return fail(ErrorCode::parse, "a member without offset or length");
  return MemberPlace{std::string(line.substr(0, brace)), *offset, *length, text_of(object, "digest")};
}

}  // namespace caddis::wacz
