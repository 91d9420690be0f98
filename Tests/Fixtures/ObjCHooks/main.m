// Checks of CObjCHooks on GCC's Objective-C runtime, each in a process of its own, so that a crash is one check's.
// Prints `name: ok` for each. With `cost`, prints what a replaced method costs.
#include "checks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char noted[1 << 16];

void note(const char *format, ...) {
    size_t used = strlen(noted);
    if (used > 0 && used + 2 < sizeof noted) noted[used++] = '\n';
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(noted + used, sizeof noted - used, format, arguments);
    va_end(arguments);
}

void expect_equal(const char *file, int line, const char *what, long found, long expected) {
    if (found == expected) return;
    printf("%s:%d: %s: expected %ld, found %ld\n", file, line, what, expected, found);
    exit(1);
}

void expect_log(const char *file, int line, const char *expected) {
    if (strcmp(noted, expected) != 0) {
        printf("%s:%d: expected\n%s\nfound\n%s\n", file, line, expected, noted);
        exit(1);
    }
    noted[0] = 0;
}

static void log_activation(const char *mark, const struct keyflight_activation *activation, bool ends) {
    const char *type = keyflight_class_name(keyflight_class_of(activation->object));
    const char *owner = keyflight_class_name(activation->owner);
    note("%s%*s%s %s%s%s%s%s", mark, (int)activation->depth + 1, " ", type,
         keyflight_selector_name(activation->selector), strcmp(type, owner) == 0 ? "" : " of ",
         strcmp(type, owner) == 0 ? "" : owner, activation->is_super ? " super" : "",
         ends && activation->is_unwound ? " unwound" : "");
}
void log_before(struct keyflight_activation *activation) { log_activation(">", activation, false); }
void log_after(struct keyflight_activation *activation) { log_activation("<", activation, true); }

void start_and_scan(const struct keyflight_hook *hooks, size_t count) {
    EXPECT(keyflight_hooks_start(hooks, count), KEYFLIGHT_HOOK_OK);
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_OK);
}

size_t methods_with(enum keyflight_hook_status status) {
    static struct keyflight_hooked_method methods[4096];
    size_t count = keyflight_hooks_methods(methods, 4096), found = 0;
    for (size_t index = 0; index < count; index++) found += methods[index].status == status;
    return found;
}

static int run(const struct check *check) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        // A check that hangs is a failure too.
        alarm(60);
        check->run();
        EXPECT(keyflight_hooks_current() == NULL, 1);
        EXPECT_LOG("");
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0) {
        printf("%s: ok\n", check->name);
        return 0;
    }
    if (WIFSIGNALED(status)) printf("%s: FAILED (signal %d)\n", check->name, WTERMSIG(status));
    else printf("%s: FAILED\n", check->name);
    return 1;
}

int measure_cost(void);

int main(int count, char **words) {
    if (count == 2 && strcmp(words[1], "cost") == 0) return measure_cost();
    const struct check *all[] = {table_checks, call_checks, class_checks};
    int failed = 0, passed = 0;
    for (unsigned list = 0; list < 3; list++) {
        for (const struct check *check = all[list]; check->name != NULL; check++) {
            if (count == 2 && strcmp(words[1], check->name) != 0) continue;
            if (run(check) != 0) failed++;
            else passed++;
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
