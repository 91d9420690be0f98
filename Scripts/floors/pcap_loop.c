// pcap_loop FILE: a bare libpcap loop over a usbmon capture that decodes its boot reports: the floor of `import`.
#include "boot_report.h"
#include <pcap/pcap.h>

typedef struct {
    decoder decoder;
    uint32_t header, nanoseconds_per_unit;
} state;

static void on_packet(u_char *user, const struct pcap_pkthdr *packet, const u_char *data) {
    state *s = (state *)user;
    uint64_t time = packet->ts.tv_sec * UINT64_C(1000000000) + packet->ts.tv_usec * s->nanoseconds_per_unit;
    apply_usbmon(&s->decoder, data, packet->caplen, time, s->header);
}

int main(int argc, char **argv) {
    if (argc != 2) return fprintf(stderr, "usage: pcap_loop FILE\n"), 64;
    char error[PCAP_ERRBUF_SIZE];
    pcap_t *file = pcap_open_offline(argv[1], error);
    if (!file) return fprintf(stderr, "%s\n", error), 2;
    state s = {.header = pcap_datalink(file) == 220 ? 64 : 48, .nanoseconds_per_unit = 1000};
    if (pcap_loop(file, -1, on_packet, (u_char *)&s) < 0) return fprintf(stderr, "%s\n", pcap_geterr(file)), 2;
    pcap_close(file);
    print_decoder(&s.decoder);
    return 0;
}
