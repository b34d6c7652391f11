// SPDX-License-Identifier: MIT

public import CardConnection
import HostSystem

/// The readers that the service knows.
public enum ReaderList {
    /// All readers as they are now.
    ///
    /// - Parameter withDetails: Whether the drivers are asked for serial number and place; readers in use are not
    ///   asked, since the service would wait for as long as they are.
    /// - Returns: The readers in the service's order; empty when there is none.
    /// - Throws: A fault when the service is not there, or this user may not use it.
    public static func current(withDetails: Bool = true) throws(TransportFault) -> [ReaderInfo] {
        do throws(PCSCError) {
            let context = try PCSCContext()
            let statuses = try context.statuses(of: context.readerNames())
            return statuses.filter { !$0.isUnknown }.map { info(of: $0, in: withDetails ? context : nil) }
        } catch {
            throw error.faultOnHost()
        }
    }

    /// Waits until a reader fits and holds a card, in one blocking call of the service at a time.
    ///
    /// The call cannot be cancelled; who may want to stop waiting gives it a thread of its own.
    ///
    /// - Parameters:
    ///   - selector: Which reader.
    ///   - timeout: How long to wait at most.
    /// - Returns: The reader's name.
    /// - Throws: A fault that says what was missing when the time was over.
    public static func waitForCard(
        in selector: ReaderSelector,
        timeout: Duration
    ) throws(TransportFault) -> String {
        let context: PCSCContext
        do throws(PCSCError) { context = try PCSCContext() } catch { throw error.faultOnHost() }
        return try ReaderWatch(context: context, selector: selector).waitForCard(timeout: timeout).name
    }

    /// The entry of one reader.
    ///
    /// - Parameters:
    ///   - status: Its state.
    ///   - context: Where to ask its driver for details; nil does not ask.
    /// - Returns: The entry, with what the driver told.
    static func info(of status: ReaderStatus, in context: PCSCContext?) -> ReaderInfo {
        let state: ReaderInfo.State = status.isInUse ? .inUse : status.isPresent ? .present : .empty
        let details = status.isInUse ? nil : context.map { ReaderDetails(of: status.name, in: $0) }
        return ReaderInfo(
            name: status.name,
            state: state,
            atr: status.atr,
            serial: details?.serial ?? "",
            usbPath: details?.usbPath
        )
    }
}

/// What a reader's driver tells of it; most drivers leave something out.
struct ReaderDetails {
    /// `SCARD_ATTR_VENDOR_IFD_SERIAL_NO`.
    ///
    /// Source: PC/SC part 3, table of attributes; reader.h of pcsc-lite.
    private static let serialTag: UInt32 = 0x0001_0103
    /// `SCARD_ATTR_CHANNEL_ID`.
    ///
    /// Source: PC/SC part 3, table of attributes; reader.h of pcsc-lite.
    private static let channelTag: UInt32 = 0x0002_0110

    var serial = ""
    var usbPath: String?

    init(of reader: String, in context: PCSCContext) {
        guard let handle = try? CardHandle(context, reader: reader, share: .direct, protocols: []) else {
            return
        }
        if let bytes = try? handle.attribute(Self.serialTag) {
            serial = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if let bytes = try? handle.attribute(Self.channelTag) { usbPath = Self.usbPath(ofChannel: bytes) }
        handle.disconnect(.leave)
    }

    /// The USB path of a channel: `0x0020` in the high word, bus and device number in the low one.
    ///
    /// - Parameters:
    ///   - channel: The attribute's four bytes, low byte first.
    ///   - root: The folder of USB devices in sysfs.
    /// - Returns: The path, or nil when the channel is no USB device or sysfs does not know it.
    static func usbPath(ofChannel channel: [UInt8], root: String = "/sys/bus/usb/devices") -> String? {
        guard channel.count == 4, channel[2] == 0x20, channel[3] == 0 else { return nil }
        let names = (try? HostFile.names(in: root)) ?? []
        // Folders with a colon are interfaces, and the root hubs have no port.
        return names.sorted().first { name in
            !name.contains(":") && !name.hasPrefix("usb")
                && number("\(root)/\(name)/busnum") == Int(channel[1])
                && number("\(root)/\(name)/devnum") == Int(channel[0])
        }
    }

    private static func number(_ path: String) -> Int? {
        guard let bytes = try? HostFile.read(path, limit: 64) else { return nil }
        return Int(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
