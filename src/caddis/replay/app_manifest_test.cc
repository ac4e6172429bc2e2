// Manifests of web applications.
#include "caddis/replay/app_manifest.h"

#include <gtest/gtest.h>

#include "caddis/replay/fuzz_windows.h"

namespace caddis::replay {
namespace {

std::string manifest(std::string_view text, size_t window = 1 << 20) {
  const LinkRewriter links("/c/", "20260102030405", *url::Url::parse("https://example.org/app/site.webmanifest"),
                           Modifier::other);
  ManifestRewriter rewriter(links);
  return in_windows(rewriter, text, window);
}

TEST(AppManifest, WhatABrowserOpensOrFetchesLeadsIntoTheArchive) {
  EXPECT_EQ(
      manifest(R"({ "name": "A, \"b\": {", "id": "/?home", "start_url": ".", "scope" : "\/app\/",
        "icons": [{"src": "a.png", "sizes": "1x1"}, {"type": "image/png", "src": "https://cdn.example/\u0062.png"}],
        "shortcuts": [{"name": "src", "url": "new", "icons": [{"src": "/c.png"}]}],
        "related_applications": [{"url": "https://shop.example/"}], "share_target": {"action": "share?a=1"} })"),
      R"({ "name": "A, \"b\": {", "id": "/?home", "start_url": "/c/20260102030405/https://example.org/app/", "scope" : "/c/20260102030405/https://example.org/app/",
        "icons": [{"src": "/c/20260102030405im_/https://example.org/app/a.png", "sizes": "1x1"}, {"type": "image/png", "src": "/c/20260102030405im_/https://cdn.example/b.png"}],
        "shortcuts": [{"name": "src", "url": "/c/20260102030405/https://example.org/app/new", "icons": [{"src": "/c/20260102030405im_/https://example.org/c.png"}]}],
        "related_applications": [{"url": "https://shop.example/"}], "share_target": {"action": "/c/20260102030405/https://example.org/app/share?a=1"} })");
}

TEST(AppManifest, OtherPlacesStay) {
  for (const char* text : {R"(["start_url", "/a"])", R"({"a": {"start_url": "/a"}})", R"({"start_url": ["/a"]})",
                           R"({"icons": {"src": "/a"}})", R"({"start_url": 5, "x": "/a"})", R"("/a")", "{\"start_url\"",
                           "", "{]}[", R"({"start_url": "\ud800"})", R"({"start_url": "data:,x"})"})
    EXPECT_EQ(manifest(text), text);
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "{\"icons\":[";
  EXPECT_EQ(manifest(deep), deep);
}

TEST(AppManifest, StringsBeyondAllWindowsPass) {
  const std::string name = "{\"name\": \"" + std::string(5000, 'x') + "\\\"" + std::string(100, 'y') + "\", ";
  EXPECT_EQ(manifest(name + R"("start_url": "/a"})", 1024),
            name + R"("start_url": "/c/20260102030405/https://example.org/a"})");
}

}  // namespace
}  // namespace caddis::replay
