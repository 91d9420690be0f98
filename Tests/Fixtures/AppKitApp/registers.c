// Preloaded into gdb: a machine on which the kernel refuses to write the extended registers of another process.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

long ptrace(int request, ...) {
    va_list rest;
    va_start(rest, request);
    const long process = va_arg(rest, int);
    void *address = va_arg(rest, void *), *data = va_arg(rest, void *);
    va_end(rest);
    // PTRACE_SETREGSET of NT_X86_XSTATE
    if (request == 0x4205 && (long)address == 0x202) {
        errno = EFAULT;
        return -1;
    }
    // The three requests that peek return what they find.
    long word = 0;
    const int peeks = request >= 1 && request <= 3;
    const long result = syscall(SYS_ptrace, request, process, address, peeks ? &word : data);
    return peeks && result >= 0 ? word : result;
}
