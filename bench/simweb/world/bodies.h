// The entities, each written into an EntityWriter. Internal to the world.
#pragma once

#include <string_view>

#include "simweb/world/entity_writer.h"
#include "simweb/world/world.h"

namespace simweb {

struct Source {
  const World& world;
  const HostFacts& host;
  const PageRef& page;
  int64_t window = 0;
};

// Media types and how they may be sent.
struct Format {
  std::string_view type;  // Content-Type
  bool text = true;       // may be gzip'd
};
Format format_of(const Source& source);

// Writes the page that stands behind the address when all goes well.
void write_entity(const Source& source, EntityWriter& out);

void write_robots(const Source& source, EntityWriter& out);
void write_sitemap(const Source& source, EntityWriter& out);
// The form by which a session begins (doors.h).
void write_form(const Source& source, EntityWriter& out);
void write_trap(const Source& source, EntityWriter& out);
// A short page: `title` and one sentence.
void write_note(std::string_view title, EntityWriter& out);

// How a link is written in a document of `host`.
void append_absolute(std::string& out, const World& world, HostId host, bool https, const PageRef& page);

}  // namespace simweb
