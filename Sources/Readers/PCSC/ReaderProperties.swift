// SPDX-License-Identifier: MIT

/// What a reader says of itself: the features and properties of PC/SC part 10.
///
/// Source: PC/SC part 10 revision 2.02.09, §2.2 (features) and §2.6.14 (properties).
struct ReaderProperties: Equatable {
    /// `CM_IOCTL_GET_FEATURE_REQUEST`: `SCARD_CTL_CODE(3400)`.
    static let featureRequest: UInt32 = 0x4200_0D48
    private static let propertiesFeature: UInt8 = 0x12
    private static let largestDataTag: UInt8 = 0x0A

    /// `dwMaxAPDUDataSize`: 0 means short APDUs only; nil when the reader does not say.
    var largestData: Int?

    /// Longest command APDU in bytes.
    var largestCommand: Int? {
        // Header 4, extended Lc 3, extended Le 2; or header, Lc, 255, Le.
        largestData.map { $0 < 256 ? 261 : min($0, 65_535) + 9 }
    }

    /// Longest answer in bytes, status word included.
    var largestResponse: Int? {
        largestData.map { $0 < 256 ? 258 : min($0, 65_536) + 2 }
    }

    /// The control code of the properties, from the feature list: tag, 4, code with the high byte first.
    static func controlCode(inFeatures list: [UInt8]) -> UInt32? {
        var rest = list[...]
        while rest.count >= 2 {
            let tag = rest[rest.startIndex]
            let value = rest.dropFirst(2).prefix(Int(rest[rest.startIndex + 1]))
            if tag == propertiesFeature, value.count == 4 {
                return value.reduce(0) { $0 << 8 | UInt32($1) }
            }
            rest = rest.dropFirst(2 + Int(rest[rest.startIndex + 1]))
        }
        return nil
    }

    /// Reads the properties: tag, length, value with the low byte first.
    init(properties: [UInt8]) {
        var rest = properties[...]
        while rest.count >= 2 {
            let tag = rest[rest.startIndex]
            let count = Int(rest[rest.startIndex + 1])
            let value = rest.dropFirst(2).prefix(count)
            if tag == Self.largestDataTag, value.count == count, (1...4).contains(count) {
                largestData = value.reversed().reduce(0) { $0 << 8 | Int($1) }
            }
            rest = rest.dropFirst(2 + count)
        }
    }

    /// Asks a reader; one that knows no features says nothing.
    init(of handle: CardHandle) {
        self.init(properties: [])
        guard let list = try? handle.control(Self.featureRequest),
            let code = Self.controlCode(inFeatures: list),
            let properties = try? handle.control(code)
        else { return }
        self.init(properties: properties)
    }
}
