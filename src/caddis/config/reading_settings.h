// The settings of who looks for links in what was fetched: the sections `extract` and `documents`.
#pragma once

#include "caddis/documents/settings.h"
#include "caddis/extract/settings.h"
