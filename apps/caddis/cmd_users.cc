// caddis users: who may ask the servers that share a users file, and the tokens of programs.
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "caddis/access/secret.h"
#include "caddis/access/user_store.h"
#include "caddis/base/clock.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/io/files.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

using access::UserFile;

struct UsersArguments {
  std::string file, name, role = "viewer", purpose;
  bool digest = false, ask = false;
  int days = 0;
};

// A terminal that does not show what is typed.
class QuietTerminal {
 public:
  QuietTerminal() : is_terminal_(::tcgetattr(STDIN_FILENO, &before_) == 0) {
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
  }
  QuietTerminal(const QuietTerminal&) = delete;
  QuietTerminal& operator=(const QuietTerminal&) = delete;
  ~QuietTerminal() {
    if (!is_terminal_) return;
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
    tell("\n");
  }
  bool is_terminal() const { return is_terminal_; }

 private:
  termios before_{};
  const bool is_terminal_;
};

// A line of standard input.
Result<std::string> ask_password() {
  const QuietTerminal terminal;
  if (terminal.is_terminal()) tell("Password: ");
  std::array<char, 1200> line{};
  if (std::fgets(line.data(), line.size(), stdin) == nullptr)
    return fail(ErrorCode::config, "--ask: standard input has no line with a password");
  std::string password = line.data();
  if (password.ends_with('\n')) password.pop_back();
  return password;
}

Result<access::Role> role_named(const std::string& name) {
  const auto role = access::role_of(name);
  if (!role)
    return fail(ErrorCode::config,
                fmt::format("'{}' is no role: viewer, curator, operator, admin and harvester are", name));
  return *role;
}

Result<void> change(const UsersArguments& arguments, const std::function<Result<void>(UserFile&)>& edit) {
  return access::UserStore(io::real_files(), arguments.file).change(edit);
}

// The password that is typed, or a new one, which is printed.
Result<std::string> password_of(const UsersArguments& arguments) {
  if (arguments.ask) return ask_password();
  return access::new_password();
}

Result<void> add(const UsersArguments& arguments) {
  TRY(const access::Role role, role_named(arguments.role));
  TRY(const std::string password, password_of(arguments));
  TRY_VOID(change(arguments, [&](UserFile& file) -> Result<void> {
    TRY(access::User user, access::make_user(arguments.name, role, password, arguments.digest));
    return access::add_user(file, std::move(user));
  }));
  if (!arguments.ask) fmt::print("{}\n", password);
  return {};
}

Result<void> set_password(const UsersArguments& arguments) {
  TRY(const std::string password, password_of(arguments));
  TRY_VOID(change(arguments, [&](UserFile& file) {
    return access::set_password(file, arguments.name, password, arguments.digest);
  }));
  if (!arguments.ask) fmt::print("{}\n", password);
  return {};
}

Result<void> set_role(const UsersArguments& arguments) {
  TRY(const access::Role role, role_named(arguments.role));
  return change(arguments, [&](UserFile& file) { return access::set_role(file, arguments.name, role); });
}

Result<void> remove(const UsersArguments& arguments) {
  return change(arguments, [&](UserFile& file) { return access::remove_user(file, arguments.name); });
}

Result<void> add_token(const UsersArguments& arguments) {
  TRY(const access::Role role, role_named(arguments.role));
  std::optional<WallTime> expires;
  if (arguments.days > 0) expires = system_clock().wall() + std::chrono::days(arguments.days);
  std::string secret;
  TRY_VOID(change(arguments, [&](UserFile& file) -> Result<void> {
    TRY(access::NewToken made, access::add_token(file, arguments.name, role, expires, arguments.purpose));
    secret = std::move(made.secret);
    return {};
  }));
  fmt::print("{}\n", secret);
  return {};
}

Result<void> remove_token(const UsersArguments& arguments) {
  return change(arguments, [&](UserFile& file) { return access::remove_token(file, arguments.name); });
}

Result<void> list(const UsersArguments& arguments) {
  access::UserStore store(io::real_files(), arguments.file);
  if (!io::real_files().exists(arguments.file))
    return fail(ErrorCode::not_found, fmt::format("there is no file {}", arguments.file));
  TRY_VOID(store.refresh());
  const auto users = store.users();
  for (const access::User& user : users->users)
    fmt::print("{:<20} {:<10}{}\n", user.name, to_string(user.role), user.digest ? " digest" : "");
  for (const access::Token& token : users->tokens)
    fmt::print("  token {} of {}: {}, {}{}\n", token.id, token.user, to_string(token.role),
               token.expires ? "until " + rfc3339(*token.expires) : "without end",
               token.purpose.empty() ? "" : ", " + token.purpose);
  return {};
}

using Action = Result<void> (*)(const UsersArguments&);

// Adds a command that does one thing with the file.
CLI::App* add_action(CLI::App& parent, const std::string& name, const std::string& help,
                     const std::shared_ptr<UsersArguments>& arguments, Action action, int& exit_code) {
  CLI::App* command = parent.add_subcommand(name, help);
  command->add_option("--file", arguments->file, "The users file; it is made if it is not there")
      ->required()
      ->option_text("FILE");
  command->callback([arguments, action, name, &exit_code] {
    if (const auto done = action(*arguments); !done) {
      tell(fmt::format("caddis users {}: {}\n", name, done.error().message));
      exit_code = done.error().code == ErrorCode::config || done.error().code == ErrorCode::not_found ? 2 : 1;
    }
  });
  return command;
}

void add_password_options(CLI::App& command, const std::shared_ptr<UsersArguments>& arguments) {
  command.add_flag("--ask", arguments->ask,
                   "Read the password from standard input; without it, a new one is made and printed");
  command.add_flag("--digest", arguments->digest,
                   "Keep what HTTP Digest needs, too, for programs made for Heritrix (docs/access.md tells the price)");
}

}  // namespace

void add_users_commands(CLI::App& app, int& exit_code) {
  CLI::App& users = *app.add_subcommand("users", "Who may ask a server")->require_subcommand(1);
  users.footer(
      "Servers that run see a change within a second. Roles: a viewer reads, an operator changes what is crawled, "
      "an admin also changes who may.");
  const auto make = [] { return std::make_shared<UsersArguments>(); };
  const auto take_role = [](CLI::App& command, const std::shared_ptr<UsersArguments>& arguments) {
    command.add_option("--role", arguments->role, "viewer, curator, operator, admin, or harvester")
        ->capture_default_str();
  };

  auto arguments = make();
  CLI::App* command = add_action(users, "add", "Add a user", arguments, add, exit_code);
  command->add_option("name", arguments->name, "Letters, digits and . _ @ -")->required();
  take_role(*command, arguments);
  add_password_options(*command, arguments);

  arguments = make();
  command = add_action(users, "remove", "Remove a user, with all tokens", arguments, remove, exit_code);
  command->add_option("name", arguments->name)->required();

  arguments = make();
  command = add_action(users, "password", "Give a user another password, which ends their log-ins", arguments,
                       set_password, exit_code);
  command->add_option("name", arguments->name)->required();
  add_password_options(*command, arguments);

  arguments = make();
  command = add_action(users, "role", "Give a user another role", arguments, set_role, exit_code);
  command->add_option("name", arguments->name)->required();
  command->add_option("role", arguments->role, "viewer, curator, operator, admin, or harvester")->required();

  add_action(users, "list", "Show users and tokens", make(), list, exit_code);

  CLI::App& tokens = *users.add_subcommand("token", "Tokens, for programs")->require_subcommand(1);
  arguments = make();
  command = add_action(tokens, "add", "Make a token and print it", arguments, add_token, exit_code);
  command->add_option("name", arguments->name, "Its user, whose role is the most that it can have")->required();
  take_role(*command, arguments);
  command->add_option("--days", arguments->days, "It ends after so many; without it, never")
      ->check(CLI::Range(1, 3650));
  command->add_option("--purpose", arguments->purpose, "For people, who see it in the list");

  arguments = make();
  command = add_action(tokens, "remove", "Remove a token", arguments, remove_token, exit_code);
  command->add_option("id", arguments->name, "As 'caddis users list' shows it")->required();
}

}  // namespace caddis::cli
