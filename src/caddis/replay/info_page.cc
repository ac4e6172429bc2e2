// The page about one capture: what the index and the records around it know.
#include <fmt/format.h>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/cdx/request_key.h"
#include "caddis/replay/capture_records.h"
#include "caddis/replay/capture_rows.h"
#include "caddis/replay/own_routes.h"
#include "caddis/replay/stored.h"
#include "caddis/text/sniff.h"

namespace caddis::replay {
namespace {

using pages::Data;
using pages::Writer;

constexpr size_t kMostOfAFact = 2000;

// Facts under one heading; those without a value are left out.
class Section {
 public:
  Section(const Writer& writer, std::string_view heading) : writer_(writer), heading_(writer.text(heading)) {}

  void add(std::string_view key, std::string_view value, std::string address = {}, bool is_code = false) {
    if (value.empty()) return;
    facts_.push_back(Data{{"name", writer_.text(key)},
                          {"value", visible(value, kMostOfAFact)},
                          {"address", std::move(address)},
                          {"is_code", is_code}});
  }
  void add_code(std::string_view key, std::string_view value) { add(key, value, "", true); }
  void add_bytes(std::string_view key, std::string_view digits) {
    const auto number = parse_int(digits);
    if (number) add(key, writer_.text("bytes", Data{{"count", *number}}));
  }
  void write_into(Data::List& sections) {
    if (!facts_.empty()) sections.push_back(Data{{"heading", heading_}, {"facts", std::move(facts_)}});
  }

 private:
  const Writer& writer_;
  std::string heading_;
  Data::List facts_;
};

// A URL of the archive as a link to its captures, if it is one.
std::string link_of(const RequestContext& context, std::string_view url) {
  return url.starts_with("http://") || url.starts_with("https://") ? calendar_address(context.collection.name(), url)
                                                                   : std::string();
}

std::string joined(const warc::WarcFields& fields, std::string_view name) {
  std::string all;
  for (const auto& [known, value] : fields)
    if (equals_ignore_case(known, name)) all += (all.empty() ? "" : ", ") + value;
  return all;
}

// Whether it may be told of which capture a revisit is one: what is hidden is not there.
bool may_tell_original(const Collection& holder, const cdx::Capture& capture, const CaptureRecords& records) {
  const std::string_view uri = value_of(records.header, "WARC-Refers-To-Target-URI");
  return holder.may_speak_of(uri.empty() ? std::string_view(capture.url) : uri);
}

Section response_section(const RequestContext& context, const cdx::Capture& capture, const CaptureRecords& records) {
  const Writer& writer = context.writer;
  Section section(writer, "section-response");
  const auto head = http::parse_response_head(records.response_head, http::Mode::lenient);
  section.add("fact-status", head ? fmt::format("{} {}", head->status(), head->reason()) : capture.status);
  section.add("fact-type", head ? head->find("content-type").value_or("") : std::string_view(capture.mime));
  if (head) {
    section.add_bytes("fact-size", head->find("content-length").value_or(""));
    section.add("fact-redirect", head->find("location").value_or(""));
  }
  section.add("fact-ip", value_of(records.header, "WARC-IP-Address"));
  section.add("fact-protocol", joined(records.header, "WARC-Protocol"));
  section.add_code("fact-digest", value_of(records.header, "WARC-Payload-Digest").empty()
                                      ? std::string_view(capture.digest)
                                      : value_of(records.header, "WARC-Payload-Digest"));
  section.add("fact-truncated", value_of(records.header, "WARC-Truncated"));
  section.add("fact-robots-flags", capture.robotflags == "-" ? "" : capture.robotflags);
  const auto first = parse_w3c_date(value_of(records.header, "WARC-Refers-To-Date"));
  if (first && may_tell_original(context.collection.holder_of(capture), capture, records)) {
    const std::string timestamp = timestamp14(*first);
    const std::string_view uri = value_of(records.header, "WARC-Refers-To-Target-URI");
    section.add("fact-revisit", writer.date(timestamp),
                replay_address(context.collection.name(), timestamp, uri.empty() ? capture.url : uri));
  }
  return section;
}

Section way_section(const RequestContext& context, const cdx::Capture& capture, const CaptureRecords& records) {
  const Collection& holder = context.collection.holder_of(capture);
  const Writer& writer = context.writer;
  Section section(writer, "section-way");
  const auto get = [&](std::string_view name) { return value_of(records.metadata, name); };
  const auto add_url = [&](std::string_view key, std::string_view url) {
    if (holder.may_speak_of(url)) section.add(key, url, link_of(context, url));
  };
  add_url("fact-via", get("via"));
  section.add_code("fact-hops", get("hopsFromSeed"));
  const std::string_view seed = get("sourceTag").empty() ? get("seed") : get("sourceTag");
  add_url("fact-seed", seed);
  if (const auto time = parse_int(get("fetchTimeMs")))
    section.add("fact-fetch-time", writer.text("milliseconds", Data{{"count", *time}}));
  return section;
}

Section archive_section(const Writer& writer, const cdx::Capture& capture, const CaptureRecords& records) {
  Section section(writer, "section-archive");
  section.add_code("fact-file", capture.filename);
  section.add_code("fact-offset", capture.offset);
  section.add_bytes("fact-length", capture.length);
  section.add_code("fact-record", value_of(records.header, "WARC-Record-ID"));
  section.add_code("fact-key", capture.urlkey);
  return section;
}

Section crawler_section(const Writer& writer, const CaptureRecords& records) {
  Section section(writer, "section-crawler");
  const auto get = [&](std::string_view name) { return value_of(records.warcinfo, name); };
  section.add("fact-operator", get("operator"));
  section.add("fact-organization", get("organization"));
  section.add("fact-part-of", get("isPartOf"));
  section.add("fact-description", get("description"));
  section.add("fact-software", get("software"));
  section.add("fact-robots", get("robots"));
  section.add("fact-user-agent", get("http-header-user-agent"));
  section.add("fact-from", get("http-header-from"));
  section.add("fact-host", std::string(get("hostname")) + (get("ip").empty() ? "" : " " + std::string(get("ip"))));
  return section;
}

// Without the fields that name hidden captures, but for the URL of this one.
std::string record_head(const Collection& holder, const cdx::Capture& capture, const CaptureRecords& records) {
  constexpr std::string_view kOriginal = "WARC-Refers-To";
  const bool tells_original = may_tell_original(holder, capture, records);
  std::string text;
  for (const auto& [name, value] : records.header) {
    const bool is_of_original = equals_ignore_case(std::string_view(name).substr(0, kOriginal.size()), kOriginal);
    const bool is_own = equals_ignore_case(name, "WARC-Target-URI");
    const bool is_told =
        is_of_original ? tells_original : is_own || !value.contains("://") || holder.may_speak_of(value);
    if (is_told) text += visible(name) + ": " + visible(value) + '\n';
  }
  return text;
}

// Each line made visible, but for those that name what is hidden (Referer).
std::string lines_of(const Collection& collection, std::string_view head) {
  std::string text;
  for (std::string_view line : split(head, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (line.contains("://") && !collection.may_speak_of(line))) continue;
    text += visible(line, kMostOfAFact) + '\n';
  }
  return text;
}

void add_links(const RequestContext& context, const cdx::Capture& capture, Data& page) {
  const std::string& name = context.collection.name();
  const std::string url = cdx::indexed_url(capture);
  page.set("replay_address", replay_address(name, capture.timestamp, url));
  page.set("raw_address", replay_address(name, capture.timestamp + "id_", url));
  page.set("calendar_address", calendar_address(name, url));
  page.set("exact_address", replay_address(name, "*exact", capture.url));
  const auto around = context.collection.index().neighbours(capture);
  if (!around) return;
  if (around->previous) {
    const cdx::Capture& previous = *around->previous;
    page.set("previous_address", about_address(name, previous.timestamp, cdx::indexed_url(previous)));
    page.set("compare_previous", compare_address(name, url, previous.timestamp, capture.timestamp));
  }
  if (around->next) {
    const cdx::Capture& next = *around->next;
    page.set("next_address", about_address(name, next.timestamp, cdx::indexed_url(next)));
    page.set("compare_next", compare_address(name, url, capture.timestamp, next.timestamp));
  }
}

}  // namespace

http::ServerResponse answer_info(const RequestContext& context, const FormValues& asked) {
  const Writer& writer = context.writer;
  const std::string url = repair_url(asked.get("url"));
  auto capture = capture_at(context.collection, url, asked.get("time"));
  if (!capture) return failed_page(context, capture.error());
  if (!*capture) return answer_missing(context, url, Modifier::page, {});
  const cdx::Capture& found = **capture;
  const Collection& holder = context.collection.holder_of(found);
  Data page{{"title", writer.text("title-about")}, {"shown", shown_url(found.url)}, {"timestamp", found.timestamp}};
  add_links(context, found, page);
  CaptureRecords records;
  if (auto read = read_capture_records(context.collection, found))
    records = *std::move(read);
  else
    page.set("problems", Data::List{visible(read.error().message)});
  Data::List sections;
  response_section(context, found, records).write_into(sections);
  way_section(context, found, records).write_into(sections);
  archive_section(writer, found, records).write_into(sections);
  crawler_section(writer, records).write_into(sections);
  page.set("sections", std::move(sections));
  page.set("response_head", lines_of(holder, records.response_head));
  page.set("request_head", lines_of(holder, records.request_head));
  page.set("record_head", record_head(holder, found, records));
  return own_page(200, writer.page("info", std::move(page)));
}

}  // namespace caddis::replay
