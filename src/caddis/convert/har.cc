// HAR 1.2: {"log": {"entries": [{"startedDateTime", "request": {…}, "response": {"content": {"text", "encoding"}, …}}]}}.
#include <nlohmann/json.hpp>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/convert/convert.h"
#include "caddis/convert/warc_builder.h"
#include "caddis/io/base32.h"
#include "fmt/format.h"

namespace caddis::convert {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxHar = 2ULL << 30;

const json& member(const json& object, const char* name) {
  static const json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(name);
  return found == object.end() ? kNothing : *found;
}

std::string text(const json& object, const char* name) {
  const json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

int64_t number(const json& object, const char* name) {
  const json& value = member(object, name);
  if (value.is_number_integer()) return value.get<int64_t>();
  constexpr double kMost = 1e15;  // some write 200.0
  const double real = value.is_number_float() ? value.get<double>() : 0;
  return real > -kMost && real < kMost ? static_cast<int64_t>(real) : 0;
}

// Controls would end the line.
std::string one_line(std::string_view value) {
  std::string line(value);
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return line;
}

void append_field(std::string& head, std::string_view name, std::string_view value) {
  head += fmt::format("{}: {}\r\n", one_line(name), one_line(value));
}

// Browsers join fields of one name by line ends.
void append_fields(std::string& head, std::string_view name, std::string_view values) {
  while (true) {
    const size_t end = values.find('\n');
    append_field(head, name, trim(values.substr(0, end)));
    if (end == std::string_view::npos) return;
    values.remove_prefix(end + 1);
  }
}

// Fields that tell of a coding which the body in a HAR no longer has.
bool tells_of_coding(std::string_view name) {
  return equals_ignore_case(name, "Content-Encoding") || equals_ignore_case(name, "Transfer-Encoding") ||
         equals_ignore_case(name, "Content-Length");
}

// Fields with which somebody logs in: an archive is read by others.
bool is_login(std::string_view field) {
  const std::string line = one_line(field);  // as readers of the record will see it
  const std::string_view name = trim(std::string_view(line).substr(0, line.find(':')));
  return equals_ignore_case(name, "Authorization") || equals_ignore_case(name, "Proxy-Authorization");
}

// Calls `use` with names and values of a message, without the pseudo fields of HTTP/2.
template <class Use>
void each_field(const json& message, const Use& use) {
  for (const json& field : member(message, "headers")) {
    const std::string name = text(field, "name");
    if (!name.empty() && !name.starts_with(':')) use(name, text(field, "value"));
  }
}

std::string response_fields(const json& response) {
  std::string head;
  each_field(response, [&](const std::string& name, const std::string& value) {
    append_fields(head, tells_of_coding(name) ? "X-Archive-Orig-" + name : name, value);
  });
  return head;
}

// "/path?query" of a URL.
std::string request_target(std::string_view url) {
  const size_t authority = url.find("://");
  if (authority == std::string_view::npos) return std::string(url);
  const size_t path = url.find_first_of("/?#", authority + 3);
  if (path == std::string_view::npos) return "/";
  std::string target(url.substr(path, url.find('#', path) - path));
  if (!target.starts_with('/')) target.insert(0, 1, '/');
  return target;
}

// As WARC-Protocol has it; empty if it is unknown.
std::string_view protocol_of(std::string_view version) {
  if (equals_ignore_case(version, "h2") || starts_with_ignore_case(version, "http/2")) return "h2";
  if (equals_ignore_case(version, "h3") || starts_with_ignore_case(version, "http/3")) return "h3";
  if (equals_ignore_case(version, "http/1.1")) return "http/1.1";
  return equals_ignore_case(version, "http/1.0") ? "http/1.0" : "";
}

class HarConversion {
 public:
  HarConversion(WarcBuilder& builder) : builder_(builder) {}

  Result<ConvertReport> run(const json& entries) {
    for (const json& entry : entries) {
      TRY_VOID(convert(entry));
      ++number_;
    }
    return std::move(report_);
  }

 private:
  Result<void> leave_out(std::string_view url, std::string_view why) {
    ++report_.left_out;
    report_.notes.push_back(fmt::format("entry {} ({}) is left out: {}", number_, url, why));
    return {};
  }

  Result<void> convert(const json& entry) {
    const json &request = member(entry, "request"), &response = member(entry, "response");
    const std::string url = text(request, "url");
    if (!starts_with_ignore_case(url, "http")) return leave_out(url, "it has no http or https URL");
    const auto date = parse_w3c_date(text(entry, "startedDateTime"));
    if (!date) return leave_out(url, "startedDateTime is no date");
    const int64_t status = number(response, "status");
    if (status < 100 || status > 999) return leave_out(url, "there was no answer");
    const json& content = member(response, "content");
    const bool has_text = member(content, "text").is_string();
    if (!has_text && number(content, "size") > 0) return leave_out(url, "its body was not saved");
    std::string body = text(content, "text");
    if (text(content, "encoding") == "base64") {
      auto decoded = io::decode_base64(body);
      if (!decoded) return leave_out(url, "its body is no base64");
      body = *std::move(decoded);
    }
    return add(entry, url, rfc3339_micros(*date), body);
  }

  Result<void> add(const json& entry, const std::string& url, const std::string& date, const std::string& body) {
    const json &request = member(entry, "request"), &response = member(entry, "response");
    const std::string ip = text(entry, "serverIPAddress"), id = builder_.new_id();
    const std::string_view protocol = protocol_of(text(response, "httpVersion"));
    auto fields = warc::RecordFields::response(id, date, url);
    fields.ip_address(bare_address(ip)).protocol(protocol).content_type(warc::kHttpResponse);
    std::string head = fmt::format("HTTP/1.1 {} {}\r\n{}", number(response, "status"),
                                   one_line(text(response, "statusText")), response_fields(response));
    append_field(head, "Content-Length", std::to_string(body.size()));
    TRY_VOID(builder_.add(std::move(fields), head + "\r\n", body));

    const std::string posted = text(member(request, "postData"), "text");
    auto asked = warc::RecordFields::request(builder_.new_id(), date, url, id);
    asked.ip_address(bare_address(ip)).protocol(protocol).content_type(warc::kHttpRequest);
    const std::string method = one_line(text(request, "method"));
    return builder_.add(std::move(asked),
                        fmt::format("{} {} HTTP/1.1\r\n{}\r\n", method.empty() ? "GET" : method,
                                    one_line(request_target(url)), request_fields(request, url)),
                        posted);
  }

  std::string request_fields(const json& request, std::string_view url) {
    std::string head, logins;
    each_field(request, [&](const std::string& name, const std::string& value) {
      if (is_login(name))
        logins += (logins.empty() ? "" : ", ") + name;
      else
        append_fields(head, name, value);
    });
    if (!logins.empty())
      report_.notes.push_back(
          fmt::format("entry {} ({}): the login in its request is not copied ({})", number_, url, one_line(logins)));
    return head;
  }

  // Some write IPv6 addresses in brackets.
  static std::string_view bare_address(std::string_view ip) {
    if (ip.starts_with('[') && ip.ends_with(']')) return ip.substr(1, ip.size() - 2);
    return ip;
  }

  WarcBuilder& builder_;
  ConvertReport report_;
  size_t number_ = 0;
};

}  // namespace

Result<ConvertReport> convert_har(io::Files& files, const std::string& from, const std::string& to,
                                  const ConvertOptions& options) {
  TRY(std::string bytes, files.read_all(from, kMaxHar));
  const size_t size = bytes.size();
  const json har = json::parse(bytes, nullptr, false);
  bytes = {};
  const json& entries = member(member(har, "log"), "entries");
  if (!entries.is_array()) return fail(ErrorCode::parse, "this is no HAR file: it has no log.entries");
  TRY(WarcBuilder builder, WarcBuilder::create(files, to, io::base_name(from), options));
  TRY(ConvertReport report, HarConversion(builder).run(entries));
  if (builder.records() == 0) return fail(ErrorCode::parse, "no entry of it can be converted");
  if (options.progress) options.progress(size);
  report.records = builder.records();
  TRY(report.written, builder.commit());
  return report;
}

}  // namespace caddis::convert
