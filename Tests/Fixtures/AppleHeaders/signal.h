// What CAdapterEntry uses of Apple's <signal.h>. See Scripts/real-apps.
#pragma once
typedef int pid_t;
typedef unsigned int sigset_t;
struct sigaction {
    void (*sa_handler)(int);
    sigset_t sa_mask;
    int sa_flags;
};
#define SIG_DFL ((void (*)(int))0)
#define SIGINT 2
#define SIGTERM 15
#define SIGURG 16
#define SIG_SETMASK 3
#define SA_RESTART 0x0002
#define SA_RESETHAND 0x0004
void (*signal(int number, void (*handler)(int)))(int);
int kill(pid_t process, int number);
int sigaction(int number, const struct sigaction *action, struct sigaction *before);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before);
