#include "caddis/cdx/request_key.h"

#include <map>

#include <nlohmann/json.hpp>

#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/cdx/line.h"
#include "caddis/io/base32.h"

namespace caddis::cdx {
namespace {

constexpr int kDeepest = 64;

// "a=1&a.2_=2": fields in order, each with a name of its own.
class Fields {
 public:
  void add(const std::string& name, std::string_view value) {
    if (query_.size() > kMostKeyBody) return;
    const int number = ++numbers_[name];
    if (!query_.empty()) query_ += '&';
    query_ +=
        percent_encoded(number == 1 ? name : name + '.' + std::to_string(number) + '_') + '=' + percent_encoded(value);
  }
  std::string take() { return std::move(query_); }

 private:
  std::string query_;
  std::map<std::string, int> numbers_;
};

void flatten(const nlohmann::ordered_json& value, const std::string& name, int depth, Fields& fields) {
  if (depth > kDeepest) return;
  if (value.is_object()) {
    for (const auto& [inner, member] : value.items()) flatten(member, inner, depth + 1, fields);
  } else if (value.is_array()) {
    for (const auto& item : value) flatten(item, name, depth + 1, fields);
  } else if (!name.empty()) {
    fields.add(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
}

// The fields of a JSON value at any depth; nothing if it is none.
std::string json_query(std::string_view body) {
  Fields fields;
  const auto whole = nlohmann::ordered_json::parse(body, nullptr, false);
  if (!whole.is_discarded()) {
    flatten(whole, "", 0, fields);
    return fields.take();
  }
  return {};
}

// The parts of multipart/form-data (RFC 7578), without headers but their names.
std::string multipart_query(std::string_view body, const std::string& boundary) {
  Fields fields;
  const std::string mark = "--" + boundary;
  size_t at = body.find(mark);
  while (at != std::string_view::npos) {
    const size_t begin = at + mark.size();
    at = body.find(mark, begin);
    if (at == std::string_view::npos) break;
    const std::string_view part = body.substr(begin, at - begin);
    const size_t head_end = part.find("\r\n\r\n");
    if (head_end == std::string_view::npos) continue;
    const std::string_view head = part.substr(0, head_end);
    std::string_view value = part.substr(head_end + 4);
    if (value.ends_with("\r\n")) value.remove_suffix(2);
    const size_t name = head.find(" name=\"");
    if (name == std::string_view::npos) continue;
    const std::string_view rest = head.substr(name + 7);
    fields.add(std::string(rest.substr(0, rest.find('"'))), value);
  }
  return fields.take();
}

std::string parameter(std::string_view content_type, std::string_view name) {
  for (const std::string_view part : split(content_type, ';')) {
    const std::string_view one = trim(part);
    const size_t equals = one.find('=');
    if (equals == std::string_view::npos || !equals_ignore_case(one.substr(0, equals), name)) continue;
    std::string_view value = one.substr(equals + 1);
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"')) value = value.substr(1, value.size() - 2);
    return std::string(value);
  }
  return {};
}

}  // namespace

std::string key_body(std::string_view content_type, std::string_view body) {
  const std::string type = to_lower(trim(content_type.substr(0, content_type.find(';'))));
  std::string query;
  if (type == "application/x-www-form-urlencoded" && is_utf8(body))
    query = body.substr(0, kMostKeyBody);
  else if (type.starts_with("multipart/"))
    query = multipart_query(body, parameter(content_type, "boundary"));
  else if (type.ends_with("json") || type == "text/plain")
    query = json_query(body);
  if (query.empty()) query = key_body_of_bytes(body);
  return query.substr(0, kMostKeyBody);
}

std::string key_body_of_bytes(std::string_view body) {
  return "__wb_post_data=" + io::encode_base64(body.substr(0, kMostKeyBody)).substr(0, kMostKeyBody);
}

bool is_key_of_request(std::string_view urlkey) {
  for (const std::string_view mark : {"__wb_method=", "__warc_post_data="})
    for (size_t at = urlkey.find(mark); at != urlkey.npos; at = urlkey.find(mark, at + 1))
      if (at > 0 && (urlkey[at - 1] == '?' || urlkey[at - 1] == '&')) return true;
  return false;
}

std::string indexed_url(const Capture& capture) {
  if (!is_key_of_request(capture.urlkey)) return capture.url;
  const std::string_view method = field(capture, "method");
  if (!method.empty()) return request_url(capture.url, method, field(capture, "requestBody"));
  // The key is all that an index of CDX knows of it.
  return capture.url.substr(0, capture.url.find('?')) + capture.urlkey.substr(capture.urlkey.find('?'));
}

}  // namespace caddis::cdx
