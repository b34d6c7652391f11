// SPDX-License-Identifier: MIT

/// Where things lie in the chip's capability container.
///
/// Source: the vendor's personalization apps (MIT) for the tail; the head is not published.
public enum ContainerLayout {
    /// First offset of the entries of the proprietary files; 32 bytes from there on may be rewritten.
    public static let tailOffset = 0x0F
    /// Offsets that no UPDATE BINARY may touch.
    public static let protectedOffsets = 0x02...0x0E
    /// Tag of the NDEF file's entry.
    public static let ndefEntryTag: UInt8 = 0x04
    /// Tag of a proprietary file's entry.
    public static let proprietaryEntryTag: UInt8 = 0x05
    /// Length of an entry's value.
    public static let entryLength: UInt8 = 0x06
    /// Access byte of an entry: open.
    public static let open: UInt8 = 0x00
    /// Access byte of an entry: closed.
    public static let closed: UInt8 = 0xFF
}
