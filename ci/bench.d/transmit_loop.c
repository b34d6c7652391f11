/* SPDX-License-Identifier: MIT
 *
 * transmit_loop [-r NAME] [-n COUNT] [-w COUNT] APDU...
 *
 * The least that a PC/SC program can do: connects to the first reader whose name contains NAME, sends every APDU
 * but the last once, then the last one -w times unmeasured and -n times measured, and prints the rate of those as
 * one number (exchanges a second). The measure that taprig is held against.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <winscard.h>

static void check(LONG result, const char *call)
{
    if (result == SCARD_S_SUCCESS)
        return;
    fprintf(stderr, "transmit_loop: %s: %s\n", call, pcsc_stringify_error(result));
    exit(3);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static size_t bytes_of(const char *hex, unsigned char *out, size_t limit)
{
    size_t count = 0;
    unsigned value;
    for (; hex[0] && hex[1] && count < limit; hex += 2) {
        if (sscanf(hex, "%2x", &value) != 1) {
            fprintf(stderr, "transmit_loop: '%s' is no hex text\n", hex);
            exit(2);
        }
        out[count++] = (unsigned char)value;
    }
    return count;
}

static SCARDHANDLE card;
static const SCARD_IO_REQUEST *header;
static unsigned char answer[MAX_BUFFER_SIZE_EXTENDED];

static void exchange(const unsigned char *command, size_t length)
{
    DWORD got = sizeof answer;
    check(SCardTransmit(card, header, command, length, NULL, answer, &got), "SCardTransmit");
    if (got < 2) {
        fprintf(stderr, "transmit_loop: an answer of %lu bytes\n", (unsigned long)got);
        exit(3);
    }
}

int main(int argc, char **argv)
{
    const char *wanted = "";
    long measured = 10000, unmeasured = 0;
    int option;
    while ((option = getopt(argc, argv, "r:n:w:")) != -1) {
        if (option == 'r')
            wanted = optarg;
        else if (option == 'n')
            measured = atol(optarg);
        else if (option == 'w')
            unmeasured = atol(optarg);
        else
            return 2;
    }
    if (optind == argc) {
        fprintf(stderr, "transmit_loop: no APDU given\n");
        return 2;
    }

    SCARDCONTEXT context;
    check(SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &context), "SCardEstablishContext");
    DWORD size = 0;
    check(SCardListReaders(context, NULL, NULL, &size), "SCardListReaders");
    char *names = malloc(size);
    if (!names)
        return 3;
    check(SCardListReaders(context, NULL, names, &size), "SCardListReaders");
    const char *name = names;
    while (*name && !strstr(name, wanted))
        name += strlen(name) + 1;
    if (!*name) {
        fprintf(stderr, "transmit_loop: no reader has '%s' in its name\n", wanted);
        return 3;
    }
    DWORD protocol = 0;
    check(SCardConnect(context, name, SCARD_SHARE_SHARED, SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1, &card, &protocol),
          "SCardConnect");
    header = protocol == SCARD_PROTOCOL_T0 ? SCARD_PCI_T0 : SCARD_PCI_T1;

    static unsigned char command[4096];
    size_t length = 0;
    for (; optind < argc; optind++) {
        length = bytes_of(argv[optind], command, sizeof command);
        if (optind + 1 < argc)
            exchange(command, length);
    }
    for (long i = 0; i < unmeasured; i++)
        exchange(command, length);
    double start = seconds();
    for (long i = 0; i < measured; i++)
        exchange(command, length);
    printf("%.1f\n", (double)measured / (seconds() - start));

    SCardDisconnect(card, SCARD_LEAVE_CARD);
    SCardReleaseContext(context);
    free(names);
    return 0;
}
