#ifndef KEYFLIGHT_ADAPTER_ENTRY_H
#define KEYFLIGHT_ADAPTER_ENTRY_H

#include <stdbool.h>

/// Begins to record this process if the environment asks for it. Before `main`, on the thread that runs it. True where a
/// recording began.
/// `take_signals` is for it to call once the toolkit is there, until it returns true.
bool keyflight_adapter_start(bool (*take_signals)(void));

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
