// The headers that nearly every test includes, for cmake/Precompiled.cmake; see src/caddis/base/precompiled.h.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/precompiled.h"
