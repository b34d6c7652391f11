// SPDX-License-Identifier: MIT

import Cryptography
import NBTConstants
import SmartCard

/// What the chip decides by, apart from its settings.
///
/// The commands read and write bytes; each decision in them is one of these small functions. Tests exchange single
/// ones for wrong ones and see whether a scenario or a test notices.
struct ChipRules: Sendable {
    var access = AccessRules()
    var passwords = PasswordRules()
    var lifeCycle = LifeCycleRules()
    var configurator = ConfiguratorRules()
    var proof = ProofRules()
    var passThrough = PassThroughRules()
    /// The status word that is sent, by instruction and the one that the command came to.
    var status: @Sendable (_ instruction: UInt8, _ sw: StatusWord) -> StatusWord = { _, sw in sw }
}

/// Who may read and write which bytes of a file.
struct AccessRules: Sendable {
    /// Whether a rights byte opens a file, given whether its password was presented.
    var isOpen: @Sendable (_ right: UInt8, _ isPasswordPresented: Bool) -> Bool = { right, isPresented in
        switch right {
        case AccessByte.always: true
        case AccessByte.never: false
        default: isPresented
        }
    }
    /// The bytes that a READ BINARY gives; nil when its offset lies outside.
    var readRange: @Sendable (_ offset: Int, _ ne: Int, _ size: Int) -> Range<Int>? = { offset, ne, size in
        offset < size ? offset..<min(offset + ne, size) : nil
    }
    /// Whether an UPDATE BINARY may start there.
    var mayStart: @Sendable (_ offset: Int, _ size: Int) -> Bool = { $0 < $1 }
    /// Whether an UPDATE BINARY may end there.
    var mayEnd: @Sendable (_ end: Int, _ size: Int) -> Bool = { $0 <= $1 }
    /// Whether bytes of the capability container can be written at all.
    var isContainerWritable: @Sendable (_ range: Range<Int>) -> Bool = {
        !ContainerLayout.protectedOffsets.overlaps($0)
    }
    /// Whether a byte is a right that a policy record may hold.
    var isRight: @Sendable (_ byte: UInt8) -> Bool = PolicyRecord.isRight
    /// Whether the I2C side is silent while a field is there.
    var fieldSilencesI2C: @Sendable (_ isFieldOn: Bool) -> Bool = { $0 }
}

/// How passwords are checked, counted and blocked.
struct PasswordRules: Sendable {
    /// Whether a presented value is the stored one.
    var isRight: @Sendable (_ given: [UInt8], _ stored: [UInt8]) -> Bool = { $0 == $1 }
    /// The tries that are left after a wrong value.
    var triesAfterFailure: @Sendable (_ left: UInt16, _ limit: UInt16) -> UInt16 = { left, limit in
        limit == PasswordLimits.unlimitedTries || left == 0 ? left : left - 1
    }
    /// The tries that are left after the right value.
    var triesAfterSuccess: @Sendable (_ left: UInt16, _ limit: UInt16) -> UInt16 = { _, limit in limit }
    /// The tries that are left after UNBLOCK PASSWORD.
    var triesAfterUnblock: @Sendable (_ left: UInt16, _ limit: UInt16) -> UInt16 = { _, limit in limit }
    /// Whether a password with so many tries left is blocked.
    var isBlocked: @Sendable (_ left: UInt16) -> Bool = { $0 == 0 }
    /// Whether an instruction needs the master password, given the write right of the policy.
    var needsMaster: @Sendable (_ instruction: UInt8, _ right: UInt8) -> Bool = { _, right in
        right & AccessByte.passwordFlag != 0
    }
    /// Whether a password may have that response.
    var isResponse: @Sendable (_ response: [UInt8]) -> Bool = {
        !PasswordLimits.forbiddenResponses.contains($0)
    }
    /// Whether a password may have that retry limit, given the highest that counts.
    var isLimit: @Sendable (_ limit: UInt16, _ highest: UInt16) -> Bool = { limit, highest in
        limit == PasswordLimits.unlimitedTries
            || PasswordLimits.countedTries.lowerBound <= limit && limit <= highest
    }
    /// Whether a password may have that id.
    var isID: @Sendable (_ id: UInt8) -> Bool = { AccessByte.passwordIDs.contains($0) }
    /// How many passwords there may be.
    var countLimit = PasswordLimits.countLimit
    /// Whether an id that is in use may be created again.
    var mayReplace = false
    /// Whether SELECT forgets what was presented before.
    var areForgottenBySelect = true
}

/// What the life cycle allows.
struct LifeCycleRules: Sendable {
    /// Whether PERSONALIZE DATA works.
    var isPersonalizable: @Sendable (_ lifeCycle: [UInt8]) -> Bool = { $0 == LifeCycleWord.personalization }
    /// What FINALIZE makes of the life cycle.
    var finalized: @Sendable (_ lifeCycle: [UInt8]) -> [UInt8] = { _ in LifeCycleWord.operational }
    /// Length of the AES key.
    var cottKeySize = 16
    /// Length of the ECC key.
    var eccKeySize = 32
}

/// What the configurator takes, and when it counts.
struct ConfiguratorRules: Sendable {
    /// Whether a setting may have that value.
    var isAllowed: @Sendable (_ tag: ConfigurationTag, _ value: [UInt8]) -> Bool = { tag, value in
        ConfiguratorValues.allowed[tag]?.contains(value) ?? true
    }
    /// Whether a setting can be written at all.
    var isWritable: @Sendable (_ tag: ConfigurationTag) -> Bool = { !ConfiguratorValues.fixed.contains($0) }
    /// Whether what is set counts at once, not after the next reset only.
    var countsAtOnce = false
    /// Whether the interface setting leaves an interface on.
    var isOn: @Sendable (_ face: ChipInterface, _ setting: UInt8) -> Bool = { face, setting in
        setting & (face == .nfc ? ConfiguratorValues.nfcBit : ConfiguratorValues.i2cBit) != 0
    }
}

/// What is signed, and what a token says.
struct ProofRules: Sendable {
    /// The bytes that AUTHENTICATE TAG signs.
    var signedMessage: @Sendable (_ challenge: [UInt8]) -> [UInt8] = { $0 }
    /// The signature as it is sent.
    var encodedSignature: @Sendable (_ signature: ECDSASignature) -> [UInt8] = { $0.der }
    /// The part of a token that its code covers.
    var authenticatedPart: @Sendable (_ body: [UInt8]) -> [UInt8] = { $0 }
    /// Whether the token changes when it should.
    var isTokenFresh = true
    /// What a token begins with.
    var tokenHeader = COTTLayout.header
    /// The UID that a token names.
    var tokenUID: @Sendable (_ uid: [UInt8]) -> [UInt8] = { $0 }
    /// Whether a face sees tokens at all.
    var seesToken: @Sendable (_ face: ChipInterface) -> Bool = { $0 == .nfc }
}

/// How the phone's commands come to the host and back.
struct PassThroughRules: Sendable {
    /// The events that are left after FETCH DATA told them.
    var eventsAfterFetch: @Sendable (_ events: UInt16) -> UInt16 = { _ in 0 }
    /// Whether PUT RESPONSE needs a FETCH DATA before it.
    var needsFetch = true
    /// Whether the interrupt falls when the command was fetched.
    var fetchClearsInterrupt = true
    /// Whether a function of the pin lets foreign applications through.
    var isEnabled: @Sendable (_ pinFunction: [UInt8]?) -> Bool = {
        $0 == [ConfiguratorValues.passThroughInterrupt]
    }
}
