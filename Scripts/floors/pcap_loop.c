// pcap_loop FILE: a bare libpcap loop over a usbmon capture that decodes its boot reports: the floor of `import`.
// pcap_loop FILE decode ROUNDS: the same, and nanoseconds of processor time of the fastest round.
// pcap_loop FILE walk ROUNDS: a loop that counts packets and looks at their times, and nothing else, likewise.
#include "boot_report.h"
#include <pcap/pcap.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    decoder decoder;
    uint32_t header, nanoseconds_per_unit;
} state;

static void on_packet(u_char *user, const struct pcap_pkthdr *packet, const u_char *data) {
    state *s = (state *)user;
    uint64_t time = packet->ts.tv_sec * UINT64_C(1000000000) + packet->ts.tv_usec * s->nanoseconds_per_unit;
    apply_usbmon(&s->decoder, data, packet->caplen, time, s->header);
}

static void on_walked_packet(u_char *user, const struct pcap_pkthdr *packet, const u_char *data) {
    (void)data;
    decoder *d = (decoder *)user;
    d->packets++;
    d->last_time = packet->ts.tv_sec * UINT64_C(1000000000) + packet->ts.tv_usec * UINT64_C(1000);
}

static uint64_t processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

static int loop(const char *path, state *s, int is_walk) {
    char error[PCAP_ERRBUF_SIZE];
    pcap_t *file = pcap_open_offline(path, error);
    if (!file) return fprintf(stderr, "%s\n", error), 2;
    *s = (state){.header = pcap_datalink(file) == 220 ? 64 : 48, .nanoseconds_per_unit = 1000};
    if (pcap_loop(file, -1, is_walk ? on_walked_packet : on_packet, (u_char *)s) < 0)
        return fprintf(stderr, "%s\n", pcap_geterr(file)), 2;
    pcap_close(file);
    return 0;
}

int main(int argc, char **argv) {
    const int is_walk = argc == 4 && strcmp(argv[2], "walk") == 0;
    if (argc != 2 && !is_walk && (argc != 4 || strcmp(argv[2], "decode") != 0))
        return fprintf(stderr, "usage: pcap_loop FILE [decode ROUNDS | walk ROUNDS]\n"), 64;
    uint64_t best = UINT64_MAX;
    state s;
    for (int round = 0; round < (argc == 4 ? atoi(argv[3]) : 1); round++) {
        const uint64_t begin = processor_time();
        const int status = loop(argv[1], &s, is_walk);
        if (status != 0) return status;
        const uint64_t took = processor_time() - begin;
        if (took < best) best = took;
    }
    if (is_walk) printf("packets %" PRIu64 " last %" PRIu64, s.decoder.packets, s.decoder.last_time);
    else print_decoder(&s.decoder);
    if (argc == 4) printf(" processor_ns %" PRIu64, best);
    putchar('\n');
    return 0;
}
