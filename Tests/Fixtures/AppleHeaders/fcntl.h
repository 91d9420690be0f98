// What CAdapterEntry uses of Apple's <fcntl.h>. See Scripts/real-apps.
#pragma once
#define F_SETFD 2
#define FD_CLOEXEC 1
int fcntl(int file, int command, ...);
