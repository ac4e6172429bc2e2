// Whether a piece of text is surely a URL. Heritrix takes anything with a dot or a slash; half of what it then fetches
// is not there. These rules miss some real links and guess next to none. Internal to extract; pure, any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace caddis::extract {

// An absolute http(s) URL with a host that can exist ("//host/…" too), complete (not a prefix to which more is
// appended), and not the name of an XML namespace or vocabulary.
bool is_absolute_url(std::string_view text);

// "www.example.com/x", which lacks only its scheme.
bool is_www_host(std::string_view text);

// A path of URL characters only, without the marks of patterns and templates.
bool is_clean_path(std::string_view text);

// The extension of the last segment of a clean path, in lower case and without its dot; empty if there is none.
std::string extension_of(std::string_view text);
// The extensions that web servers serve, sorted. Scripts have a setting of their own (script-extensions).
std::span<const std::string_view> usual_extensions();
// A clean path whose last segment ends in an extension that web servers serve (".html", ".png").
bool has_web_extension(std::string_view text);

// "/a/b.html", "../x/", "./y": a path that says where it begins.
bool is_anchored_path(std::string_view text);

// What Caddis takes as a URL where any text may stand (value="…", meta content, text of a feed).
bool is_sure_url(std::string_view text);

}  // namespace caddis::extract
