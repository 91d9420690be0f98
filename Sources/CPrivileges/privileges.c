#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "privileges.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/// A number that sudo has left in the environment; 0 where there is none.
static unsigned long number(const char *name) {
    const char *text = getenv(name);
    if (!text || !*text) return 0;
    char *end = NULL;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    return errno == 0 && end && *end == 0 ? value : 0;
}

static int become(uid_t user, gid_t group) {
    const struct passwd *entry = getpwuid(user);
    if (entry ? initgroups(entry->pw_name, group) != 0 : setgroups(1, &group) != 0) return -1;
    if (setgid(group) != 0 || setuid(user) != 0) return -1;
    // There must be no way back.
    if (setuid(0) == 0) {
        errno = EPERM;
        return -1;
    }
    return 1;
}

static int clear_capabilities(void) {
#ifdef __linux__
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    memset(data, 0, sizeof data);
    if (syscall(SYS_capget, &header, data) != 0) return -1;
    int had = 0;
    for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) had |= data[i].permitted != 0;
    if (!had) return 0;
    memset(data, 0, sizeof data);
    if (syscall(SYS_capset, &header, data) != 0) return -1;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return 1;
#else
    return 0;
#endif
}

int keyflight_drop_privileges(void) {
    if (geteuid() == 0) {
        if (getuid() != 0) return become(getuid(), getgid());
        unsigned long user = number("SUDO_UID");
        if (user != 0) return become((uid_t)user, (gid_t)number("SUDO_GID"));
        return 0;
    }
    return clear_capabilities();
}

void keyflight_refuse_dumps(void) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
    // A pipe in core_pattern has no limit, but gets nothing of such a process.
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

__attribute__((noinline)) void keyflight_wipe_stack(void) {
    char below[1 << 16];
    memset(below, 0, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}
