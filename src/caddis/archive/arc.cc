#include "caddis/archive/arc.h"

#include <fmt/format.h>

#include "caddis/base/time_format.h"
#include "caddis/warc/packer.h"

namespace caddis::archive {
namespace {

// A word of the line: blanks and controls would end it.
std::string word(std::string_view text, std::string_view otherwise) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7f)
      out += fmt::format("%{:02X}", byte);
    else
      out += c;
  }
  return out.empty() ? std::string(otherwise) : out;
}

std::string line_of(std::string_view url, std::string_view address, WallTime date, std::string_view mime,
                    uint64_t length) {
  return fmt::format("{} {} {} {} {}\n", word(url, "-"), word(address, "0.0.0.0"), timestamp14(date),
                     word(mime, "no-type"), length);
}

// Controls are left out: XML 1.0 has no way to write them.
void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
}

void add(std::string& xml, std::string_view element, std::string_view value) {
  if (value.empty()) return;
  xml += fmt::format("<{}>", element);
  append_escaped(xml, value);
  xml += fmt::format("</{}>\n", element);
}

// The elements that Heritrix writes, in its order.
std::string arc_metadata(const Provenance& provenance, const ArchiveSettings& settings, WallTime now) {
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<arcmetadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\" "
      "xmlns:arc=\"http://archive.org/arc/1.0/\">\n";
  add(xml, "arc:software", provenance.software);
  add(xml, "arc:hostname", provenance.hostname);
  add(xml, "arc:ip", provenance.ip);
  add(xml, "dcterms:isPartOf", settings.is_part_of.empty() ? provenance.crawl : settings.is_part_of);
  add(xml, "dc:description", settings.description);
  add(xml, "arc:operator", operator_and_contact(settings.operator_name, provenance.contact));
  add(xml, "dc:publisher", settings.publisher);
  add(xml, "dcterms:audience", settings.audience);
  add(xml, "dc:date", rfc3339(now));
  add(xml, "arc:http-header-user-agent", provenance.user_agent);
  add(xml, "arc:http-header-from", provenance.from);
  add(xml, "arc:robots", provenance.robots);
  if (!provenance.crawl.empty()) add(xml, "dcterms:provenance", "caddis-crawl: " + provenance.crawl);
  add(xml, "dc:format", "ARC file version 1.1");
  add(xml, "dcterms:conformsTo", "http://www.archive.org/web/researcher/ArcFileFormat.php");
  xml += "</arcmetadata>\n";
  return xml;
}

Result<void> append_in_memory(std::string_view line, std::initializer_list<std::string_view> block,
                              warc::Compression compression, Records& out) {
  std::vector<std::string_view> parts{line};
  parts.insert(parts.end(), block.begin(), block.end());
  parts.push_back("\n");
  std::string bytes;
  warc::append_unit(bytes, parts, compression);
  return out.bytes.append(bytes);
}

Result<void> append_spooled(std::string_view line, const io::Spool& block, warc::Compression compression,
                            Records& out) {
  warc::UnitStream unit(compression, line.size() + block.size() + 1);
  std::string packed;
  const auto put = [&](std::string_view bytes) -> Result<void> {
    packed.clear();
    unit.write(bytes, packed);
    return out.bytes.append(packed);
  };
  TRY_VOID(put(line));
  TRY_VOID(block.for_each(put));
  TRY_VOID(put("\n"));
  packed.clear();
  unit.finish(packed);
  return out.bytes.append(packed);
}

}  // namespace

std::string arc_version_block(const Provenance& provenance, const ArchiveSettings& settings, std::string_view file_name,
                              WallTime now, warc::Compression compression) {
  const std::string block = "1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n" +
                            arc_metadata(provenance, settings, now);
  const std::string line = line_of(fmt::format("filedesc://{}", file_name), "0.0.0.0", now, "text/plain", block.size());
  std::string bytes;
  const std::string_view parts[] = {line, block, "\n"};
  warc::append_unit(bytes, parts, compression);
  return bytes;
}

Result<void> write_arc_http(const HttpCapture& capture, std::string_view mime, warc::Compression compression,
                            Records& out) {
  const std::string line = line_of(capture.url, capture.address, capture.date, mime, capture.response.size());
  compression = compression_for(capture, compression);
  out.indexed_offset = out.bytes.size();
  if (capture.response.in_memory())
    TRY_VOID(append_in_memory(line, {capture.response.memory_view()}, compression, out));
  else
    TRY_VOID(append_spooled(line, capture.response, compression, out));
  out.indexed_length = out.bytes.size() - out.indexed_offset;
  return {};
}

Result<void> write_arc_dns(std::string_view url, WallTime date, std::string_view server, std::string_view body,
                           warc::Compression compression, Records& out) {
  out.indexed_offset = out.bytes.size();
  TRY_VOID(append_in_memory(line_of(url, server, date, "text/dns", body.size()), {body}, compression, out));
  out.indexed_length = out.bytes.size() - out.indexed_offset;
  return {};
}

}  // namespace caddis::archive
