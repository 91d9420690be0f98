#include "recorder_switch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

uint32_t keyflight_switch_word = 0;
uint32_t keyflight_flusher_sleeps = 0;
uint32_t keyflight_stray_releases = 0;

// A pipe needs no lock to write to, and poll gives up by itself.
static int pipe_ends[2] = {-1, -1};
static pthread_once_t pipe_once = PTHREAD_ONCE_INIT;

static void make_pipe(void) {
    if (pipe(pipe_ends) != 0) {
        pipe_ends[0] = pipe_ends[1] = -1;
        return;
    }
    for (int end = 0; end < 2; end++) {
        fcntl(pipe_ends[end], F_SETFL, O_NONBLOCK);
        fcntl(pipe_ends[end], F_SETFD, FD_CLOEXEC);
    }
}

void keyflight_poke_flusher(void) {
    pthread_once(&pipe_once, make_pipe);
    int saved = errno;
    // A full pipe wakes just as well.
    if (pipe_ends[1] >= 0 && write(pipe_ends[1], "", 1) < 0) errno = saved;
}

void keyflight_wake_flusher(void) {
    if (keyflight_set_flusher_asleep(0) != 0) keyflight_poke_flusher();
}

int keyflight_wait_for_wake(int milliseconds) {
    pthread_once(&pipe_once, make_pipe);
    if (pipe_ends[0] < 0) return 0;
    struct pollfd request = {.fd = pipe_ends[0], .events = POLLIN, .revents = 0};
    poll(&request, 1, milliseconds);
    char bytes[64];
    while (read(pipe_ends[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) {
    }
    return 1;
}
