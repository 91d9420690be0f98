// What CAdapterEntry uses of Apple's <errno.h>. See Scripts/real-apps.
#pragma once
int *__error(void);
#define errno (*__error())
