// SPDX-License-Identifier: MIT

import NBTConstants

/// The access policies that the vendor's apps and firmware examples install.
public enum UseCase: String, Hashable, Sendable, CaseIterable {
    /// As delivered: everything is open but the writing of the capability container.
    case delivery
    /// Asynchronous data transfer: the phone writes FILE_1, the host writes FILE_2.
    case asynchronousDataTransfer = "adt"
    /// Pass-through and connection handover.
    case passThrough = "pass-through"
    /// Brand protection: the phone reads, nobody writes.
    case brandProtection = "brand-protection"

    /// The policy of all files.
    public var accessTable: FileAccessTable { FileAccessTable(wholeRecords: bytes) }

    /// Finds the use case whose policy a table is, to the byte; nil when it is none.
    public init?(_ table: FileAccessTable) {
        guard let found = Self.allCases.first(where: { $0.bytes == table.bytes }) else { return nil }
        self = found
    }

    private var bytes: [UInt8] {
        switch self {
        case .delivery: AccessProfile.delivery
        case .asynchronousDataTransfer: AccessProfile.asynchronousDataTransfer
        case .passThrough: AccessProfile.passThrough
        case .brandProtection: AccessProfile.brandProtection
        }
    }
}
