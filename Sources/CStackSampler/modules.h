#ifndef KEYFLIGHT_MODULES_H
#define KEYFLIGHT_MODULES_H

#include "stack_unwinder.h"

struct dl_phdr_info;

/// Nothing was loaded or unloaded since the last refresh. Inside dl_iterate_phdr.
bool modules_are_current(const struct dl_phdr_info *info);

/// Reads the loaded modules again. True where one was unloaded: its addresses may be another one's now.
bool modules_refresh(void);

#endif
