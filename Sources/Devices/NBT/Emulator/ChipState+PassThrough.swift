// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard

extension ChipState {
    /// Whether a command over NFC is the host's to answer.
    func isForHost(_ bytes: [UInt8]) -> Bool {
        // A SELECT by name: CLA 00, INS A4, P1 04, then the length and the identifier.
        let isSelect =
            bytes.starts(with: [
                NBTInstruction.tagClass, NBTInstruction.select, NBTInstruction.selectByName,
            ]) && bytes.count > 5
        guard isSelect else { return passThrough.isOpen }
        let identifier = Array(bytes.dropFirst(5).prefix(Int(bytes[4])))
        let isOwn = identifier == NBTApplication.tag || identifier == NBTApplication.configurator
        if isOwn { return passThrough.isOpen && !settings.ownSelectEndsPassThrough }
        return passThrough.isOpen || Self.identifierLengths.contains(identifier.count)
    }

    /// Answers the host's commands of the pass-through, raw bytes since PUT RESPONSE has no form of ISO 7816.
    ///
    /// - Returns: nil when the bytes are another command.
    mutating func answerHost(_ bytes: [UInt8]) -> ChipReply? {
        guard effect.passesThrough, bytes.count >= 4, bytes[0] == NBTInstruction.passThroughClass else {
            return nil
        }
        switch bytes[1] {
        case NBTInstruction.fetchData:
            guard bytes[2] == 0, bytes[3] == 0 else { return .status(NBTStatus.wrongParameters) }
            // Without Le as the C library sends it, or with Le 00.
            guard bytes.count == 4 || bytes.count == 5 && bytes[4] == 0 else {
                return .status(NBTStatus.wrongLength)
            }
            return ChipReply(data: passThrough.fetch(isFieldOn: nfc.isPowered, rules: rules.passThrough))
        case NBTInstruction.putResponse:
            guard bytes[2] == 0 else { return .status(NBTStatus.wrongParameters) }
            let count = bytes.count >= 5 ? Int(bytes[3]) << 8 | Int(bytes[4]) : 0
            guard bytes.count == 5 + count, Self.responseSizes.contains(count) else {
                return .status(NBTStatus.wrongLength)
            }
            let isTaken = passThrough.put(Array(bytes.dropFirst(5)), rules: rules.passThrough)
            return isTaken ? ChipReply() : .status(settings.putWithoutFetch)
        default:
            return .status(settings.unknownInstruction)
        }
    }

    /// The host's answer as it goes to the phone; nil when it is not there yet.
    mutating func takeHostAnswer() -> CardAnswer? {
        guard nfc.isPowered, passThrough.isOpen else { return CardAnswer([], ending: .mute) }
        return passThrough.takeResponse().map { CardAnswer($0, time: settings.commandTime) }
    }

    /// Gives the host up.
    mutating func giveUpHost() -> CardAnswer {
        passThrough.withdraw()
        guard let sw = settings.unansweredByHost else { return CardAnswer([], ending: .mute) }
        return CardAnswer([sw.sw1, sw.sw2], time: settings.commandTime)
    }

    /// Whether the pin is active, by its function.
    var isPinActive: Bool {
        switch active[.gpioFunction]?.first {
        case ConfiguratorValues.nfcInterrupt:
            // Between two commands no command is processed, so that the third event never shows.
            let event = active[.nfcInterruptEvent]?.first
            return nfc.isPowered
                && (event == ConfiguratorValues.fieldEvent || event == ConfiguratorValues.layer4Event)
        case ConfiguratorValues.dataReady: return hasI2CAnswer
        case ConfiguratorValues.passThroughInterrupt: return passThrough.isInterruptRaised
        default: return false
        }
    }

    /// A status word at least; at most what a short answer holds.
    private static let responseSizes = 2...258
}
