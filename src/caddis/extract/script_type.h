// The content of <script> by its type: a script, or a template, which is markup that a script of the page fills in and
// shows. Internal to extract; pure, any thread.
#pragma once

#include <string_view>

namespace caddis::extract {

// Whether it is run: by the browser, or by another script that translates it or loads it late ("<hex>-text/javascript").
bool is_script_type(std::string_view type);

// Whether it holds markup: text/template, text/x-handlebars-template, text/html and their like.
bool is_template_type(std::string_view type);

// Whether `value` is to be filled in: "{{url}}", "<%= url %>", "${url}", "{url}". It is no URL as it stands.
bool has_placeholder(std::string_view value);

}  // namespace caddis::extract
