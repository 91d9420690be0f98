#ifndef KEYFLIGHT_PRIVILEGES_H
#define KEYFLIGHT_PRIVILEGES_H

/// Gives up for good what was only needed to open devices. Of a program that sudo or a set-user-id bit made root, the
/// user becomes the one who called it; capabilities are cleared. Of root's own shell nothing changes.
/// 0: there was nothing to give up, 1: it was given up, -1: it could not be, and errno says why.
int keyflight_drop_privileges(void);

/// No core dump of this process is made any more, and no other process of the same user can read its memory. A change of
/// the user undoes that, and so does exec.
void keyflight_refuse_dumps(void);

/// Overwrites the 64 KiB of the stack below the caller: what calls that have returned left there.
void keyflight_wipe_stack(void);

#endif
