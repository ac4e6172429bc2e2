#include "caddis/cdx/request_key.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/cdx/line.h"
#include "caddis/io/base32.h"

namespace caddis::cdx {
namespace {

constexpr size_t kDeepest = 64;

// "a=1&a.2_=2": fields in order, each with a name of its own.
class Fields {
 public:
  void add(const std::string& name, std::string_view value) {
    if (are_enough()) return;
    const int number = ++numbers_[name];
    if (!query_.empty()) query_ += '&';
    query_ +=
        percent_encoded(number == 1 ? name : name + '.' + std::to_string(number) + '_') + '=' + percent_encoded(value);
  }
  bool are_enough() const { return query_.size() > kMostKeyBody; }
  std::string take() { return std::move(query_); }

 private:
  std::string query_;
  std::map<std::string, int> numbers_;
};

// Gives the fields of a JSON value at any depth, in their order, and stops when there are enough. A field has the name
// that stands next to it; the values of a list have that of the list.
class JsonFields final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonFields(Fields& fields) : fields_(fields) {}

  bool null() override { return add("null"); }
  bool boolean(bool value) override { return add(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return add(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(std::to_string(value)); }
  bool number_float(number_float_t value, const string_t&) override { return add(nlohmann::json(value).dump()); }
  bool string(string_t& value) override { return add(value); }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    names_.back() = std::make_shared<const std::string>(std::move(name));
    return true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

 private:
  bool open() {
    names_.push_back(names_.back());
    return true;
  }
  bool close() {
    names_.pop_back();
    return true;
  }
  bool add(std::string_view value) {
    if (names_.back()->empty() || names_.size() > kDeepest) return true;
    fields_.add(*names_.back(), value);
    return !fields_.are_enough();
  }

  Fields& fields_;
  std::vector<std::shared_ptr<const std::string>> names_ = {std::make_shared<const std::string>()};
};

// Empty if it is none. The rest is not looked at if there are enough fields.
std::string json_query(std::string_view body) {
  Fields fields;
  JsonFields reader(fields);
  const bool is_whole = nlohmann::json::sax_parse(body.begin(), body.end(), &reader);
  return is_whole || fields.are_enough() ? fields.take() : std::string();
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
  body = body.substr(0, kMostKeyInput);
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
  const size_t query = urlkey.find('?');
  if (query == urlkey.npos) return false;
  for (const std::string_view part : split(urlkey.substr(query + 1), '&'))
    if (part.starts_with("__wb_method=") || part.starts_with("__warc_post_data=")) return true;
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
