// SPDX-License-Identifier: MIT

/// The applications of the chip, by their identifiers.
///
/// Source: constants of the vendor's public host libraries (MIT), NBT command set 1.1.
public enum NBTApplication {
    /// The NFC Forum Type 4 Tag application, which holds the files.
    public static let tag: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]

    /// The configurator, which holds interface and GPIO settings.
    public static let configurator: [UInt8] = [
        0xD2, 0x76, 0x00, 0x00, 0x04, 0x15, 0x02, 0x00, 0x00, 0x0B, 0x00, 0x01, 0x01,
    ]

    /// The application that the vendor's pass-through firmware example answers for; it lives on the host, not here.
    public static let passThroughExample: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0x05]
}
