// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

/// The files of the tag application beside the wallet; their contents on a real card are not published.
enum NDEFFiles {
    static let containerID: UInt16 = 0xE103
    static let messageID: UInt16 = 0xE104
    /// Bytes of the message file, its length included.
    static let size = 1024
    /// Bytes of a message.
    static let room = size - 2

    /// Source: NFC Forum Type 4 Tag 2.0, §5.1: version, largest read and write, and a file nobody may write.
    static let container: [UInt8] =
        [0x00, 0x0F, 0x20, 0x00, 0xFF, 0x00, 0xFF, 0x04, 0x06, 0xE1, 0x04] + size.bigEndian(2) + [0x00, 0xFF]

    static let readBinary: UInt8 = 0xB0
    static let selectByID: UInt8 = 0x00
    static let selectByName: UInt8 = 0x04
    static let wrongOffset = StatusWord(rawValue: 0x6B00)
    static let noFile = StatusWord(rawValue: 0x6986)
    static let notFound = StatusWord(rawValue: 0x6A82)
}

extension CardState {
    /// SELECT by name, of either application; in the tag application by file identifier too.
    mutating func select(_ command: CommandAPDU) throws(Stop) -> Reply {
        if command.p1 == NDEFFiles.selectByID, field.application == .ndef { return try selectFile(command) }
        guard command.p1 == NDEFFiles.selectByName else { throw .parameters }
        switch command.data {
        case TangemLimits.walletAID:
            field.application = .wallet
            field.ndefFile = nil
        case TangemLimits.ndefAID where memory.identity?.settings.contains(.useNDEF) == true:
            field.application = .ndef
            field.ndefFile = nil
            return Reply()
        default:
            throw .refused(settings.unknownApplication)
        }
        var reply = Reply()
        reply.fields = AnswerFields(raw: settings.fci)
        return reply
    }

    /// The tag application: SELECT and READ BINARY.
    mutating func runInNDEF(_ command: CommandAPDU) throws(Stop) -> Reply {
        guard command.ins == NDEFFiles.readBinary else { throw .refused(settings.unknownInstruction) }
        guard let id = field.ndefFile else { throw .refused(NDEFFiles.noFile) }
        let file: [UInt8]
        if id == NDEFFiles.containerID {
            file = NDEFFiles.container
        } else {
            let message = memory.identity?.ndef ?? []
            let content = message.isEmpty ? [0, 0] : message
            file = content + [UInt8](repeating: 0, count: max(0, NDEFFiles.size - content.count))
        }
        let offset = Int(command.p1) << 8 | Int(command.p2)
        guard offset < file.count else { throw .refused(NDEFFiles.wrongOffset) }
        var reply = Reply()
        reply.fields = AnswerFields(raw: Array(file[offset...].prefix(min(command.ne, 0xFF))))
        return reply
    }

    private mutating func selectFile(_ command: CommandAPDU) throws(Stop) -> Reply {
        let id = command.data.count == 2 ? UInt16(command.data[0]) << 8 | UInt16(command.data[1]) : 0
        guard id == NDEFFiles.containerID || id == NDEFFiles.messageID else {
            throw .refused(NDEFFiles.notFound)
        }
        field.ndefFile = id
        return Reply()
    }
}
