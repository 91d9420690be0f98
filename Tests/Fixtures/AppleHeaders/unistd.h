// What CAdapterEntry uses of Apple's <unistd.h>. See Scripts/real-apps.
#pragma once
typedef int pid_t;
int close(int file);
pid_t getpid(void);
int pipe(int ends[2]);
long read(int file, void *bytes, unsigned long count);
long write(int file, const void *bytes, unsigned long count);
