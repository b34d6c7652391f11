// SPDX-License-Identifier: MIT

import Glibc
import HostSystem

/// A program that has a device open.
public struct USBHolder: Hashable, Sendable, CustomStringConvertible {
    /// The process.
    public let process: Int
    /// The program's name.
    public let name: String

    /// Name and process for people: `openocd (process 1234)`.
    public var description: String { "\(VisibleText.escaped(name)) (process \(process))" }

    /// The programs that have a device open, as far as this user may see them.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - root: The folder in front of `/proc`; empty on the host itself.
    /// - Returns: The programs, this one left out.
    public static func of(_ device: USBDeviceInfo, root: String = "") -> [USBHolder] {
        let names = (try? HostFile.names(in: "\(root)/proc")) ?? []
        return names.compactMap { name -> USBHolder? in
            guard let process = Int(name), process != Int(getpid()) else { return nil }
            let folder = "\(root)/proc/\(name)"
            let files = (try? HostFile.names(in: "\(folder)/fd")) ?? []
            guard files.contains(where: { target(of: "\(folder)/fd/\($0)") == device.node }) else {
                return nil
            }
            let comm = (try? HostFile.read("\(folder)/comm", limit: 256)) ?? []
            let text = String(decoding: comm.prefix { $0 != 0x0A }, as: UTF8.self)
            return USBHolder(process: process, name: text.isEmpty ? "a program" : text)
        }
    }

    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
