// Whether the document at hand was named as a sitemap: by a robots.txt, by the index of others, or by a redirect from one
// that was. The pages that a sitemap lists are named in the same way: what each of them is, its bytes say.
#pragma once

namespace caddis::visit {

class Visit;

bool is_named_sitemap(const Visit& visit);

}  // namespace caddis::visit
