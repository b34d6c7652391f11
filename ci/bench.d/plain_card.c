/* SPDX-License-Identifier: MIT
 *
 * plain_card [PORT]
 *
 * The least that a virtual card of vpcd can do: dials the driver on this host and answers READ BINARY with as many
 * zero bytes as were asked for and every other command with 9000. The measure that `taprig emulate` is held against.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const unsigned char answer_to_reset[] = {0x3B, 0x80, 0x80, 0x01, 0x01};

static int receive(int link, unsigned char *buffer, size_t length)
{
    while (length > 0) {
        /* The driver writes length and body apart and waits in between for an acknowledgement, which the kernel
         * would hold back; the option lasts for one read only. */
        int on = 1;
        setsockopt(link, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
        ssize_t got = recv(link, buffer, length, 0);
        if (got <= 0)
            return 0;
        buffer += got;
        length -= (size_t)got;
    }
    return 1;
}

/* The message has room for its length in front. */
static int deliver(int link, unsigned char *message, size_t length)
{
    message[0] = (unsigned char)(length >> 8);
    message[1] = (unsigned char)length;
    return send(link, message, length + 2, MSG_NOSIGNAL) == (ssize_t)(length + 2);
}

static void serve(int link)
{
    static unsigned char command[65536], message[2 + 256 + 2];
    for (;;) {
        unsigned char prefix[2];
        if (!receive(link, prefix, 2))
            return;
        size_t length = (size_t)prefix[0] << 8 | prefix[1];
        if (!receive(link, command, length))
            return;
        size_t count = 0;
        if (length == 1) {
            if (command[0] != 4)
                continue;
            count = sizeof answer_to_reset;
            memcpy(message + 2, answer_to_reset, count);
        } else {
            if (length == 5 && command[1] == 0xB0)
                count = command[4] ? command[4] : 256;
            memset(message + 2, 0, count);
            message[2 + count] = 0x90;
            message[3 + count] = 0x00;
            count += 2;
        }
        if (!deliver(link, message, count))
            return;
    }
}

int main(int argc, char **argv)
{
    struct sockaddr_in driver = {0};
    driver.sin_family = AF_INET;
    driver.sin_port = htons((unsigned short)(argc > 1 ? atoi(argv[1]) : 35963));
    driver.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (;;) {
        int on = 1, link = socket(AF_INET, SOCK_STREAM, 0);
        if (link < 0) {
            perror("plain_card: socket");
            return 3;
        }
        if (connect(link, (struct sockaddr *)&driver, sizeof driver) == 0) {
            setsockopt(link, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            serve(link);
        }
        close(link);
        usleep(100000);
    }
}
