#include "caddis/replay/post_key.h"

#include <map>
#include <nlohmann/json.hpp>

#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"
#include "caddis/http/media_type.h"
#include "caddis/io/base32.h"
#include "caddis/url/percent.h"

namespace caddis::replay {
namespace {

constexpr size_t kMostOfBody = 64 * 1024;
constexpr size_t kMostOfKey = 4096;
constexpr int kMostDepth = 32;

// The leaves of a JSON document as a form. A name that comes again gets a number: "a=1&a.2_=2".
class Leaves {
 public:
  std::string form;

  void add(const nlohmann::ordered_json& value, const std::string& name, int depth) {
    if (depth > kMostDepth) return;
    if (value.is_object()) {
      for (const auto& [key, inner] : value.items()) add(inner, key, depth + 1);
    } else if (value.is_array()) {
      for (const auto& inner : value) add(inner, name, depth + 1);
    } else {
      const int times = ++seen_[name];
      append(name + (times > 1 ? '.' + std::to_string(times) + '_' : ""));
      form += '=';
      append(value.is_string() ? value.get<std::string>()
                               : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
  }

 private:
  void append(std::string_view text) {
    if (!form.empty() && form.back() != '=') form += '&';
    url::append_escaped(form, text, url::kC0ControlSet.with(" &=#%+"));
  }

  std::map<std::string, int> seen_;
};

}  // namespace

std::vector<std::string> post_urls(std::string_view url, std::string_view content_type, std::string_view body) {
  std::vector<std::string> urls;
  if (body.size() > kMostOfBody) return urls;
  const auto add = [&](std::string_view query) {
    urls.push_back(cdx::request_url(url, "POST", query.substr(0, kMostOfKey)));
  };
  const std::string type = http::parse_media_type(content_type).essence;
  if (type == "application/x-www-form-urlencoded") add(body);
  if (type.ends_with("json") || type == "text/plain") {
    Leaves leaves;
    const auto json = nlohmann::ordered_json::parse(body, nullptr, false);
    if (!json.is_discarded()) leaves.add(json, "", 0);
    if (!leaves.form.empty()) add(leaves.form);
  }
  add("__wb_post_data=" + io::encode_base64(body));
  return urls;
}

}  // namespace caddis::replay
