// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard

/// Everything that the chip remembers: what survives power loss, and the volatile state of its two faces.
///
/// The commands are extensions of this type, one file each.
struct ChipState: Sendable {
    let settings: ChipSettings
    /// Contents of the seven files; their sizes never change.
    var files: [NBTFile: [UInt8]]
    /// Settings of the configurator.
    var configuration: [ConfigurationTag: [UInt8]]
    /// Volatile state of the contactless face.
    var nfc = FaceState()
    /// Volatile state of the I2C face.
    var i2c = FaceState()
    /// The interface setting that counts until the next reset.
    var activeInterfaces: UInt8
    /// Set when the next write over NFC shall lose its power after so many bytes.
    var cutAfterBytes: Int?

    init(settings: ChipSettings) {
        self.settings = settings
        files = Self.initialFiles(settings)
        configuration = Self.initialConfiguration
        activeInterfaces = Self.bothInterfaces
    }

    subscript(face: ChipInterface) -> FaceState {
        get { face == .nfc ? nfc : i2c }
        set {
            switch face {
            case .nfc: nfc = newValue
            case .i2c: i2c = newValue
            }
        }
    }

    /// Gives or takes power; both lose the volatile state of the face.
    mutating func setPower(_ isOn: Bool, of face: ChipInterface, at time: Duration) {
        var fresh = FaceState()
        fresh.isPowered = isOn
        fresh.poweredSince = time
        if isOn, settings.selectsImplicitly { fresh.application = .tag }
        self[face] = fresh
        // Settings of the configurator count after a reset.
        if isOn, let value = configuration[.interfaces]?.first { activeInterfaces = value }
    }

    /// Why a face does not answer, in one sentence; nil when it does.
    func muteReason(of face: ChipInterface) -> String? {
        if !self[face].isPowered {
            return face == .nfc ? "the NFC field is off" : "the I2C side has no power"
        }
        let needed: UInt8 = face == .nfc ? 0x10 : 0x01
        if activeInterfaces & needed == 0 {
            let name = face == .nfc ? "NFC" : "I2C"
            return "the configuration (tag C060) has \(name) switched off"
        }
        if face == .i2c, nfc.isPowered {
            return "the NFC field is on, and I2C does not answer until it is off"
        }
        return nil
    }

    static let bothInterfaces: UInt8 = 0x11
}

/// What one face of the chip forgets when its power goes.
struct FaceState: Sendable {
    /// The application that answers.
    enum Application: Sendable {
        case tag
        case configurator
    }

    var isPowered = false
    var poweredSince = Duration.zero
    var application: Application?
    var file: NBTFile?
    /// The read password of the selected file was presented and is right.
    var mayReadByPassword = false
    /// The write password of the selected file was presented and is right.
    var mayWriteByPassword = false

    /// Selects an application; file and passwords are forgotten.
    mutating func select(_ newApplication: Application) {
        application = newApplication
        select(file: nil)
    }

    /// Selects a file; passwords are forgotten.
    mutating func select(file newFile: NBTFile?) {
        file = newFile
        mayReadByPassword = false
        mayWriteByPassword = false
    }
}
