#ifndef KEYFLIGHT_BUILD_STAMP_H
#define KEYFLIGHT_BUILD_STAMP_H

/// Version and commit of an installed program, as `VERSION COMMIT`, at most 127 bytes of UTF-8; empty in other builds.
/// Scripts/install writes it into the section keyflight_stamp of the linked program, so that no build depends on it.
const char *keyflight_build_stamp(void);

#endif
