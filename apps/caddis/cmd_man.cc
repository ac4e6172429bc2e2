// caddis man FOLDER: for packages: the manual pages caddis.1 and caddis-<command>.1, made of what the parser knows.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/version.h"
#include "caddis/io/files.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

// Text of a page (man(7)): nothing of it is taken for a request or an escape.
std::string roff(std::string_view text) {
  std::string out;
  bool is_begin = true;
  for (const char c : text) {
    if (is_begin && (c == '.' || c == '\'')) out += "\\&";
    is_begin = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

// "--to, -t TEXT", or "url ..." of a positional one.
std::string usage_of(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_lnames()) names += fmt::format("{}--{}", names.empty() ? "" : ", ", name);
  for (const std::string& name : option.get_snames()) names += fmt::format("{}-{}", names.empty() ? "" : ", ", name);
  if (names.empty()) names = option.get_name(true);
  std::string value;
  if (!option.get_positional() && option.get_items_expected_max() > 0) value = option.get_type_name();
  if (value.size() > 40) value = "VALUE";  // a list of choices, which the description tells as well
  return value.empty() ? names : fmt::format("{} {}", names, value);
}

void add_options(std::string& page, const CLI::App& command) {
  std::string group;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    if (option->get_group() != group) {
      group = option->get_group();
      fmt::format_to(std::back_inserter(page), ".SS {}\n", roff(group));
    }
    fmt::format_to(std::back_inserter(page), ".TP\n.B {}\n{}{}\n", roff(usage_of(*option)),
                   roff(option->get_description()),
                   option->get_default_str().empty() ? "" : fmt::format(" [{}]", roff(option->get_default_str())));
  }
}

void add_command(std::string& page, const CLI::App& command, const std::string& path) {
  fmt::format_to(std::back_inserter(page), ".SH {}\n{}.\n", roff(path), roff(command.get_description()));
  add_options(page, command);
  if (const std::string footer = command.get_footer(); !footer.empty())
    fmt::format_to(std::back_inserter(page), ".PP\n{}\n", roff(footer));
  for (const CLI::App* inner : shown_commands(command))
    add_command(page, *inner, fmt::format("{} {}", path, inner->get_name()));
}

std::string head(const std::string& name, std::string_view what) {
  return fmt::format(".TH {} 1 \"\" \"Caddis {}\" \"Caddis\"\n.ad l\n.nh\n.SH NAME\n{} \\- {}\n", roff(name), kVersion,
                     roff(name), roff(what));
}

std::string page_of_command(const CLI::App& command) {
  const std::string name = fmt::format("caddis-{}", command.get_name());
  std::string page = head(name, command.get_description());
  fmt::format_to(std::back_inserter(page), ".SH SYNOPSIS\n.B caddis {}\n[OPTIONS]{}\n", roff(command.get_name()),
                 shown_commands(command).empty() ? "" : " COMMAND");
  add_command(page, command, fmt::format("caddis {}", command.get_name()));
  return page + ".SH SEE ALSO\n.BR caddis (1);\n/usr/share/doc/caddis\n";
}

std::string page_of_all(const CLI::App& app) {
  std::string page = head("caddis", "archives the web");
  page += ".SH SYNOPSIS\n.B caddis\nCOMMAND [OPTIONS]\n.SH DESCRIPTION\n" + roff(app.get_description()) + "\n";
  add_options(page, app);
  page += ".SH COMMANDS\n";
  for (const CLI::App* command : shown_commands(app))
    fmt::format_to(std::back_inserter(page), ".TP\n.BR caddis\\-{} (1)\n{}.\n", roff(command->get_name()),
                   roff(command->get_description()));
  page +=
      ".SH EXIT STATUS\n0: done. 1: failed. 2: wrong usage or configuration. 3: finished by a limit, or a repair is "
      "needed. 4: interrupted; it can be gone on with.\n"
      ".SH FILES\n.TP\n.I ~/.config/caddis/caddis.yaml\nThe user's own settings for crawls.\n"
      ".TP\n.I /etc/default/caddis\nWhat the services caddis\\-engine and caddis\\-serve are started with.\n"
      ".TP\n.I /usr/share/doc/caddis\nGuides and references.\n";
  return page;
}

Result<void> write_pages(const CLI::App& app, const std::string& folder) {
  io::Files& files = io::real_files();
  TRY_VOID(files.make_dirs(folder));
  TRY_VOID(files.write_atomically(io::join_path(folder, "caddis.1"), page_of_all(app)));
  for (const CLI::App* command : shown_commands(app))
    TRY_VOID(files.write_atomically(io::join_path(folder, fmt::format("caddis-{}.1", command->get_name())),
                                    page_of_command(*command)));
  return {};
}

}  // namespace

void add_man_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("man", "Write the manual pages of all commands into a folder");
  command->group("");
  const auto folder = std::make_shared<std::string>();
  command->add_option("folder", *folder, "Where they are to be")->required();
  command->callback([&app, folder, &exit_code] {
    const auto written = write_pages(app, *folder);
    if (written) return;
    tell(fmt::format("caddis man: {}\n", written.error().message));
    exit_code = 1;
  });
}

}  // namespace caddis::cli
