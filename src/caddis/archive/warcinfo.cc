#include "caddis/archive/warcinfo.h"

#include "caddis/base/time_format.h"
#include "caddis/io/digest.h"
#include "caddis/warc/writer.h"

namespace caddis::archive {
namespace {

void add(std::string& block, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  block += name;
  block += ": ";
  for (const char c : value) block += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  block += "\r\n";
}

}  // namespace

std::string operator_and_contact(const std::string& name, const std::string& contact) {
  if (name.empty() || contact.empty()) return name + contact;
  return name + " (" + contact + ")";
}

std::string warcinfo_block(const Provenance& provenance, const ArchiveSettings& settings) {
  std::string block;
  add(block, "software", provenance.software);
  const bool is_1_0 = settings.warc_version == WarcVersion::v1_0;
  add(block, "format", is_1_0 ? "WARC File Format 1.0" : "WARC File Format 1.1");
  add(block, "conformsTo",
      is_1_0 ? "http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf"
             : "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/");
  add(block, "operator", operator_and_contact(settings.operator_name, provenance.contact));
  add(block, "organization", settings.organization);
  add(block, "publisher", settings.publisher);
  add(block, "audience", settings.audience);
  add(block, "http-header-from", provenance.from);
  add(block, "http-header-user-agent", provenance.user_agent);
  add(block, "robots", provenance.robots);
  add(block, "hostname", provenance.hostname);
  add(block, "ip", provenance.ip);
  add(block, "description", settings.description);
  add(block, "isPartOf", settings.is_part_of.empty() ? provenance.crawl : settings.is_part_of);
  add(block, "caddis-crawl", provenance.crawl);
  add(block, "caddis-crawl-key", provenance.crawl_key_rules);
  add(block, "caddis-index-key", provenance.index_key_rules);
  for (const std::string& field : settings.info_fields) {
    const size_t end = field.find(": ");
    add(block, field.substr(0, end), field.substr(end + 2));
  }
  return block;
}

Warcinfo make_warcinfo(const Provenance& provenance, const ArchiveSettings& settings, std::string_view file_name,
                       WallTime now, const RecordForm& form, Random& random) {
  Warcinfo made{warc::record_id(random), {}};
  const std::string block = warcinfo_block(provenance, settings);
  auto fields = warc::RecordFields::warcinfo(made.id, rfc3339(now), file_name);
  if (form.version == WarcVersion::v1_0) fields.as_version_1_0();
  fields.block_digest(io::digest_label(io::digest(form.digest, block)));
  warc::append_record(made.bytes, fields, {block}, form.compression, form.dictionary);
  return made;
}

}  // namespace caddis::archive
