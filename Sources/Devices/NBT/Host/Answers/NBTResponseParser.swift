// SPDX-License-Identifier: MIT

public import Cryptography
public import NBTConstants

/// The parser layer: makes typed answers of the data that the chip sends back.
///
/// Each function takes the data of an answer whose status word is `9000`, and refuses what is not of the form that the
/// command promises.
public enum NBTResponseParser {
    /// The version from the answer to GET DATA.
    public static func version(_ data: [UInt8]) throws(NBTError) -> AppletVersion {
        try AppletVersion(data: data)
    }

    /// The free memory from the answer to GET DATA.
    public static func availableMemory(_ data: [UInt8]) throws(NBTError) -> AvailableMemory {
        try AvailableMemory(data: data)
    }

    /// The access policy from the content of its file.
    public static func accessTable(_ data: [UInt8]) throws(NBTError) -> FileAccessTable {
        try FileAccessTable(bytes: data)
    }

    /// The signature from the answer to AUTHENTICATE TAG: a DER sequence of two numbers.
    public static func signature(_ data: [UInt8]) throws(NBTError) -> ECDSASignature {
        do {
            return try ECDSASignature(der: data)
        } catch {
            throw .malformedAnswer(command: "AUTHENTICATE TAG", detail: "\(error)")
        }
    }

    /// The tests that passed, from the answer to BACKEND TEST: one byte.
    public static func backendTests(_ data: [UInt8]) throws(NBTError) -> BackendTests {
        guard data.count == 1 else {
            throw .malformedAnswer(
                command: "BACKEND TEST",
                detail: "\(data.count) bytes came, one byte with the passed tests was expected"
            )
        }
        return BackendTests(rawValue: data[0])
    }

    /// The value from the answer to GET CONFIGURATION: `tag(2) length value`, the length in one byte, or `FF` and two.
    ///
    /// - Parameters:
    ///   - data: The data of the answer.
    ///   - tag: The setting that was asked for.
    /// - Returns: The value.
    /// - Throws: ``NBTError/malformedAnswer(command:detail:)`` for another setting or a length that does not fit.
    public static func configuration(_ data: [UInt8], of tag: ConfigurationTag) throws(NBTError) -> [UInt8] {
        let command = "GET CONFIGURATION"
        guard data.count >= 3 else {
            throw .malformedAnswer(command: command, detail: "\(data.count) bytes hold no tag and length")
        }
        let found = ConfigurationTag(rawValue: UInt16(data[0]) << 8 | UInt16(data[1]))
        guard found == tag else {
            throw .malformedAnswer(command: command, detail: "it is about \(found.title), not \(tag.title)")
        }
        let isLong = data[2] == 0xFF
        guard !isLong || data.count >= 5 else {
            throw .malformedAnswer(command: command, detail: "its length field is cut short")
        }
        let length = isLong ? Int(data[3]) << 8 | Int(data[4]) : Int(data[2])
        let value = Array(data.dropFirst(isLong ? 5 : 3))
        guard value.count == length else {
            throw .malformedAnswer(
                command: command,
                detail: "its length field says \(length), \(value.count) bytes follow"
            )
        }
        return value
    }

    /// The status and, where one waits, the phone's command from the answer to FETCH DATA.
    public static func passThroughRequest(_ data: [UInt8]) throws(NBTError) -> PassThroughRequest {
        guard data.count >= 2 else {
            throw .malformedAnswer(
                command: "FETCH DATA",
                detail: "\(data.count) bytes hold no status of two bytes"
            )
        }
        return PassThroughRequest(
            status: PassThroughStatus(rawValue: UInt16(data[0]) << 8 | UInt16(data[1])),
            command: data.count > 2 ? Array(data[2...]) : nil
        )
    }

    /// What became of passwords, from the answer to SELECT.
    ///
    /// The form is not published, so nothing is refused: what cannot be read becomes ``PasswordOutcome/unknown``.
    /// - Parameters:
    ///   - data: The data of the answer.
    ///   - presented: The tags of the passwords in the command, in its order.
    /// - Returns: An outcome for each of them.
    public static func passwordOutcomes(_ data: [UInt8], presented: [UInt8]) -> [PasswordOutcome] {
        guard !data.isEmpty else { return presented.map { _ in .unknown } }
        let size = PasswordLimits.responseSize
        // Responses without tags, one behind the other.
        let isTagged = data.count > 1 && data[1] == UInt8(size) && presented.contains(data[0])
        if data.count == presented.count * size, !isTagged {
            return presented.indices.map {
                PasswordOutcome(response: Array(data[$0 * size..<($0 + 1) * size]))
            }
        }
        var responses: [UInt8: [UInt8]] = [:]
        var rest = data[...]
        while let tag = rest.popFirst(), let length = rest.popFirst(), Int(length) <= rest.count {
            responses[tag] = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
        }
        return presented.map { tag in responses[tag].map(PasswordOutcome.init(response:)) ?? .unknown }
    }
}
