#include "caddis/base/last_words.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CADDIS_OWN_ALLOCATOR 1
#endif
#endif

namespace caddis {
namespace {

using testing::ExitedWithCode;
using testing::KilledBySignal;

template <class Exception>
void let_go(const Exception& exception) noexcept {
  throw exception;
}

TEST(LastWordsDeathTest, SaysThatMemoryIsAtItsEnd) {
  const auto end = [] {
    prepare_last_words();
    std::get_new_handler()();
  };
  EXPECT_EXIT(end(), ExitedWithCode(1), "^caddis: out of memory; what was committed is safe.*--resume\\)\n$");
  const auto thrown = [] {
    prepare_last_words();
    let_go(std::bad_alloc());
  };
  EXPECT_EXIT(thrown(), ExitedWithCode(1), "^caddis: out of memory");
}

TEST(LastWordsDeathTest, NamesTheLimit) {
#ifdef CADDIS_OWN_ALLOCATOR
  GTEST_SKIP() << "the sanitizer's allocator asks no handler, and needs more than any limit";
#else
  const auto end = [] {
    prepare_last_words();
    const rlimit limit{400'000'000, 400'000'000};
    ::setrlimit(RLIMIT_AS, &limit);
    std::vector<std::vector<char> > all;
    for (;;) all.emplace_back(10'000'000);
  };
  EXPECT_EXIT(end(), ExitedWithCode(1), "^caddis: out of memory: this process may have 400 MB \\(ulimit -v\\)");
#endif
}

TEST(LastWordsDeathTest, SaysWhatTheSystemRefused) {
  const auto end = [] {
    prepare_last_words();
    let_go(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again), "thread"));
  };
  EXPECT_EXIT(end(), ExitedWithCode(1), "^caddis: the system gives it nothing more: thread: Resource temporarily");
}

TEST(LastWordsDeathTest, AFaultOfTheProgramStillAborts) {
  const auto end = [] {
    prepare_last_words();
    let_go(std::logic_error("what should not be"));
  };
  EXPECT_EXIT(end(), KilledBySignal(SIGABRT), "^caddis: what should not be\n");
}

}  // namespace
}  // namespace caddis
