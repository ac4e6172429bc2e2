#include "caddis/scope/scope_settings.h"
