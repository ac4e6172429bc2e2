// Pages, style sheets, scripts, playlists and manifests rewritten as they are read: memory does not grow with them, whatever is in them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/replay/body.h"
#include "caddis/replay/link_rewriter.h"
#include "caddis/replay/xml_document.h"

namespace caddis::replay {

// A document (html.h). `head_insert` is markup, `xml` as in HtmlOptions. `body` is in the charset of `links`.
std::unique_ptr<BodyReader> rewritten_document(std::unique_ptr<BodyReader> body, LinkRewriter links,
                                               std::string head_insert, bool xml);
// A script (script_rewriter.h), with `begin` in front of it, which was asked for as `asked` (jsonp.h). One that is longer
// than some megabytes passes as it is. ErrorCode::limit where too many are held already.
std::unique_ptr<BodyReader> rewritten_script(std::unique_ptr<BodyReader> body, LinkRewriter links, std::string begin,
                                             std::optional<url::Url> asked);
// A style sheet (css.h).
std::unique_ptr<BodyReader> rewritten_sheet(std::unique_ptr<BodyReader> body, LinkRewriter links);
// A playlist of HLS (playlist.h), a manifest of DASH (dash.h), any document of XML (xml_document.h), the manifest of a web
// application (app_manifest.h).
std::unique_ptr<BodyReader> rewritten_playlist(std::unique_ptr<BodyReader> body, LinkRewriter links);
std::unique_ptr<BodyReader> rewritten_dash(std::unique_ptr<BodyReader> body, LinkRewriter links);
std::unique_ptr<BodyReader> rewritten_xml(std::unique_ptr<BodyReader> body, LinkRewriter links, XmlClients clients);
std::unique_ptr<BodyReader> rewritten_app_manifest(std::unique_ptr<BodyReader> body, LinkRewriter links);

// In UTF-8, for the encodings in which an ASCII byte may be something else (UTF-16, ISO-2022-JP, "replacement"), by
// their names in the Encoding Standard.
std::unique_ptr<BodyReader> body_in_utf8(std::unique_ptr<BodyReader> body, std::string_view encoding);

}  // namespace caddis::replay
