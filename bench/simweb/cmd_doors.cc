// simweb doors: which hosts do not show their pages to everybody, one line of JSON each. Whoever writes the settings of a
// crawl reads it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "caddis/base/json_text.h"
#include "simweb/commands.h"
#include "simweb/world/doors.h"
#include "simweb/world/world.h"

namespace simweb {
namespace {

std::string line_of(const World& world, const HostFacts& host, Door door) {
  caddis::JsonObject line;
  line.add("host", world.host_name(host.id));
  if (door == Door::cookie) return line.add("door", "cookie").finish() + "\n";
  line.add("door", door == Door::login ? "login" : "form").add("user", kMember).add("password", kMemberPassword);
  if (door == Door::form)
    line.add("form", world.url(host, {Kind::login_form}))
        .add("ends", shows_form(world.settings(), host.id) ? "in place" : "redirect")
        .add("words", kFormWords);
  return line.finish() + "\n";
}

caddis::Result<void> print_doors(const WebOptions& options) {
  TRY(const WebSettings settings, web_settings(options));
  const World world(settings);
  for (HostId id = 0; id < world.hosts(); ++id)
    if (const Door door = door_of(settings, id, Kind::html); door != Door::open)
      put(line_of(world, world.host(id), door));
  return {};
}

}  // namespace

void add_doors_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<WebOptions>();
  CLI::App* command =
      app.add_subcommand("doors", "Print which hosts want a cookie, a password or a session, a host a line");
  add_web_options(*command, *options);
  command->callback([options, &exit_code] {
    const auto done = print_doors(*options);
    if (done) return;
    fmt::print(stderr, "simweb: {}\n", done.error().message);
    exit_code = done.error().code == caddis::ErrorCode::config ? 2 : 1;
  });
}

}  // namespace simweb
