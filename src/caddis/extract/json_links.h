// Links in JSON whose members are known: maps of imports, speculation rules, JSON Feed, manifests of web applications.
// Internal to extract.
//
// A text that is longer than a few megabytes, or no JSON, gives nothing here; callers of those functions that return a
// bool then take it for any JSON.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

// HTML Standard, 8.1.5.2: the modules that names stand for. A prefix ("lib/": "/js/lib/") is no link.
void extract_import_map(std::string_view json, LinkSink& sink);
// The pages that a browser may fetch beforehand (https://wicg.github.io/nav-speculation/): those that are listed.
void extract_speculation_rules(std::string_view json, LinkSink& sink);
// https://www.jsonfeed.org/version/1.1/
bool extract_json_feed(std::string_view json, LinkSink& sink);
// https://www.w3.org/TR/appmanifest/
bool extract_web_manifest(std::string_view json, LinkSink& sink);

}  // namespace caddis::extract
