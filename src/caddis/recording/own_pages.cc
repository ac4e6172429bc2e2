#include "caddis/recording/own_pages.h"

#include <fmt/format.h>

#include "caddis/base/html_text.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"

namespace caddis::recording {
namespace {

http::ServerResponse html_page(int status, std::string_view title, std::string_view body) {
  http::ServerResponse response(status);
  response.headers = {
      {"Content-Type", "text/html; charset=utf-8"},
      {"Cache-Control", "no-store"},
      {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"}};
  response.body = fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0}</title><style>body{{font:1rem/1.5 "
      "system-ui,sans-serif;max-width:44rem;"
      "margin:3rem auto;padding:0 1rem}}code{{overflow-wrap:anywhere}}</style><h1>{0}</h1>{1}</html>\n",
      html_escape(title), body);
  return response;
}

http::ServerResponse certificate_file(std::string_view type, std::string_view name, const std::string& bytes) {
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(type)},
                      {"Content-Disposition", fmt::format("attachment; filename=\"{}\"", name)}};
  response.body = bytes;
  return response;
}

std::string status_json(const OwnPagesFacts& facts) {
  JsonObject status;
  status.add("recording", facts.recording)
      .add("captures", facts.totals.captures)
      .add("revisits", facts.totals.revisits)
      .add("failures", facts.totals.failures)
      .add("cut", facts.totals.cut)
      .add("websockets", facts.totals.websockets)
      .add("received", facts.totals.received)
      .add("saved", facts.totals.saved)
      .add("trouble", facts.trouble);
  return status.finish() + "\n";
}

http::ServerResponse start_page(const OwnPagesFacts& facts) {
  const RecordingTotals& totals = facts.totals;
  std::string body = fmt::format(
      "<p>What this browser asks for is passed to the live web, and kept in <code>{}</code>.</p>"
      "<p>{} captures so far, of which {} are revisits of what was known; {} received. {} requests failed.</p>",
      html_escape(facts.collection), totals.captures, totals.revisits,
      html_escape(format_size(static_cast<long long>(totals.received))), totals.failures);
  if (!facts.trouble.empty())
    body += fmt::format("<p><strong>Nothing is kept at present: {}.</strong></p>", html_escape(facts.trouble));
  body += fmt::format(
      "<h2>HTTPS</h2><p>For HTTPS the browser has to trust the certificate of this proxy: <a href=\"/ca.pem\">PEM</a>, "
      "<a href=\"/ca.cer\">DER</a>. Trust it in a profile of its own, for this alone: whoever has its key can pass for "
      "any site.</p><p>SHA-256: <code>{}</code></p>",
      html_escape(facts.certificate.fingerprint));
  return html_page(200, "Caddis records", body);
}

struct FailureWords {
  int status;
  std::string_view title, text;
};

FailureWords words_for(const UpstreamFailure& failure) {
  if (failure.is_tls)
    return {502, "No secure connection to this site",
            "Its certificate is not trusted, or it speaks no TLS that is safe. Nothing was asked of it, and nothing is "
            "recorded. If you know why, and want it all the same, start the recorder with --set fetch.trust=open."};
  switch (failure.status) {
    case status::kAddressRefused:
      return {
          403, "This address is not for a recorder",
          "It is none of a public network. Name it with --set fetch.allow-addresses=BLOCK when you start the recorder, "
          "if you want it in the archive."};
    case status::kDnsFailed:
      return {502, "There is no site of this name", "The name has no address. Is it spelled right?"};
    case status::kSevereError:
      return {507, "The recorder has no room", "Its disk does not take what comes."};
    default:
      break;
  }
  if (failure.is_timeout) return {504, "This site does not answer", "It took too long. Try again later."};
  return {502, "This site cannot be reached", "There is no connection to it, or it ended before an answer."};
}

}  // namespace

http::ServerResponse own_page(std::string_view path, const OwnPagesFacts& facts) {
  if (path == "/ca.pem") return certificate_file("application/x-pem-file", "caddis-proxy.pem", facts.certificate.pem);
  if (path == "/ca.cer")
    return certificate_file("application/x-x509-ca-cert", "caddis-proxy.cer", facts.certificate.der);
  if (path == "/status") return http::json_response(200, status_json(facts));
  if (path == "/") return start_page(facts);
  return refusal_page(404, "There is no such page", "The proxy itself has its start page alone.");
}

http::ServerResponse failure_page(std::string_view url, const UpstreamFailure& failure) {
  const FailureWords words = words_for(failure);
  auto response = html_page(words.status, words.title,
                            fmt::format("<p>{}</p><p><code>{}</code></p><p>{}</p>", html_escape(words.text),
                                        html_escape(url), html_escape(failure.error)));
  response.headers.emplace_back("X-Caddis-Error", words.title);
  return response;
}

http::ServerResponse refusal_page(int status, std::string_view title, std::string_view text) {
  return html_page(status, title, fmt::format("<p>{}</p>", html_escape(text)));
}

}  // namespace caddis::recording
