#ifndef KEYFLIGHT_ADAPTER_ENTRY_H
#define KEYFLIGHT_ADAPTER_ENTRY_H

#include <stdbool.h>

/// Begins to record this process if the environment asks for it. Before `main`, on the thread that runs it. True where a
/// recording began.
/// `take_signals` is for it to call once the toolkit is there, until it returns true.
bool keyflight_adapter_start(bool (*take_signals)(void));

/// Asks the app to quit, as its menu does. On any thread. False where there is no app object to ask.
bool keyflight_adapter_quit(void);

/// SIGTERM and SIGINT ask the app to quit, so that its trace ends well; the second one ends the process, and so does the
/// first where the app cannot be asked. A signal that is ignored or handled already stays as it is, and an app that
/// handles one later has its way.
void keyflight_adapter_watch_signals(void);

/// Takes the signals over from GNUstep, whose handlers quit the app inside of the handler: it would wait for ever for a
/// lock that the interrupted thread holds. True where they were GNUstep's, or where nothing is to be taken.
bool keyflight_adapter_take_signals(void);

#endif
