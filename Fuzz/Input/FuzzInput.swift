// SPDX-License-Identifier: MIT

/// The bytes that the fuzzer made, taken apart in the ways that the targets need.
public struct FuzzInput: Sendable {
    /// What has not been taken yet.
    public private(set) var rest: ArraySlice<UInt8>

    /// Copies the bytes of one run.
    public init(_ data: UnsafePointer<UInt8>, _ size: Int) {
        rest = Array(UnsafeBufferPointer(start: data, count: size))[...]
    }

    /// All bytes that are left.
    public var bytes: [UInt8] { Array(rest) }

    /// All bytes that are left, as text.
    public var text: String { String(decoding: rest, as: UTF8.self) }

    /// Takes the next byte; 0 behind the end.
    public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Takes the next piece: its length in one byte, or `FF` and two bytes, then that many bytes or what there is.
    ///
    /// - Returns: The piece; nil behind the end.
    public mutating func piece() -> [UInt8]? {
        guard let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first == 0xFF {
            let high = byte()
            length = Int(high) << 8 | Int(byte())
        }
        defer { rest = rest.dropFirst(length) }
        return Array(rest.prefix(length))
    }

    /// Takes all pieces that are left.
    public mutating func pieces() -> [[UInt8]] {
        var out: [[UInt8]] = []
        while let piece = piece() { out.append(piece) }
        return out
    }
}

/// Runs what may refuse its input, and asks a refusal for its sentence, which must not fail either.
///
/// - Returns: nil when the body threw.
@discardableResult
public func attempt<Result>(_ body: () throws -> Result) -> Result? {
    do {
        return try body()
    } catch {
        precondition(!"\(error)".isEmpty, "an error without a sentence")
        return nil
    }
}
