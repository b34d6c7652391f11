// SPDX-License-Identifier: MIT

import CCrypto

/// Bytes that are overwritten when the last owner lets go of them.
///
/// Copies that were taken out are not followed; take them late and wipe them where that is cheap.
// Safe to share: the memory is written once, in `init`, and only read until `deinit`.
final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutablePointer<UInt8>
    let count: Int

    init(_ bytes: [UInt8]) {
        count = bytes.count
        memory = .allocate(capacity: max(1, bytes.count))
        memory.initialize(repeating: 0, count: max(1, bytes.count))
        for (index, byte) in bytes.enumerated() { memory[index] = byte }
    }

    deinit {
        OPENSSL_cleanse(memory, count)
        memory.deallocate()
    }

    /// A copy that is not wiped by itself.
    var copy: [UInt8] {
        Array(UnsafeBufferPointer(start: memory, count: count))
    }

    /// The memory, valid as long as this object lives.
    var pointer: UnsafePointer<UInt8> {
        UnsafePointer(memory)
    }
}

/// Overwrites the bytes of an array that nobody else holds.
func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    bytes = []
}
