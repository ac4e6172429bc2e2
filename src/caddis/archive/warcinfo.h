// The warcinfo record with which every WARC file begins: who made it, how, and by which rules (WARC 1.1, 6.2).
#pragma once

#include <string>
#include <string_view>

#include "caddis/archive/record_form.h"
#include "caddis/archive/settings.h"
#include "caddis/base/clock.h"
#include "caddis/base/random.h"

namespace caddis::archive {

// What is the same for all files of a crawl.
struct Provenance {
  std::string software;          // "Caddis/0.1.0 https://…"
  std::string hostname, ip;      // of the crawling machine
  std::string contact;           // URL or mail address of the operator
  std::string user_agent, from;  // headers as they are sent, if no sheet says otherwise
  std::string robots;            // name of the robots policy
  std::string crawl_key_rules, index_key_rules;
  std::string crawl;  // name of the launch
};

// WARC 1.1 wants "contact information for the operator" in one field.
std::string operator_and_contact(const std::string& name, const std::string& contact);

// The block of the record: "name: value" lines. Empty values are left out.
std::string warcinfo_block(const Provenance& provenance, const ArchiveSettings& settings);

struct Warcinfo {
  std::string id;     // with brackets, for WARC-Warcinfo-ID
  std::string bytes;  // the record, compressed
};
Warcinfo make_warcinfo(const Provenance& provenance, const ArchiveSettings& settings, std::string_view file_name,
                       WallTime now, const RecordForm& form, Random& random);

}  // namespace caddis::archive
