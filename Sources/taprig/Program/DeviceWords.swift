// SPDX-License-Identifier: MIT

import NBT
import Report
import Runner
import SmartCard
import Tangem
import Type4Tag

/// What reports say of the exchanges of the devices that this program knows.
enum DeviceWords {
    static let words = ExchangeWords(
        meaning: { target, command, word in
            if target == "nbt", let command = try? CommandAPDU(bytes: command),
                let text = NBTStatusMeaning.text(StatusWord(rawValue: word), after: command)
            {
                return text
            }
            if target == "tangem", let text = TangemDictionary.meaning(of: StatusWord(rawValue: word)) {
                return text
            }
            return ExchangeWords.standard.meaning(target, command, word)
        },
        answer: { target, command, data in
            if target == "tangem", let objects = objects(data) { return objects }
            let isRead = command.count > 1 && command[1] == readBinary
            if isRead, let lines = message(data) { return lines }
            return ExchangeWords.standard.answer(target, command, data)
        },
        command: { target, command in
            if target == "tangem" {
                // Of an encrypted body, or one with hidden codes in it, nothing is said here.
                return []
            }
            guard command.count > 1, command[1] == updateBinary,
                let command = try? CommandAPDU(bytes: command)
            else { return [] }
            return message(command.data) ?? ExchangeWords.dataLines(command.data)
        },
        name: { target, command in CommandNamer.of(target)(command) }
    )

    /// The objects of a wallet card's answer, a line each; nil for what is no list of them, encrypted ones included.
    private static func objects(_ data: [UInt8]) -> [String]? {
        guard let objects = try? CardObjects(parsing: data), !objects.isEmpty,
            objects.bytes.count == data.count
        else { return nil }
        return TangemDictionary.lines(of: objects)
    }

    // ISO/IEC 7816-4:2013 §11.2: instructions of commands that carry a part of a file.
    private static let readBinary: UInt8 = 0xB0
    private static let updateBinary: UInt8 = 0xD6

    /// The records of an NDEF message, with or without the two bytes of length that stand before it in a file.
    private static func message(_ data: [UInt8]) -> [String]? {
        guard data.count > 3 else { return nil }
        let length = Int(data[0]) << 8 | Int(data[1])
        let isWhole = length == data.count - 2
        guard let message = try? NDEFMessage(bytes: isWhole ? Array(data.dropFirst(2)) : data) else {
            return nil
        }
        return message.records.map { "NDEF \($0.description)" }
    }
}
