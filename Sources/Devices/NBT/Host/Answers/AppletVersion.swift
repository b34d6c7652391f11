// SPDX-License-Identifier: MIT

import NBTConstants

/// The version of the tag application.
public struct AppletVersion: Hashable, Sendable, CustomStringConvertible {
    /// Major number.
    public let major: Int
    /// Minor number.
    public let minor: Int
    /// Build number.
    public let build: Int

    /// Reads the answer of GET DATA.
    ///
    /// - Parameter data: `6F 07 DF3A 04 major minor build(2)`.
    /// - Throws: ``NBTError/malformedAnswer(command:detail:)`` for anything else.
    public init(data: [UInt8]) throws(NBTError) {
        let value = try DataObject.value(
            of: NBTInstruction.versionObject,
            in: data,
            command: "GET DATA (version)"
        )
        guard value.count == 4 else {
            throw .malformedAnswer(
                command: "GET DATA (version)",
                detail: "the version has \(value.count) bytes, expected 4"
            )
        }
        major = Int(value[0])
        minor = Int(value[1])
        build = Int(value[2]) << 8 | Int(value[3])
    }

    /// For example `1.2.3`.
    public var description: String { "\(major).\(minor).\(build)" }
}

/// The memory that is free on the chip, in bytes.
public struct AvailableMemory: Hashable, Sendable {
    /// Persistent memory.
    public let persistent: Int
    /// Transient memory that is cleared on reset.
    public let clearOnReset: Int
    /// Transient memory that is cleared on deselection.
    public let clearOnDeselect: Int

    /// Reads the answer of GET DATA.
    ///
    /// - Parameter data: `6F 0F DF3B 0C`, then `C6`, `C7` and `C8` with two bytes each, in any order.
    /// - Throws: ``NBTError/malformedAnswer(command:detail:)`` for anything else.
    public init(data: [UInt8]) throws(NBTError) {
        let command = "GET DATA (memory)"
        let value = try DataObject.value(of: NBTInstruction.memoryObject, in: data, command: command)
        var counters: [UInt8: Int] = [:]
        guard value.count == 12 else {
            throw .malformedAnswer(
                command: command,
                detail: "the counters have \(value.count) bytes, expected 12"
            )
        }
        for start in stride(from: 0, to: value.count, by: 4) {
            guard value[start + 1] == 2 else {
                throw .malformedAnswer(command: command, detail: "a counter has not the length 2")
            }
            counters[value[start]] = Int(value[start + 2]) << 8 | Int(value[start + 3])
        }
        guard let persistent = counters[NBTInstruction.persistentMemoryTag],
            let clearOnReset = counters[NBTInstruction.clearOnResetMemoryTag],
            let clearOnDeselect = counters[NBTInstruction.clearOnDeselectMemoryTag]
        else {
            throw .malformedAnswer(command: command, detail: "one of the tags C6, C7 and C8 is missing")
        }
        self.persistent = persistent
        self.clearOnReset = clearOnReset
        self.clearOnDeselect = clearOnDeselect
    }
}

/// The shape that both answers of GET DATA have.
private enum DataObject {
    /// Takes `6F length`, the tag of two bytes and the length off.
    static func value(of tag: UInt16, in data: [UInt8], command: String) throws(NBTError) -> [UInt8] {
        let tagBytes = [UInt8(truncatingIfNeeded: tag >> 8), UInt8(truncatingIfNeeded: tag)]
        guard data.count >= 5, data[0] == NBTInstruction.objectTemplate, Int(data[1]) == data.count - 2 else {
            throw .malformedAnswer(command: command, detail: "it is no template 6F that fills the answer")
        }
        guard Array(data[2...3]) == tagBytes, Int(data[4]) == data.count - 5 else {
            throw .malformedAnswer(
                command: command,
                detail: "the template does not hold the one object asked for"
            )
        }
        return Array(data[5...])
    }
}
