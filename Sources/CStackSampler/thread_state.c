#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "thread_state.h"

#if defined(__linux__)

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool read_thread_state(int file, struct thread_state *state) {
    char text[256];
    const ssize_t length = pread(file, text, sizeof text - 1, 0);
    if (length <= 0 || text[0] == 'r') return false;
    text[length] = 0;
    char *at = text;
    state->call = (int)strtol(at, &at, 10);
    uint64_t numbers[8];
    int count = 0;
    while (count < 8 && *at == ' ') numbers[count++] = strtoull(at, &at, 16);
    if (count < 2) return false;
    state->sp = numbers[count - 2];
    state->pc = numbers[count - 1];
    return true;
}

bool process_is_traced(void) {
    char text[2048];
    const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (file < 0) return true;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return true;
    text[length] = 0;
    const char *line = strstr(text, "TracerPid:");
    return line == NULL || atoi(line + strlen("TracerPid:")) != 0;
}

#endif
