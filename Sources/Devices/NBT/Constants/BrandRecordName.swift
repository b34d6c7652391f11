// SPDX-License-Identifier: MIT

/// Type names of the NDEF record that carries the chip's certificate.
///
/// Source: the vendor's public apps and host libraries (MIT), which disagree.
public enum BrandRecordName {
    /// As the apps write and expect it.
    public static let ofApps = "infineon technologies:infineon.com:nfc-bridge-tag.x509"
    /// As the record class of the host libraries has it.
    public static let ofLibraries = "infineon.com:nfc-bridge-tag.x509"
}
