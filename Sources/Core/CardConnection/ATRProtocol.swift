// SPDX-License-Identifier: MIT

/// The transmission protocol that a reader agrees with a card when it asks for any.
///
/// Source: ISO/IEC 7816-3:2006 §8.2.3: each TDi names a protocol in its low nibble and says in its high nibble which
/// interface bytes follow; without TD1 the card speaks T=0.
enum ATRProtocol {
    /// The name of the protocol, T=1 before T=0 as PC/SC services choose.
    static func name(of atr: [UInt8]) -> String {
        guard atr.count >= 2 else { return "T=0" }
        var offered: Set<UInt8> = []
        var index = 1
        var follows = atr[1] >> 4
        while true {
            index += (follows & 0b0111).nonzeroBitCount
            guard follows & 0b1000 != 0, index + 1 < atr.count else { break }
            index += 1
            offered.insert(atr[index] & 0x0F)
            follows = atr[index] >> 4
        }
        return offered.contains(1) ? "T=1" : "T=0"
    }
}
