#ifndef KEYFLIGHT_ADAPTER_ENTRY_H
#define KEYFLIGHT_ADAPTER_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

/// Calls of malloc's family by one thread, and the bytes that they were asked for. While `is_paused` is not 0 nothing
/// is counted. AppAdapter has it as three words.
struct keyflight_thread_counts {
    uint64_t is_paused, allocations, bytes;
};

/// Those of the calling thread; NULL where its allocations are not counted.
struct keyflight_thread_counts *keyflight_thread_counts(void);

/// Begins to record this process if the environment asks for it. Before `main`, on the thread that runs it. True where
/// a recording began.
/// `take_signals` is for it to call once the toolkit is there, until it returns true. `counts` are those of this
/// thread, or NULL.
bool keyflight_adapter_start(bool (*take_signals)(void), struct keyflight_thread_counts *counts);

/// Asks the app to quit, as its menu does. On any thread. False where there is no app object to ask, or one that does
/// not run yet.
bool keyflight_adapter_quit(void);

/// Starts the adapter. SIGTERM, SIGINT and SIGURG ask the app to quit then, so that its trace ends well; the second of
/// the first two ends the process, and so does a first one where the app cannot be asked. A signal that is ignored or
/// handled already stays as it is, and an app that handles one later has its way.
///
/// GNUstep takes SIGTERM and SIGINT as it begins, loses them until its app runs, and quits inside of the handler, which
/// would wait for ever for a lock that the interrupted thread holds: they are taken over from it with the first message
/// that is observed. SIGURG, which no toolkit takes, is the launcher's.
void keyflight_adapter_begin(void);

#endif
