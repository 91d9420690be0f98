#ifndef KEYFLIGHT_ADAPTER_ENTRY_H
#define KEYFLIGHT_ADAPTER_ENTRY_H

/// Begins to record this process if the environment asks for it. Before `main`, on the thread that runs it.
void keyflight_adapter_start(void);

#endif
