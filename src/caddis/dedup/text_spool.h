// The texts of blocks between sorting and compressing: in a temporary file, since the dictionary that compresses them is
// trained on some of all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::dedup {

// One thread. The temporary file is gone when it is.
class TextSpool {
 public:
  TextSpool(io::Files& files, std::string path) : files_(files), path_(std::move(path)) {}
  ~TextSpool();
  TextSpool(const TextSpool&) = delete;
  TextSpool& operator=(const TextSpool&) = delete;

  // Takes the bytes that BlockText::take gave.
  Result<void> add(std::string_view taken);
  // Trained on texts from all over; empty where there are few.
  std::string dictionary() const;
  // Gives all of them in order.
  Result<void> each(const std::function<Result<void>(std::string_view taken)>& use);

 private:
  Result<void> flush();
  void sample(std::string_view text);

  io::Files& files_;
  const std::string path_;
  std::unique_ptr<io::File> file_;
  std::string pending_;
  uint64_t texts_ = 0, bytes_ = 0;
  uint64_t stride_ = 1;  // every so many is a sample
  std::vector<std::string> samples_;
};

}  // namespace caddis::dedup
