#include "build_stamp.h"

#ifdef __APPLE__
#define STAMP "__TEXT,__kf_stamp"
#else
#define STAMP "keyflight_stamp"
#endif

// Not empty, since a section of zeros could be left out of the file.
__attribute__((section(STAMP), used)) static const char stamp[128] = {0, '.'};

const char *keyflight_build_stamp(void) {
    // The compiler knows what is above; the file may have other bytes.
    const char *bytes = stamp;
    __asm__("" : "+r"(bytes));
    return bytes;
}
