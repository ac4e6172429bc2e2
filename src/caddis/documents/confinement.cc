// The filter is a program of classic BPF (seccomp(2)): the architecture is checked, each allowed number returns at once,
// and everything else fails with EPERM, which libraries take as a failure of that call. Killing would be no safer: a call
// that fails has done nothing.
#include "caddis/documents/confinement.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/io/files.h"

namespace caddis::documents {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif
#else
constexpr bool kIsSanitized = false;
#endif

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;  // no filter
#endif

constexpr uint32_t kAllowed[] = {
    // the descriptors it has
    __NR_read,
    __NR_write,
    __NR_recvmsg,
    __NR_recvfrom,
    __NR_sendmsg,
    __NR_sendto,
    __NR_ppoll,
    __NR_close,
    __NR_fstat,
    __NR_lseek,
#if defined(__NR_poll)
    __NR_poll,
#endif
    // memory
    __NR_mmap,
    __NR_munmap,
    __NR_mremap,
    __NR_mprotect,
    __NR_madvise,
    __NR_brk,
    // itself; the time comes without a call
    __NR_futex,
    __NR_clock_nanosleep,
    __NR_getrandom,
    __NR_getrusage,
    __NR_sched_yield,
    __NR_getpid,
    __NR_gettid,
    __NR_rt_sigaction,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_sigaltstack,
    __NR_restart_syscall,
    __NR_exit,
    __NR_exit_group,
#if defined(__NR_getrlimit)
    __NR_getrlimit,
    __NR_setrlimit,
#endif
};

// Calls that could reach another process: allowed if their first argument is this one.
struct OwnCall {
  uint32_t number;
  uint32_t process;
};

// The argument is an int: the system looks at its lower half only.
void allow_own(std::vector<sock_filter>& program, const OwnCall& call) {
  static_assert(std::endian::native == std::endian::little);
  constexpr auto kNumber = static_cast<uint32_t>(offsetof(seccomp_data, nr));
  constexpr auto kFirst = static_cast<uint32_t>(offsetof(seccomp_data, args));
  program.insert(program.end(), {
                                    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call.number, 0, 4),
                                    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFirst),
                                    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call.process, 0, 1),
                                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                                    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kNumber),
                                });
}

std::vector<sock_filter> filter() {
  std::vector<sock_filter> program = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  std::vector<uint32_t> allowed(std::begin(kAllowed), std::end(kAllowed));
  // Sanitizers find out by a pipe which addresses may be read.
  if (kIsSanitized) allowed.push_back(__NR_pipe2);
  for (const uint32_t number : allowed) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  allow_own(program, {.number = __NR_tgkill, .process = static_cast<uint32_t>(::getpid())});
  allow_own(program, {.number = __NR_prlimit64, .process = 0});
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  return program;
}

bool install_filter() {
  if (kArchitecture == 0) return false;
  std::vector<sock_filter> program = filter();
  const sock_fprog loaded{static_cast<unsigned short>(program.size()), program.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &loaded) == 0;
}

void limit(__rlimit_resource resource, uint64_t most) {
  const rlimit bounds{most, most};
  (void)::setrlimit(resource, &bounds);
}

// Bytes of address space; 0 if it cannot be found out.
uint64_t address_space() {
  // The file has no size, and one line: the first number counts pages.
  const auto file = io::real_files().open_read("/proc/self/statm");
  std::array<char, 128> line{};
  if (!file || !(*file)->read_at(0, line.data(), line.size() - 1)) return 0;
  const std::string_view text(line.data());
  constexpr uint64_t kPage = 4096;
  return static_cast<uint64_t>(parse_int(text.substr(0, text.find(' '))).value_or(0)) * kPage;
}

}  // namespace

bool confine_worker(uint64_t memory) {
  constexpr uint64_t kDescriptors = 16;
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NOFILE, kDescriptors);
  if (!kIsSanitized) {
    limit(RLIMIT_NPROC, 0);
    if (const uint64_t used = address_space(); used > 0) limit(RLIMIT_AS, used + memory);
  }
  (void)::prctl(PR_SET_DUMPABLE, 0);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return install_filter();
}

void allow_processor_time(uint32_t seconds) {
  rusage used{};
  rlimit bounds{};
  if (::getrusage(RUSAGE_SELF, &used) != 0 || ::getrlimit(RLIMIT_CPU, &bounds) != 0) return;
  bounds.rlim_cur = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1) + seconds;
  if (bounds.rlim_cur <= bounds.rlim_max) (void)::setrlimit(RLIMIT_CPU, &bounds);
}

}  // namespace caddis::documents
