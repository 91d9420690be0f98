#include <dlfcn.h>
#include <pcap/pcap.h>
#include <stdio.h>

// libpcap brings eight other libraries with it. So it is loaded by the first capture that needs it, and not by each
// start of the program.

/// A function of libpcap; null where it is not installed.
static inline void *keyflight_pcap_function(const char *name) {
#ifdef __APPLE__
    static const char *const names[] = {"libpcap.A.dylib"};
#else
    // Debian's name, and that of others.
    static const char *const names[] = {"libpcap.so.0.8", "libpcap.so.1"};
#endif
    static void *loaded;
    void *library = __atomic_load_n(&loaded, __ATOMIC_ACQUIRE);
    for (size_t place = 0; !library && place < sizeof names / sizeof *names; place++) {
        library = dlopen(names[place], RTLD_NOW | RTLD_LOCAL);
        __atomic_store_n(&loaded, library, __ATOMIC_RELEASE);
    }
    return library ? dlsym(library, name) : (void *)0;
}

/// Defines `keyflight_NAME`, which calls NAME of libpcap. It takes what one of the two calls that open a capture made,
/// and these make nothing without libpcap.
#define KEYFLIGHT_PCAP(result, name, parameters, arguments) \
    static inline result keyflight_##name parameters { \
        return ((result(*) parameters)keyflight_pcap_function(#name))arguments; \
    }

/// The message where libpcap is missing.
static inline pcap_t *keyflight_pcap_missing(char *message) {
    snprintf(message, PCAP_ERRBUF_SIZE, "no libpcap, which is not installed");
    return (pcap_t *)0;
}

static inline pcap_t *keyflight_pcap_create(const char *source, char *message) {
    pcap_t *(*call)(const char *, char *) = (pcap_t *(*)(const char *, char *))keyflight_pcap_function("pcap_create");
    return call ? call(source, message) : keyflight_pcap_missing(message);
}

static inline pcap_t *keyflight_pcap_fopen_offline(FILE *file, char *message) {
    pcap_t *(*call)(FILE *, char *) = (pcap_t *(*)(FILE *, char *))keyflight_pcap_function("pcap_fopen_offline");
    return call ? call(file, message) : keyflight_pcap_missing(message);
}

KEYFLIGHT_PCAP(int, pcap_activate, (pcap_t *pcap), (pcap))
KEYFLIGHT_PCAP(int, pcap_datalink, (pcap_t *pcap), (pcap))
KEYFLIGHT_PCAP(int, pcap_get_selectable_fd, (pcap_t *pcap), (pcap))
KEYFLIGHT_PCAP(int, pcap_get_tstamp_precision, (pcap_t *pcap), (pcap))
KEYFLIGHT_PCAP(int, pcap_major_version, (pcap_t *pcap), (pcap))
KEYFLIGHT_PCAP(int, pcap_minor_version, (pcap_t *pcap), (pcap))
KEYFLIGHT_PCAP(int, pcap_snapshot, (pcap_t *pcap), (pcap))
KEYFLIGHT_PCAP(char *, pcap_geterr, (pcap_t *pcap), (pcap))
KEYFLIGHT_PCAP(void, pcap_close, (pcap_t *pcap), (pcap))
KEYFLIGHT_PCAP(int, pcap_set_immediate_mode, (pcap_t *pcap, int value), (pcap, value))
KEYFLIGHT_PCAP(int, pcap_set_promisc, (pcap_t *pcap, int value), (pcap, value))
KEYFLIGHT_PCAP(int, pcap_set_snaplen, (pcap_t *pcap, int value), (pcap, value))
KEYFLIGHT_PCAP(int, pcap_set_timeout, (pcap_t *pcap, int value), (pcap, value))
KEYFLIGHT_PCAP(int, pcap_set_tstamp_precision, (pcap_t *pcap, int value), (pcap, value))
KEYFLIGHT_PCAP(int, pcap_setnonblock, (pcap_t *pcap, int value, char *message), (pcap, value, message))
KEYFLIGHT_PCAP(int, pcap_stats, (pcap_t *pcap, struct pcap_stat *stats), (pcap, stats))
KEYFLIGHT_PCAP(int, pcap_dispatch, (pcap_t *pcap, int count, pcap_handler handler, u_char *context),
    (pcap, count, handler, context))
