// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import NBTConstants
import Scenario
import SmartCard

/// The commands that read the byte by which the kit's firmware tells the LED's state.
enum StatusFile {
    /// SELECT of the tag's application, SELECT of FILE_2, READ BINARY of its first byte.
    static let commands: [(bytes: [UInt8], what: String)] = {
        let file = NBTFile.file2.rawValue
        let name: [UInt8] = [UInt8(truncatingIfNeeded: file >> 8), UInt8(truncatingIfNeeded: file)]
        let application =
            [0x00, 0xA4, 0x04, 0x00, UInt8(NBTApplication.tag.count)] + NBTApplication.tag + [0x00]
        return [
            (application, "SELECT application"), ([0x00, 0xA4, 0x00, 0x0C, 0x02] + name, "SELECT FILE_2"),
            ([0x00, 0xB0, 0x00, 0x00, 0x01], "READ FILE_2"),
        ]
    }()

    /// Reads the byte beside the course of a case that has failed already; nil when that does not work out.
    ///
    /// The field is on for that, and afterwards as it was.
    static func glance(_ session: CardSession) -> [UInt8]? {
        guard session.linkFault == nil else { return nil }
        do throws(TransportFault) {
            let wasOff = session.field == .off
            if wasOff {
                try session.connection.setField(.on)
                session.fieldCameOn()
            }
            var data: [UInt8]?
            for command in commands {
                let answer = try session.connection.transmit(command.bytes)
                guard let response = try? ResponseAPDU(bytes: answer), response.sw == .success else {
                    data = nil
                    break
                }
                data = response.data
            }
            if wasOff {
                try session.connection.setField(.off)
                session.field = .off
            }
            return data
        } catch {
            return nil
        }
    }
}

extension LEDWitness {
    /// What the witnesses besides the eye say of a LED that did not do as it should; a silent one is left out.
    ///
    /// - Parameters:
    ///   - seen: What was seen.
    ///   - call: The step that failed.
    ///   - kit: The kit of the case.
    ///   - end: The time of the look at the LED, before something was done to the kit; nil when it was just now.
    /// - Returns: All witnesses, the eye first.
    static func questioned(
        _ seen: LEDState,
        by call: VerbCall,
        kit: any Kit,
        upTo end: Duration? = nil
    ) -> [LEDWitness] {
        var out = [LEDWitness(kit.eye, seen)]
        // A log that was lost or cut short may lack its last word.
        let isWhole = (try? kit.checkUART()) != nil
        let lines = (isWhole ? kit.uartLines(since: 0) : []).filter { line in
            end.map { line.time <= $0 } ?? true
        }
        let logged = log(lines)
        if let logged { out.append(LEDWitness(end == nil ? "the log" : "the log until then", logged)) }
        // Between two tries of a poll the field has to stay as it is: the firmware may be about to use the chip.
        guard call.target == "nbt", call.step.poll == nil, let byte = StatusFile.glance(call.session),
            let told = file(byte)
        else { return out }
        // What the firmware may have written since the look is no word about it.
        if end == nil || told != seen || logged == seen { out.append(LEDWitness("FILE_2", told)) }
        return out
    }
}
