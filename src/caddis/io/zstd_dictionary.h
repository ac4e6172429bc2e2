// A dictionary made ready for frames to use. Internal to zstd_*.cc.
#pragma once

#include <zstd.h>

#include <memory>
#include <mutex>
#include <string_view>

#include "caddis/io/zstd.h"

namespace caddis::io {

int zstd_level(ZstdEffort effort);

struct ZstdDictionary::Digested {
  template <auto free>
  struct Free {
    template <class T>
    void operator()(T* object) const {
      free(object);
    }
  };
  // For compressing: made once for each effort, since it takes longer than compressing a record.
  struct Compressing {
    std::once_flag once;
    std::unique_ptr<ZSTD_CDict, Free<ZSTD_freeCDict>> made;
  };

  const ZSTD_CDict* for_effort(ZstdEffort effort, std::string_view bytes);

  std::unique_ptr<ZSTD_DDict, Free<ZSTD_freeDDict>> reading;
  Compressing fast, small;
};

}  // namespace caddis::io
