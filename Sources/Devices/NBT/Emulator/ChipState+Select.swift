// SPDX-License-Identifier: MIT

import NBTConstants
import SmartCard

extension ChipState {
    /// SELECT of an application or a file; answers data only where passwords were presented.
    ///
    /// A SELECT that fails leaves the selection as it was.
    mutating func select(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        // Le is absent or 00: the libraries differ, and a real device takes both.
        guard !command.isExtended, command.ne == 0 || command.ne == CommandAPDU.shortNeLimit else {
            return .status(NBTStatus.wrongLength)
        }
        switch (command.p1, command.p2) {
        case (NBTInstruction.selectByName, 0x00): return selectApplication(command.data, on: face)
        case (NBTInstruction.selectByID, NBTInstruction.selectWithoutFCI):
            return selectFile(command.data, on: face)
        default: return .status(NBTStatus.wrongParameters)
        }
    }

    private mutating func selectApplication(_ identifier: [UInt8], on face: ChipInterface) -> ChipReply {
        guard Self.identifierLengths.contains(identifier.count) else { return .status(NBTStatus.wrongLength) }
        switch identifier {
        case NBTApplication.tag: self[face].select(.tag)
        case NBTApplication.configurator: self[face].select(.configurator)
        default: return .status(NBTStatus.notFound)
        }
        if face == .nfc { passThrough.close() }
        return ChipReply()
    }

    private mutating func selectFile(_ data: [UInt8], on face: ChipInterface) -> ChipReply {
        guard Self.fileDataLengths.contains(data.count) else { return .status(NBTStatus.wrongLength) }
        guard let presented = Self.passwords(data.dropFirst(2)) else { return .status(NBTStatus.wrongData) }
        let file = NBTFile(rawValue: UInt16(data[0]) << 8 | UInt16(data[1]))
        guard self[face].application == .tag, memory.files[file] != nil else {
            return .status(NBTStatus.notFound)
        }
        let results = presented.compactMap { check($0, for: file, on: face) }
        if let refusal = refusal(of: results) { return .status(refusal) }
        if settings.passwordScope == .selection, rules.passwords.areForgottenBySelect {
            self[face].grants = []
        }
        self[face].file = file
        self[face].grants.formUnion(results.compactMap(\.grant))
        if file == .ndef, settings.tokenRefresh != .power || self[face].token == nil {
            refreshToken(of: face)
        }
        return ChipReply(data: results.flatMap { answer(to: $0) })
    }

    /// The passwords behind the file id: `52 04 password`, `54 04 password`, or both in that order.
    private static func passwords(_ data: ArraySlice<UInt8>) -> [PresentedPassword]? {
        let items = stride(from: data.startIndex, to: data.endIndex, by: 6).map { start in
            PresentedPassword(
                tag: data[start + 1] == UInt8(PasswordLimits.valueSize) ? data[start] : 0,
                value: Array(data[start + 2..<start + 6])
            )
        }
        let read = NBTInstruction.readPasswordTag
        let write = NBTInstruction.writePasswordTag
        let tags = items.map(\.tag)
        return tags.isEmpty || tags == [read] || tags == [write] || tags == [read, write] ? items : nil
    }

    /// Source: ISO/IEC 7816-4:2013 §8.2.1.2, an application identifier has 5 to 16 bytes.
    static let identifierLengths = 5...16
    /// A file id alone, with one password, or with two.
    private static let fileDataLengths: Set<Int> = [2, 8, 14]
}

/// A password as it stands in SELECT.
struct PresentedPassword: Sendable {
    let tag: UInt8
    let value: [UInt8]

    var isForWriting: Bool { tag == NBTInstruction.writePasswordTag }
}
