#include "caddis/feeds/sitemap.h"
