// SPDX-License-Identifier: MIT
/*
 * umock_probe: a pretended KitProg3 on a pretended USB, for programs that use libusb.
 *
 * umockdev preloads a library that redirects /sys, /dev and ioctl() of the program under test to this process, so
 * neither USB nor root is needed. Bulk transfers go on to `taprig kit emulate` by TCP, in OpenOCD's framing; the
 * probe is plugged in as long as that link lives.
 *
 *     umockdev-wrapper ./umock_probe DEVICE... -- PROGRAM ARGUMENT...
 *
 * A DEVICE is SERIAL:PORT, or SERIAL:PORT:WORD,WORD... with these words:
 *     old            interface class 00, as firmware 1.x had it
 *     hid            the HID mode (CMSIS-DAP v1), product F154
 *     busy           another debugger holds the interface
 *     forbidden      this user may not open the device; also for root
 *     stale          answers of an earlier user wait in the probe
 *     silent-sysfs   the kernel has not kept the strings; the device must be asked
 *     large          packets of 512 bytes, so that a zero-length packet has to end some
 *
 * Sources: USB 2.0, chapter 9 (descriptors); linux/usbdevice_fs.h; KitProg3 firmware 1.01 and 2.80.1 (interfaces).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/usbdevice_fs.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <umockdev.h>
#include <unistd.h>

enum { OUT_ENDPOINT = 0x01, IN_ENDPOINT = 0x82, ENDPOINT_SIZE = 64, LONGEST = 1024, MOST_ANSWERS = 8 };

typedef struct {
    const char *serial;
    int port, number;
    int old, hid, busy, forbidden, stale, silent, large;
} Plan;

typedef struct {
    gulong address;
    UMockdevIoctlData *urb, *buffer;
    int is_done;
} Pending;

typedef struct {
    UMockdevIoctlBase parent;
    Plan plan;
    int link, is_gone;
    GQueue urbs;
    uint8_t answers[MOST_ANSWERS][LONGEST];
    size_t lengths[MOST_ANSWERS];
    int answer_count;
    uint8_t held[LONGEST];
    size_t held_length;
} MockProbe;
typedef struct { UMockdevIoctlBaseClass parent; } MockProbeClass;
G_DEFINE_TYPE(MockProbe, mock_probe, umockdev_ioctl_base_get_type())

/* Descriptors */

static const char *text_of(const Plan *plan, int index)
{
    const char *texts[] = {NULL, "Cypress Semiconductor", "KitProg3 CMSIS-DAP", plan->serial,
                           "KitProg3 CMSIS-DAP", "KitProg3 bridge", "KitProg3 USB-UART"};
    return index >= 1 && index <= 6 ? texts[index] : NULL;
}

static int string_descriptor(const Plan *plan, int index, uint8_t *out)
{
    const char *text = text_of(plan, index);
    int length = 2;
    if (index == 0) {
        out[2] = 0x09, out[3] = 0x04; /* English (United States) */
        length = 4;
    } else if (text) {
        for (; *text; text++) {
            out[length++] = (uint8_t)*text;
            out[length++] = 0;
        }
    } else {
        return -1;
    }
    out[0] = (uint8_t)length, out[1] = 0x03;
    return length;
}

static void add(GByteArray *to, const uint8_t *bytes, guint count)
{
    g_byte_array_append(to, bytes, count);
}
#define ADD(to, ...) add(to, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static GByteArray *descriptors(const Plan *plan)
{
    GByteArray *all = g_byte_array_new();
    uint8_t interface_class = plan->hid ? 0x03 : plan->old ? 0x00 : 0xFF;
    uint8_t transfer = plan->hid ? 0x03 : 0x02;
    ADD(all, 18, 0x01, 0x00, 0x02, 0xEF, 0x02, 0x01, 64, 0xB4, 0x04, plan->hid ? 0x54 : 0x55, 0xF1,
        0x01, 0x01, 1, 2, 3, 1);
    guint start = all->len;
    ADD(all, 9, 0x02, 0, 0, 4, 1, 0, 0x80, 250);
    ADD(all, 9, 0x04, 0, 0, 2, interface_class, 0, 0, 4);
    if (plan->hid)
        ADD(all, 9, 0x21, 0x11, 0x01, 0, 1, 0x22, 33, 0);
    ADD(all, 7, 0x05, OUT_ENDPOINT, transfer, ENDPOINT_SIZE, 0, 1);
    ADD(all, 7, 0x05, IN_ENDPOINT, transfer, ENDPOINT_SIZE, 0, 1);
    ADD(all, 9, 0x04, 1, 0, 2, 0xFF, 0, 0, 5);
    ADD(all, 7, 0x05, 0x86, 0x02, ENDPOINT_SIZE, 0, 0);
    ADD(all, 7, 0x05, 0x07, 0x02, ENDPOINT_SIZE, 0, 0);
    ADD(all, 9, 0x04, 2, 0, 1, 0x02, 0x02, 0x01, 6);
    ADD(all, 7, 0x05, 0x83, 0x03, 8, 0, 2);
    ADD(all, 9, 0x04, 3, 0, 2, 0x0A, 0, 0, 0);
    ADD(all, 7, 0x05, 0x84, 0x02, ENDPOINT_SIZE, 0, 0);
    ADD(all, 7, 0x05, 0x05, 0x02, ENDPOINT_SIZE, 0, 0);
    guint length = all->len - start;
    all->data[start + 2] = (uint8_t)length;
    all->data[start + 3] = (uint8_t)(length >> 8);
    return all;
}

/* The link to the emulated probe */

static int dial(int port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int link = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    if (link >= 0 && connect(link, (struct sockaddr *)&place, sizeof place) != 0) {
        close(link);
        link = -1;
    }
    if (link >= 0)
        setsockopt(link, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return link;
}

static int exactly(int link, uint8_t *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t got = recv(link, bytes + done, count - done, 0);
        if (got <= 0)
            return 0;
        done += (size_t)got;
    }
    return 1;
}

static void keep(MockProbe *probe, const uint8_t *bytes, size_t count)
{
    if (probe->answer_count == MOST_ANSWERS)
        return;
    memcpy(probe->answers[probe->answer_count], bytes, count);
    probe->lengths[probe->answer_count++] = count;
}

/* Hands a packet to the emulated probe and takes its answer; a probe that is cut off there is unplugged here. */
static void forward(MockProbe *probe, const uint8_t *packet, size_t count)
{
    uint8_t frame[8 + LONGEST] = {'D', 'A', 'P', 0, (uint8_t)count, (uint8_t)(count >> 8), 1, 0};
    if (probe->link < 0)
        probe->link = dial(probe->plan.port);
    memcpy(frame + 8, packet, count);
    if (probe->link < 0 || send(probe->link, frame, 8 + count, MSG_NOSIGNAL) < 0) {
        probe->is_gone = 1;
        return;
    }
    if (packet[0] == 0x07) /* DAP_TransferAbort has no answer */
        return;
    struct pollfd wait = {.fd = probe->link, .events = POLLIN};
    if (poll(&wait, 1, 5000) != 1)
        return;
    size_t length = 0;
    if (exactly(probe->link, frame, 8))
        length = frame[4] | (size_t)frame[5] << 8;
    if (length == 0 || length > LONGEST || !exactly(probe->link, frame, length))
        probe->is_gone = 1;
    else
        keep(probe, frame, length);
}

/* Bulk transfers */

static void finish(Pending *pending, int status, int count)
{
    struct usbdevfs_urb *urb = (void *)pending->urb->data;
    urb->status = status;
    urb->actual_length = count;
    pending->is_done = 1;
}

static void take_packet(MockProbe *probe, const uint8_t *bytes, size_t count)
{
    size_t whole = probe->plan.large ? 512 : 64;
    if (probe->held_length + count > LONGEST)
        return;
    memcpy(probe->held + probe->held_length, bytes, count);
    probe->held_length += count;
    /* Full USB packets only: the end of the transfer is still to come, unless it is as long as it may be. */
    if (count > 0 && count % ENDPOINT_SIZE == 0 && probe->held_length < whole)
        return;
    if (probe->held_length > 0)
        forward(probe, probe->held, probe->held_length);
    probe->held_length = 0;
}

static void feed(MockProbe *probe)
{
    for (GList *entry = probe->urbs.head; entry && probe->answer_count; entry = entry->next) {
        Pending *pending = entry->data;
        struct usbdevfs_urb *urb = (void *)pending->urb->data;
        if (pending->is_done || urb->endpoint != IN_ENDPOINT || urb->type == USBDEVFS_URB_TYPE_CONTROL)
            continue;
        size_t count = MIN(probe->lengths[0], (size_t)urb->buffer_length);
        umockdev_ioctl_data_update(pending->buffer, 0, probe->answers[0], (gint)count);
        finish(pending, 0, (int)count);
        probe->answer_count--;
        memmove(probe->answers[0], probe->answers[1], sizeof probe->answers[0] * (MOST_ANSWERS - 1));
        memmove(probe->lengths, probe->lengths + 1, sizeof probe->lengths[0] * (MOST_ANSWERS - 1));
    }
}

static void control(MockProbe *probe, Pending *pending)
{
    const uint8_t *setup = pending->buffer->data;
    uint8_t bytes[256];
    int count = -1;
    /* GET_DESCRIPTOR of a string; all others stall. */
    if (setup[0] == 0x80 && setup[1] == 0x06 && setup[3] == 0x03)
        count = string_descriptor(&probe->plan, setup[2], bytes);
    if (count < 0) {
        finish(pending, -EPIPE, 0);
        return;
    }
    count = MIN(count, setup[6] | setup[7] << 8);
    umockdev_ioctl_data_update(pending->buffer, 8, bytes, count);
    finish(pending, 0, count);
}

static void submit(MockProbe *probe, UMockdevIoctlClient *client, UMockdevIoctlData *argument)
{
    GError *error = NULL;
    Pending *pending = g_new0(Pending, 1);
    pending->urb = umockdev_ioctl_data_resolve(argument, 0, sizeof(struct usbdevfs_urb), &error);
    struct usbdevfs_urb *urb = (void *)pending->urb->data;
    pending->address = pending->urb->client_addr;
    if (urb->buffer_length > 0)
        pending->buffer = umockdev_ioctl_data_resolve(
            pending->urb, G_STRUCT_OFFSET(struct usbdevfs_urb, buffer), (gsize)urb->buffer_length, &error);
    if (error) {
        umockdev_ioctl_client_complete(client, -1, EFAULT);
        return;
    }
    if (urb->type == USBDEVFS_URB_TYPE_CONTROL) {
        control(probe, pending);
    } else if (urb->endpoint == OUT_ENDPOINT) {
        take_packet(probe, pending->buffer ? pending->buffer->data : NULL, (size_t)urb->buffer_length);
        finish(pending, 0, urb->buffer_length);
    }
    g_queue_push_tail(&probe->urbs, pending);
    feed(probe);
    umockdev_ioctl_client_complete(client, 0, 0);
}

static void discard(MockProbe *probe, UMockdevIoctlClient *client, gulong address)
{
    for (GList *entry = probe->urbs.head; entry; entry = entry->next) {
        Pending *pending = entry->data;
        if (pending->address == address && !pending->is_done) {
            finish(pending, -ENOENT, 0);
            umockdev_ioctl_client_complete(client, 0, 0);
            return;
        }
    }
    umockdev_ioctl_client_complete(client, -1, EINVAL);
}

static void reap(MockProbe *probe, UMockdevIoctlClient *client, UMockdevIoctlData *argument)
{
    for (GList *entry = probe->urbs.head; entry; entry = entry->next) {
        Pending *pending = entry->data;
        if (!pending->is_done)
            continue;
        UMockdevIoctlData *out = umockdev_ioctl_data_resolve(argument, 0, sizeof(gpointer), NULL);
        umockdev_ioctl_data_update(pending->urb, 0, pending->urb->data, (gint)sizeof(struct usbdevfs_urb));
        umockdev_ioctl_data_set_ptr(out, 0, pending->urb);
        g_queue_delete_link(&probe->urbs, entry);
        umockdev_ioctl_client_complete(client, 0, 0);
        g_free(pending);
        return;
    }
    umockdev_ioctl_client_complete(client, -1, probe->is_gone ? ENODEV : EAGAIN);
}

static gboolean on_ioctl(UMockdevIoctlBase *base, UMockdevIoctlClient *client)
{
    MockProbe *probe = (MockProbe *)base;
    UMockdevIoctlData *argument = umockdev_ioctl_client_get_arg(client);
    gulong request = umockdev_ioctl_client_get_request(client);
    switch (request) {
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY: reap(probe, client, argument); return TRUE;
    case USBDEVFS_DISCARDURB: discard(probe, client, *(gulong *)argument->data); return TRUE;
    default: break;
    }
    if (probe->is_gone) {
        umockdev_ioctl_client_complete(client, -1, ENODEV);
        return TRUE;
    }
    switch (request) {
    case USBDEVFS_GET_CAPABILITIES: {
        UMockdevIoctlData *data = umockdev_ioctl_data_resolve(argument, 0, 4, NULL);
        guint32 capabilities = USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_NO_PACKET_SIZE_LIM;
        umockdev_ioctl_data_update(data, 0, (guint8 *)&capabilities, 4);
        umockdev_ioctl_client_complete(client, 0, 0);
        return TRUE;
    }
    case USBDEVFS_CLAIMINTERFACE:
        umockdev_ioctl_client_complete(client, probe->plan.busy ? -1 : 0, probe->plan.busy ? EBUSY : 0);
        return TRUE;
    case USBDEVFS_RELEASEINTERFACE:
        /* The next user dials anew. */
        if (probe->link >= 0)
            close(probe->link);
        probe->link = -1;
        umockdev_ioctl_client_complete(client, 0, 0);
        return TRUE;
    case USBDEVFS_SETCONFIGURATION:
    case USBDEVFS_CLEAR_HALT:
    case USBDEVFS_RESET: umockdev_ioctl_client_complete(client, 0, 0); return TRUE;
    case USBDEVFS_SUBMITURB: submit(probe, client, argument); return TRUE;
    case USBDEVFS_GETDRIVER:
    case USBDEVFS_IOCTL:
    case USBDEVFS_DISCONNECT_CLAIM: umockdev_ioctl_client_complete(client, -1, ENODATA); return TRUE;
    default: umockdev_ioctl_client_complete(client, -1, ENOTTY); return TRUE;
    }
}

static void mock_probe_class_init(MockProbeClass *class)
{
    ((UMockdevIoctlBaseClass *)class)->handle_ioctl = on_ioctl;
}

static void mock_probe_init(MockProbe *probe)
{
    probe->link = -1;
    g_queue_init(&probe->urbs);
}

/* Set-up */

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "umock_probe: %s: %s\n", what, why);
    exit(3);
}

static Plan plan_of(char *text, int number)
{
    Plan plan = {.number = number};
    char *rest = NULL;
    plan.serial = strtok_r(text, ":", &rest);
    const char *port = strtok_r(NULL, ":", &rest);
    if (!plan.serial || !port || (plan.port = atoi(port)) <= 0)
        fail(text, "a device is SERIAL:PORT or SERIAL:PORT:WORD,WORD");
    for (char *word; (word = strtok_r(NULL, ",", &rest));) {
        const struct { const char *name; int *flag; } words[] = {
            {"old", &plan.old}, {"hid", &plan.hid}, {"busy", &plan.busy}, {"forbidden", &plan.forbidden},
            {"stale", &plan.stale}, {"silent-sysfs", &plan.silent}, {"large", &plan.large}};
        size_t index = 0;
        while (index < G_N_ELEMENTS(words) && strcmp(words[index].name, word) != 0)
            index++;
        if (index == G_N_ELEMENTS(words))
            fail(word, "no such word for a device");
        *words[index].flag = 1;
    }
    return plan;
}

static void plug_in(UMockdevTestbed *testbed, const Plan *plan)
{
    GError *error = NULL;
    GByteArray *bytes = descriptors(plan);
    g_autofree char *node = g_strdup_printf("/dev/bus/usb/001/%03d", plan->number + 1);
    g_autofree char *folder =
        g_strdup_printf("/devices/pci0000:00/0000:00:14.0/usb1/1-%d", plan->number);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text,
        "P: %s\nN: %s\nE: DEVNAME=%s\nE: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\n"
        "E: BUSNUM=001\nE: DEVNUM=%03d\nE: MAJOR=189\nE: MINOR=%d\n"
        "A: busnum=1\\n\nA: devnum=%d\\n\nA: devpath=%d\\n\nA: speed=12\\n\nA: bConfigurationValue=1\\n\n"
        "A: idVendor=04b4\\n\nA: idProduct=%s\\n\n",
        folder, node + strlen("/dev/"), node, plan->number + 1, plan->number, plan->number + 1, plan->number,
        plan->hid ? "f154" : "f155");
    if (!plan->silent)
        g_string_append_printf(text, "A: manufacturer=%s\\n\nA: product=%s\\n\nA: serial=%s\\n\n",
                               text_of(plan, 1), text_of(plan, 2), text_of(plan, 3));
    g_string_append(text, "H: descriptors=");
    for (guint index = 0; index < bytes->len; index++)
        g_string_append_printf(text, "%02X", bytes->data[index]);
    g_string_append(text, "\n");
    for (int number = 0; number < 4; number++) {
        const int strings[] = {4, 5, 6, 0};
        g_string_append_printf(text,
            "\nP: %s/1-%d:1.%d\nE: DEVTYPE=usb_interface\nE: SUBSYSTEM=usb\nA: bInterfaceNumber=%02d\\n\n",
            folder, plan->number, number, number);
        if (!plan->silent && strings[number])
            g_string_append_printf(text, "A: interface=%s\\n\n", text_of(plan, strings[number]));
    }
    MockProbe *probe = g_object_new(mock_probe_get_type(), NULL);
    probe->plan = *plan;
    if (plan->stale) {
        /* An answer to DAP_Info and the beginning of one to a transfer. */
        keep(probe, (const uint8_t[]){0x00, 0x02, 0x40, 0x00}, 4);
        keep(probe, (const uint8_t[]){0x05, 0x01, 0x01, 0xAA, 0xAA, 0xAA, 0xAA}, 7);
    }
    if (!umockdev_testbed_add_from_string(testbed, text->str, &error) ||
        !umockdev_testbed_attach_ioctl(testbed, node, UMOCKDEV_IOCTL_BASE(probe), &error))
        fail("umockdev", error->message);
    g_string_free(text, TRUE);
    g_byte_array_unref(bytes);
}

static void forbid(UMockdevTestbed *testbed, const Plan *plan)
{
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed);
    g_autofree char *node = g_strdup_printf("%s/dev/bus/usb/001/%03d", root, plan->number + 1);
    if (chmod(node, 0) != 0)
        fail(node, strerror(errno));
}

int main(int argc, char **argv)
{
    Plan plans[8];
    int count = 0, next = 1, has_forbidden = 0;
    for (; next < argc && strcmp(argv[next], "--") != 0; next++) {
        if (count == (int)G_N_ELEMENTS(plans))
            fail("devices", "there are too many");
        plans[count] = plan_of(argv[next], count + 1);
        count++;
    }
    if (next + 1 >= argc)
        fail("arguments", "write umock_probe DEVICE... -- PROGRAM ARGUMENT...");
    UMockdevTestbed *testbed = umockdev_testbed_new();
    for (int index = 0; index < count; index++)
        plug_in(testbed, &plans[index]);
    for (int index = 0; index < count; index++) {
        if (!plans[index].forbidden)
            continue;
        forbid(testbed, &plans[index]);
        has_forbidden = 1;
    }
    pid_t child = fork();
    if (child == 0) {
        /* Root reads any file unless it has given these up. Others cannot drop them and need not. */
        if (has_forbidden) {
            prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
            prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
        }
        execvp(argv[next + 1], argv + next + 1);
        perror(argv[next + 1]);
        _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    g_object_unref(testbed);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
