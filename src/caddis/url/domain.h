// Registrable domains (eTLD+1, "example.co.uk") by the Public Suffix List (https://publicsuffix.org), through libpsl.
//
// The built-in list is the one libpsl was built with; a SuffixList may be loaded from another edition's text. Both are
// immutable and may be asked from any thread. Hosts are as Url::hostname() gives them: lower case, A-labels.
#pragma once

#include <memory>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::url {

// The registrable domain as a view into `host`; empty where there is none (a public suffix itself, an IP address, no
// dot).
std::string_view registrable_domain(std::string_view host);

class SuffixList {
 public:
  // `dat` is the text of a public_suffix_list.dat.
  static Result<SuffixList> from_text(std::string_view dat);

  std::string_view registrable_domain(std::string_view host) const;

 private:
  explicit SuffixList(std::shared_ptr<const void> list) : list_(std::move(list)) {}
  std::shared_ptr<const void> list_;
};

}  // namespace caddis::url
