// caddis index merge|rekey|convert: indexes written anew.
#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/line_form.h"
#include "caddis/cdx/rekey.h"
#include "caddis/cdx/zipnum.h"
#include "caddis/io/files.h"
#include "commands.h"
#include "index_commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

// ---- rekey

struct RekeyArguments {
  std::string index, policy, output;
};

Result<int> rekey(const RekeyArguments& arguments) {
  TRY(const url::KeyPolicy policy, url::KeyPolicy::parse(arguments.policy));
  cdx::RekeyOptions options{.output = arguments.output, .progress = nullptr};
  IndexLock lock;
  if (arguments.output.empty() && io::real_files().exists(arguments.index)) TRY_VOID(lock.take(arguments.index));
  const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
  if (is_terminal) options.progress = [](uint64_t lines) { tell(fmt::format("\r{} lines\x1B[K", lines)); };
  const auto lines = cdx::rekey_index(io::real_files(), arguments.index, policy, options);
  if (is_terminal) tell("\r\x1B[K");
  if (!lines) return std::unexpected(lines.error());
  fmt::print("{}: {} by {} (hash {})\n", arguments.output.empty() ? arguments.index : arguments.output,
             counted(*lines, "capture"), policy.notation(), policy.hash());
  return 0;
}

void add_rekey_command(CLI::App& parent, int& exit_code) {
  auto arguments = std::make_shared<RekeyArguments>();
  CLI::App* command = parent.add_subcommand(
      "rekey", "Write an index anew under the keys of another policy, from the URLs that it names");
  command->add_option("index", arguments->index, "The index, CDXJ or CDX")->required()->type_name("FILE");
  command->add_option("--key-policy", arguments->policy, "The policy: 'ia-surt -strip-www-n@site(example.org)'")
      ->required()
      ->type_name("NOTATION");
  command->add_option("--output", arguments->output, "Write to this new file, and leave the index as it is")
      ->type_name("FILE");
  command->callback([arguments, &exit_code] {
    const auto done = rekey(*arguments);
    exit_code = done ? *done : report_index_error(done.error());
  });
}

// ---- convert

struct ConvertArguments {
  std::string index, form, output;
};

Result<int> convert(const ConvertArguments& arguments) {
  TRY(const cdx::LineForm form, cdx::parse_line_form(arguments.form));
  const std::string_view suffix = form == cdx::LineForm::cdxj ? ".cdxj" : ".cdx";
  if (!arguments.output.ends_with(suffix))
    return fail(ErrorCode::config,
                fmt::format("{} is to be named *{}, so that servers know it for what it is", arguments.output, suffix));
  cdx::ConvertOptions options;
  options.output = arguments.output;
  const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
  if (is_terminal) options.progress = [](uint64_t lines) { tell(fmt::format("\r{} lines\x1B[K", lines)); };
  cdx::LostFields lost;
  const auto lines = cdx::convert_index(io::real_files(), arguments.index, form, options, lost);
  if (is_terminal) tell("\r\x1B[K");
  if (!lines) return std::unexpected(lines.error());
  const std::string words = cdx::lost_in_words(form, lost);
  if (!words.empty()) tell(fmt::format("caddis index: {}: {}\n", arguments.index, words));
  fmt::print("{}: {} as {}\n", arguments.output, counted(*lines, "capture"), cdx::name_of(form));
  return 0;
}

void add_convert_command(CLI::App& parent, int& exit_code) {
  auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* command = parent.add_subcommand("convert", "Write an index in another form, under the same keys");
  command->add_option("index", arguments->index, "The index, CDXJ or CDX")->required()->type_name("FILE");
  command->add_option("--format", arguments->form, std::string(cdx::kLineForms))->required()->type_name("FORM");
  command->add_option("--output", arguments->output, "The file to write; it must not be there")
      ->required()
      ->type_name("FILE");
  command->callback([arguments, &exit_code] {
    const auto done = convert(*arguments);
    exit_code = done ? *done : report_index_error(done.error());
  });
}

// ---- merge

struct MergeArguments {
  std::vector<std::string> inputs;
  std::string output;
  bool zipnum = false;
  size_t block_lines = cdx::ZipNumOptions().block_lines;
};

// The lines go into a file beside the cluster, and from there into its members.
Result<uint64_t> merge_into_zipnum(io::Files& files, const MergeArguments& arguments) {
  const std::string sorted = arguments.output + ".lines.tmp";
  TRY_VOID(cdx::sort_files(files, arguments.inputs, sorted));
  cdx::ZipNumOptions options;
  options.block_lines = arguments.block_lines;
  auto lines = cdx::write_zipnum(files, sorted, arguments.output, options);
  TRY_VOID(files.remove(sorted));
  return lines;
}

Result<int> merge(const MergeArguments& arguments) {
  io::Files& files = io::real_files();
  if (files.exists(arguments.output))
    return fail(ErrorCode::conflict, arguments.output + " is there already: name another file, or remove it");
  for (const std::string& input : arguments.inputs) {
    if (!files.exists(input)) return fail(ErrorCode::not_found, input + ": no such file");
    if (!input.ends_with(".cdxj"))
      return fail(ErrorCode::config,
                  input + " is not named *.cdxj: make CDXJ of CDX with caddis index convert --format cdxj");
  }
  const cdx::IndexMeta first = cdx::read_index_meta(files, arguments.inputs.front());
  if (!first.policy) return fail(ErrorCode::conflict, arguments.inputs.front() + ": " + first.problem);
  for (const std::string& input : arguments.inputs) TRY_VOID(cdx::check_key_policy(files, input, *first.policy));
  if (arguments.zipnum && !cdx::is_zipnum_name(arguments.output))
    return fail(ErrorCode::config, arguments.output + ": a ZipNum index is named *.idx");
  TRY(const uint64_t lines, arguments.zipnum ? merge_into_zipnum(files, arguments)
                                             : cdx::sort_files(files, arguments.inputs, arguments.output));
  TRY_VOID(cdx::write_index_meta(files, arguments.output, *first.policy, std::vector<uint64_t>()));
  fmt::print("{}: {} of {}\n", arguments.output, counted(lines, "capture"), counted(arguments.inputs.size(), "file"));
  return 0;
}

void add_merge_command(CLI::App& parent, int& exit_code) {
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App* command = parent.add_subcommand("merge", "Make one index of several that have the same key policy");
  command->add_option("index", arguments->inputs, "The indexes (CDXJ)")->required()->type_name("FILE");
  command->add_option("--output", arguments->output, "The file to write; it must not be there")
      ->required()
      ->type_name("FILE");
  command->add_flag("--zipnum", arguments->zipnum,
                    "Write a ZipNum cluster: NAME.idx, and beside it NAME-00000.cdx.gz and NAME.loc");
  command->add_option("--block-lines", arguments->block_lines, "Lines in a member of a ZipNum cluster")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->callback([arguments, &exit_code] {
    const auto done = merge(*arguments);
    exit_code = done ? *done : report_index_error(done.error());
  });
}

}  // namespace

void add_index_key_commands(CLI::App& index, int& exit_code) {
  add_merge_command(index, exit_code);
  add_rekey_command(index, exit_code);
  add_convert_command(index, exit_code);
}

}  // namespace caddis::cli
