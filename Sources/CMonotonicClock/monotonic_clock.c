#include "monotonic_clock.h"
