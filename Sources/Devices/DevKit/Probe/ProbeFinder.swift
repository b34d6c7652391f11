// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import USB

/// Looks for debug probes on the USB.
public struct ProbeFinder: Sendable {
    private let context: USBContext
    private let root: String

    /// Opens the USB.
    ///
    /// - Parameter root: The folder in front of system paths; empty on the host itself.
    /// - Throws: `ProbeError` of kind `absent` when the host has no USB.
    public init(root: String = "") throws(ProbeError) {
        do {
            context = try USBContext(root: root)
        } catch {
            throw ProbeError("\(error); lend the USB to this host or container", kind: .absent)
        }
        self.root = root
    }

    /// All probes that are plugged in, the ones that cannot be used included.
    public func probes() -> [ProbeInfo] { context.devices().compactMap(ProbeInfo.init) }

    /// Whether a probe can be used; it is not opened for that.
    public func state(of probe: ProbeInfo) -> ProbeInfo.State {
        guard access(root + probe.device.node, R_OK | W_OK) == 0 else { return .notPermitted }
        if probe.objection != nil { return .unsupported }
        return USBHolder.of(probe.device, root: root).isEmpty ? .ready : .busy
    }

    /// Opens a probe.
    ///
    /// - Parameters:
    ///   - address: Where it is on the USB.
    ///   - timeout: How long an answer may take.
    /// - Returns: The link.
    /// - Throws: `ProbeError` of kind `absent`, `unsupported`, `notPermitted` or `busy`.
    public func open(
        _ address: ProbeAddress,
        timeout: Duration = .seconds(2)
    ) throws(ProbeError) -> any ProbeLink {
        let probe = try find(address)
        let handle: USBDeviceHandle
        do {
            handle = try context.open(probe.device)
        } catch {
            throw Self.trouble(error, probe, root: root)
        }
        if let objection = probe.objection { throw ProbeError(objection, kind: .unsupported) }
        guard let channel = probe.channel else {
            throw ProbeError("the \(probe.name) has no CMSIS-DAP v2 interface", kind: .unsupported)
        }
        do {
            try handle.claim(interface: channel.interface)
        } catch {
            throw Self.trouble(error, probe, root: root)
        }
        return USBProbeLink(handle, channel: channel, name: probe.name, timeout: timeout)
    }

    /// Finds the probe at an address; it is not opened for that.
    ///
    /// - Parameter address: Where it is on the USB.
    /// - Returns: The probe, which may be one that cannot be used.
    /// - Throws: `ProbeError` of kind `absent`, or `refused` when several fit.
    public func find(_ address: ProbeAddress) throws(ProbeError) -> ProbeInfo {
        try Self.choose(address, among: probes()) { probe in
            let state = state(of: probe)
            return state == .ready || state == .busy
        }
    }

    /// Chooses the probe at an address; one that cannot be used stands back where another can.
    static func choose(
        _ address: ProbeAddress,
        among all: [ProbeInfo],
        isUsable: (ProbeInfo) -> Bool
    ) throws(ProbeError) -> ProbeInfo {
        let fitting: [ProbeInfo]
        var wanted = ""
        switch address {
        case .usb(nil): fitting = all
        case .usb(let serial?):
            fitting = all.filter { $0.serial == serial }
            wanted = " with serial number \(VisibleText.escaped(serial))"
        case .usbPort(let port):
            fitting = all.filter { $0.portPath == port }
            wanted = " at \(port)"
        case .network: fitting = []
        }
        if let probe = fitting.first, fitting.count == 1 { return probe }
        guard fitting.isEmpty else {
            let usable = fitting.filter(isUsable)
            if let probe = usable.first, usable.count == 1 { return probe }
            let names = (usable.isEmpty ? fitting : usable).map {
                "\($0.address(among: all)) (\($0.name) at USB \($0.portPath))"
            }
            throw ProbeError(
                "\(fitting.count) debug probes\(wanted) are plugged in; name one: "
                    + names.joined(separator: ", "),
                kind: .refused
            )
        }
        let there =
            all.isEmpty ? "none is plugged in" : "there are " + all.map(\.name).joined(separator: ", ")
        throw ProbeError("no debug probe\(wanted) is on the USB: \(there)", kind: .absent)
    }

    /// Says what to do about trouble with a device.
    static func trouble(_ error: USBError, _ probe: ProbeInfo, root: String = "") -> ProbeError {
        switch error.kind {
        case .notPermitted:
            return ProbeError(
                "this user may not open the \(probe.name); add this line to /etc/udev/rules.d/60-taprig.rules and plug "
                    + "the probe in again: \(probe.rule)",
                kind: .notPermitted
            )
        case .busy:
            let holders = USBHolder.of(probe.device, root: root).map(\.description)
            let who = holders.isEmpty ? "another debugger" : holders.joined(separator: ", ")
            return ProbeError("the \(probe.name) is in use by \(who); end that first", kind: .busy)
        case .gone, .absent:
            return ProbeError("the \(probe.name) was unplugged; plug it in again", kind: .gone)
        case .timeout, .stalled, .other:
            return ProbeError("the \(probe.name) failed: \(error); plug it in again", kind: .gone)
        }
    }
}
