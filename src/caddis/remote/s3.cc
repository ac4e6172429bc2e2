#include "caddis/remote/s3.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/remote/aws_signature.h"
#include "caddis/url/url.h"

namespace caddis::remote {
namespace {

constexpr std::string_view kNoBody = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";  // its SHA-256

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

S3Credentials s3_credentials_of_environment() {
  S3Credentials found{variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"), variable("AWS_SESSION_TOKEN")};
  return found.key_id.empty() || found.secret.empty() ? S3Credentials() : found;
}

Result<S3Credentials> read_s3_credentials(io::Files& files, const std::string& path, std::string_view profile) {
  TRY(const std::string text, files.read_all(path, 1 << 20));
  S3Credentials found;
  bool is_there = false;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (line.empty() || line.starts_with('#') || line.starts_with(';')) continue;
    if (line.starts_with('[')) {
      is_there = line.ends_with(']') && trim(line.substr(1, line.size() - 2)) == profile;
      continue;
    }
    const size_t sign = line.find('=');
    if (!is_there || sign == std::string_view::npos) continue;
    const std::string_view name = trim(line.substr(0, sign));
    const std::string value(trim(line.substr(sign + 1)));
    if (name == "aws_access_key_id") found.key_id = value;
    if (name == "aws_secret_access_key") found.secret = value;
    if (name == "aws_session_token") found.session_token = value;
  }
  if (found.key_id.empty() || found.secret.empty())
    return fail(
        ErrorCode::config,
        fmt::format("{}: a section [{}] with aws_access_key_id and aws_secret_access_key is wanted", path, profile));
  return found;
}

std::string s3_encoded(std::string_view text) {
  std::string out;
  for (size_t begin = 0;;) {
    const size_t slash = text.find('/', begin);
    out += percent_encoded(text.substr(begin, slash - begin));
    if (slash == std::string_view::npos) return out;
    out += '/';
    begin = slash + 1;
  }
}

std::string s3_address(const S3Bucket& bucket, std::string_view key) {
  std::string endpoint =
      bucket.endpoint.empty() ? fmt::format("https://s3.{}.amazonaws.com", bucket.region) : bucket.endpoint;
  while (endpoint.ends_with('/')) endpoint.pop_back();
  if (!bucket.is_host_style) return endpoint + '/' + bucket.bucket + '/' + s3_encoded(key);
  const size_t host = endpoint.find("://") + 3;
  return endpoint.substr(0, host) + bucket.bucket + '.' + endpoint.substr(host) + '/' + s3_encoded(key);
}

std::vector<http::Header> s3_signature(std::string_view address, const std::vector<http::Header>& fields,
                                       const S3Credentials& credentials, std::string_view region, WallTime now) {
  const auto url = url::Url::parse(address);
  if (credentials.empty() || !url) return {};
  const std::string when = aws_date(now);
  std::vector<std::pair<std::string, std::string>> to_sign = {
      {"host", std::string(url->host())}, {"x-amz-content-sha256", std::string(kNoBody)}, {"x-amz-date", when}};
  if (!credentials.session_token.empty()) to_sign.emplace_back("x-amz-security-token", credentials.session_token);
  for (const http::Header& field : fields) to_sign.emplace_back(field.name, field.value);
  const AwsKeys keys{credentials.key_id, credentials.secret, std::string(region), "s3"};
  const AwsRequest request{"GET", std::string(url->pathname()),
                           std::string(url->search().substr(url->search().empty() ? 0 : 1)), std::move(to_sign),
                           std::string(kNoBody)};
  std::vector<http::Header> made;
  made.push_back({"x-amz-content-sha256", std::string(kNoBody)});
  made.push_back({"x-amz-date", when});
  if (!credentials.session_token.empty()) made.push_back({"x-amz-security-token", credentials.session_token, true});
  made.push_back({"Authorization", aws_authorization(keys, request, now), true});
  return made;
}

}  // namespace caddis::remote
