// SPDX-License-Identifier: MIT

import NBTConstants

/// Where the chip looks inside of the message that it stores.
enum NDEFPlaces {
    /// The 44 bytes behind `cott=`, as a range of the file; nil when the message has no such place.
    ///
    /// No app tells the chip where its token goes, so that it must look at the content. Not specified.
    static func token(in file: [UInt8]) -> Range<Int>? {
        let message = message(of: file)
        let mark = Array(COTTLayout.parameter.utf8)
        guard message.count >= mark.count + COTTLayout.textSize else { return nil }
        let last = message.upperBound - mark.count - COTTLayout.textSize
        for start in message.lowerBound...last where file[start..<start + mark.count].elementsEqual(mark) {
            return start + mark.count..<start + mark.count + COTTLayout.textSize
        }
        return nil
    }

    /// The certificate of the record that carries it; nil when there is none or the message is broken.
    ///
    /// Source: NFC Forum NDEF 1.0 §3.2.
    static func certificate(in file: [UInt8]) -> [UInt8]? {
        let names = [BrandRecordName.ofApps, BrandRecordName.ofLibraries].map { Array($0.utf8) }
        var rest = file[message(of: file)]
        while let header = rest.popFirst() {
            let isShort = header & 0x10 != 0
            guard let typeSize = rest.popFirst(), rest.count >= (isShort ? 1 : 4) else { return nil }
            let payloadSize = rest.prefix(isShort ? 1 : 4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(isShort ? 1 : 4)
            let idSize = header & 0x08 != 0 ? rest.popFirst() ?? 0 : 0
            guard rest.count >= Int(typeSize) + Int(idSize) + payloadSize else { return nil }
            let type = Array(rest.prefix(Int(typeSize)))
            rest = rest.dropFirst(Int(typeSize) + Int(idSize))
            if header & 0x07 == externalType, names.contains(type) { return Array(rest.prefix(payloadSize)) }
            rest = rest.dropFirst(payloadSize)
        }
        return nil
    }

    /// The message behind its length field, or nothing when that is wrong.
    private static func message(of file: [UInt8]) -> Range<Int> {
        guard file.count >= 2 else { return 0..<0 }
        let end = 2 + (Int(file[0]) << 8 | Int(file[1]))
        return end <= file.count ? 2..<end : 0..<0
    }

    /// Type name format of an external type.
    private static let externalType: UInt8 = 0x04
}
