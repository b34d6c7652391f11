// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard

/// Everything that the chip remembers: what survives power loss, and the volatile state of its two faces.
///
/// The commands are extensions of this type, one file each.
struct ChipState: Sendable {
    let settings: ChipSettings
    let rules: ChipRules
    /// What survives the loss of power.
    var memory: ChipMemory
    /// Volatile state of the contactless face.
    var nfc = FaceState()
    /// Volatile state of the I2C face.
    var i2c = FaceState()
    /// The settings of the configurator that count until the next reset.
    var active: [ConfigurationTag: [UInt8]] { didSet { effect = ActiveEffect(active, rules) } }
    /// What follows from them; each command asks for it.
    private(set) var effect: ActiveEffect
    /// The phone's commands on their way to the host.
    var passThrough = PassThroughState()
    /// The UID that anticollision shows while the field is on.
    var shownUID: [UInt8]
    /// An answer waits on the I2C bus to be read.
    var hasI2CAnswer = false
    /// When the command over I2C that came last will have been carried out.
    var i2cBusyUntil = Duration.zero
    /// Set when the next write over NFC shall lose its power after so many bytes.
    var cutAfterBytes: Int?

    init(settings: ChipSettings, rules: ChipRules, memory: ChipMemory) {
        self.settings = settings
        self.rules = rules
        self.memory = memory
        active = memory.configuration
        effect = ActiveEffect(memory.configuration, rules)
        shownUID = memory.uid
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
    mutating func setPower(_ isOn: Bool, of face: ChipInterface) {
        let wasOn = self[face].isPowered
        // A cut that its command did not reach does not wait for a later one.
        if face == .nfc { cutAfterBytes = nil }
        var fresh = FaceState()
        fresh.isPowered = isOn
        if isOn, settings.selectsImplicitly { fresh.application = .tag }
        self[face] = fresh
        if isOn, isReset(byPowerOf: face) { active = memory.configuration }
        if face == .nfc {
            if isOn { showUID() }
            passThrough.fieldChanged(to: isOn, from: wasOn)
        } else {
            hasI2CAnswer = false
            if !isOn { passThrough.forgetHost() }
            // A chip that starts has no past to tell of.
            if isOn, !nfc.isPowered { passThrough = PassThroughState() }
        }
    }

    /// Takes over another memory; both faces start anew if they have power.
    mutating func replaceMemory(_ newMemory: ChipMemory) {
        memory = newMemory
        active = newMemory.configuration
        passThrough = PassThroughState()
        shownUID = newMemory.uid
        for face in [ChipInterface.nfc, .i2c] where self[face].isPowered { setPower(true, of: face) }
    }

    /// Whether power that comes at a face starts the chip: a chip that the kit supplies runs on.
    private func isReset(byPowerOf face: ChipInterface) -> Bool {
        settings.isSuppliedByField || face == .i2c || !i2c.isPowered
    }

    private mutating func showUID() {
        guard active[.uidKind] == [ConfiguratorValues.randomUID] else {
            shownUID = memory.uid
            return
        }
        // Source: ISO/IEC 14443-3:2018 §6.5.4, a random UID of 4 bytes begins with 08.
        shownUID = [0x08] + random(3, for: .randomUID)
    }

    /// Takes bytes from the chip's source of randomness.
    mutating func random(_ count: Int, for purpose: ChipRandom.Purpose) -> [UInt8] {
        defer { memory.randomPosition &+= 1 }
        return ChipRandom.bytes(
            count,
            for: purpose,
            seed: settings.seed,
            position: memory.randomPosition
        )
    }

    /// Why a face does not answer, in one sentence; nil when it does.
    func muteReason(of face: ChipInterface) -> String? {
        if !self[face].isPowered {
            return face == .nfc ? "the NFC field is off" : "the I2C side has no power"
        }
        if !effect.isOn(face) {
            let name = face == .nfc ? "NFC" : "I2C"
            return "the configuration (tag C060) has \(name) switched off"
        }
        if face == .i2c, !settings.answersI2CInField, rules.access.fieldSilencesI2C(nfc.isPowered) {
            return "the NFC field is on, and I2C does not answer until it is off"
        }
        return nil
    }
}

/// What the settings that count mean for each command.
struct ActiveEffect: Sendable {
    let isNFCOn: Bool
    let isI2COn: Bool
    /// The pin is set up so that foreign applications are handed to the host.
    let passesThrough: Bool

    init(_ active: [ConfigurationTag: [UInt8]], _ rules: ChipRules) {
        let interfaces = active[.interfaces]?.first ?? ConfiguratorValues.bothInterfaces
        isNFCOn = rules.configurator.isOn(.nfc, interfaces)
        isI2COn = rules.configurator.isOn(.i2c, interfaces)
        passesThrough = rules.passThrough.isEnabled(active[.gpioFunction])
    }

    func isOn(_ face: ChipInterface) -> Bool { face == .nfc ? isNFCOn : isI2COn }
}
