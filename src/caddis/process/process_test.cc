// Programs as processes. This test is the supervisor, too: the case ProgramSupervisor.Run is not run otherwise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>

#include "caddis/aio/loop.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/base/strings.h"
#include "caddis/process/child.h"
#include "caddis/process/programs.h"

namespace caddis::process {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using namespace std::chrono_literals;

// The command line of a process that the kernel knows: words of this test stand before those that run_program adds.
std::vector<std::string> own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::string> words;
  for (const std::string_view word : split(text, '\0'))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

TEST(ProgramSupervisor, DISABLED_Run) {
  const std::vector<std::string> words = own_command_line();
  const size_t first = 3;  // behind the executable and two options of the test
  const ProgramLimits limits{std::chrono::milliseconds(*parse_int(words.at(first))),
                             static_cast<uint64_t>(*parse_int(words.at(first + 1)))};
  std::_Exit(run_supervised({words.begin() + first + 3, words.end()}, limits));
}

std::vector<std::string> supervisor() {
  return {"/proc/self/exe", "--gtest_also_run_disabled_tests", "--gtest_filter=ProgramSupervisor.DISABLED_Run"};
}

ProgramCall shell(std::string script) {
  ProgramCall call;
  call.command = {"sh", "-c", std::move(script)};
  call.question = "a question\n";
  call.document = "a document";
  return call;
}

// Without what the test that is the supervisor has said before.
ProgramOutcome own_part(ProgramOutcome outcome) {
  constexpr std::string_view kLast = "DISABLED_Run\n";
  if (const size_t last = outcome.answer.rfind(kLast); last != std::string::npos)
    outcome.answer.erase(0, last + kLast.size());
  return outcome;
}

ProgramOutcome run(const ProgramCall& call, int stop = -1) {
  return own_part(run_program(supervisor(), call, stop, system_clock()));
}

bool is_there(const std::string& pid) { return ::kill(static_cast<pid_t>(*parse_int(trim(pid))), 0) == 0; }

TEST(Programs, ReadAQuestionAndADocumentAndAnswer) {
  const ProgramOutcome outcome = run(shell("cat; cat /dev/fd/3; cat <&3"));
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome.answer, "a question\na documenta document");
}

TEST(Programs, HaveNoOtherDescriptors) {
  const ProgramOutcome outcome = run(shell("ls /proc/self/fd"));
  // The last one is the folder that ls reads.
  EXPECT_EQ(outcome.answer, "0\n1\n2\n3\n4\n");
}

TEST(Programs, HaveNoSecretInTheirEnvironment) {
  ASSERT_EQ(::setenv("ANNAS", "apw-SECRET1", 1), 0);
  ASSERT_EQ(::setenv("LC_MESSAGES", "C", 1), 0);
  const ProgramOutcome outcome = run(shell("env; cat /proc/$PPID/environ"));
  EXPECT_EQ(outcome.problem, "");
  EXPECT_THAT(outcome.answer, Not(HasSubstr("ANNAS")));
  EXPECT_THAT(outcome.answer, Not(HasSubstr("SECRET1")));
  EXPECT_THAT(outcome.answer, HasSubstr("LC_MESSAGES=C\n"));
  EXPECT_THAT(outcome.answer, HasSubstr("PATH=/"));
}

TEST(Programs, ThatFailSayWhy) {
  EXPECT_EQ(run(shell("echo half; echo no good >&2; exit 3")).problem, "it was ended with exit code 3: no good");
  EXPECT_THAT(run(shell("kill -9 $$")).problem, HasSubstr("signal 9"));
  ProgramCall call = shell("");
  call.command = {"/nonexistent/program"};
  EXPECT_THAT(run(call).problem, HasSubstr("cannot start /nonexistent/program: No such file"));
}

TEST(Programs, ThatHangAreEndedWithAllTheyHaveStarted) {
  // One child in a session of its own, and one whose parent is gone.
  ProgramCall call = shell("setsid sleep 1000 & echo $!; (sleep 1000 & echo $!); exec sleep 1000");
  call.limits.time = 500ms;
  const ProgramOutcome outcome = run(call);
  EXPECT_EQ(outcome.problem, "it takes longer than 500ms");
  const auto pids = split(trim(outcome.answer), '\n');
  ASSERT_EQ(pids.size(), 2u) << outcome.answer;
  for (const std::string_view pid : pids) EXPECT_FALSE(is_there(std::string(pid))) << pid;
}

TEST(Programs, ThatLeaveOthersBehindLeaveNone) {
  const ProgramOutcome outcome = run(shell("(setsid sleep 1000 & echo $!)"));
  EXPECT_EQ(outcome.problem, "");
  EXPECT_FALSE(is_there(outcome.answer)) << outcome.answer;
}

TEST(Programs, HaveNoMoreMemoryThanIsAllowed) {
  ProgramCall call = shell("");
  call.command = {"python3", "-c", "print(len(bytearray(400000000)))"};
  EXPECT_EQ(run(call).answer, "400000000\n");
  call.limits.memory = 200'000'000;
  EXPECT_THAT(run(call).problem, HasSubstr("MemoryError"));
}

TEST(Programs, ThatTalkTooMuchAreEnded) {
  ProgramCall call = shell("exec yes");
  call.longest_answer = 100'000;
  EXPECT_EQ(run(call).problem, "its answer has more than 100000 bytes");
}

TEST(Programs, AreEndedWhenTheCrawlStops) {
  const Descriptor stop(::eventfd(1, EFD_CLOEXEC));
  EXPECT_EQ(run(shell("exec sleep 1000"), stop.get()).problem, "it was ended, since the crawl stops");
}

// The pool on a loop, as a lane has it.
ProgramOutcome ask(ProgramPool& pool, ProgramCall call, Sandbox sandbox) {
  const auto loop = aio::make_loop(system_clock());
  ProgramOutcome outcome;
  const auto main = [](ProgramPool& asked, aio::Loop& on, ProgramCall what, Sandbox within,
                       ProgramOutcome& into) -> aio::Task<void> {
    into = co_await asked.run(on, std::move(what), within);
  };
  aio::run_to_end(*loop, main(pool, *loop, std::move(call), sandbox, outcome));
  return own_part(std::move(outcome));
}

TEST(ProgramPools, RunProgramsWithinASandboxIfThereIsOne) {
  ProgramPool pool(supervisor(), 1, system_clock());
  EXPECT_EQ(ask(pool, shell("echo here"), Sandbox::none).answer, "here\n");
  EXPECT_EQ(ask(pool, shell("echo here"), Sandbox::automatic).answer, "here\n");
  const ProgramOutcome confined =
      ask(pool, shell("cat /dev/fd/3; echo $$; touch /var/tmp/x /usr/x"), Sandbox::bubblewrap);
  if (confined.problem.contains("bubblewrap cannot confine it")) GTEST_SKIP() << confined.problem;
  EXPECT_THAT(confined.answer, StartsWith("a document"));
  EXPECT_THAT(confined.problem, HasSubstr("/usr/x"));
  EXPECT_THAT(confined.problem, HasSubstr("Read-only file system"));
}

TEST(ProgramPools, BringTheDocumentWhenItsTurnHasCome) {
  ProgramPool pool(supervisor(), 1, system_clock());
  ProgramCall call = shell("cat /dev/fd/3");
  call.bring = [] { return Result<std::string>("brought"); };
  EXPECT_EQ(ask(pool, call, Sandbox::none).answer, "brought");
  call.bring = [] { return Result<std::string>(fail(ErrorCode::io, "bad sector")); };
  EXPECT_EQ(ask(pool, call, Sandbox::none).problem, "bad sector");
}

TEST(ProgramPools, ThatAreStoppedRunNothing) {
  ProgramPool pool(supervisor(), 1, system_clock());
  pool.stop();
  EXPECT_EQ(ask(pool, shell("exec sleep 1000"), Sandbox::none).problem, "it was ended, since the crawl stops");
}

}  // namespace
}  // namespace caddis::process
