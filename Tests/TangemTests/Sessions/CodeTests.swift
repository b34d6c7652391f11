// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Tangem
import TangemConstants
import TangemEmulator
import Testing

@Suite("Codes of the user")
struct CodeTests {
    private let clock = ModelClock()
    private let log = EventLog()

    private func sdk(_ card: any Card, _ change: (inout SessionConfiguration) -> Void = { _ in }) -> TangemSDK
    {
        TangemSDK(card, clock: clock, log: log, change)
    }

    private func card(_ firmware: String, accessCode: String? = nil, passcode: String? = nil) throws
        -> TangemCard
    {
        var options = ["start": "loaded", "keys": "test"]
        if let accessCode { options["access-code"] = UserCode(accessCode).digest.hex }
        if let passcode { options["passcode"] = UserCode(passcode).digest.hex }
        return try TangemCard(firmware: firmware, options: options, seed: 1, clock: clock)
    }

    @Test("a card with an access code asks for it", arguments: ["2.11r", "4.12r", "6.33d"])
    func accessCode(_ firmware: String) throws {
        log.replies = [.text("code")]
        let sdk = sdk(try card(firmware, accessCode: "code"))
        #expect(throws: Never.self) { try sdk.readCard() }
        #expect(log.requests == [CodeRequest(kind: .accessCode, cardID: nil, isWrong: false)])
    }

    @Test("a wrong access code ends the session", arguments: ["2.11r", "6.33d"])
    func wrongAccessCode(_ firmware: String) throws {
        let card = try card(firmware, accessCode: "code")
        log.replies = [.text("wrong")]
        #expect(try #require(throws: TangemError.self) { try sdk(card).readCard() }.kind == .wrongAccessCode)
        log.replies = [.unknown]
        #expect(
            try #require(throws: TangemError.self) { try sdk(card).readCard() }.kind == .accessCodeRequired
        )
        log.replies = [.cancel]
        #expect(try #require(throws: TangemError.self) { try sdk(card).readCard() }.kind == .userCancelled)
        log.replies = [.forgotten]
        #expect(
            try #require(throws: TangemError.self) { try sdk(card).readCard() }.kind == .userForgotTheCode
        )
        log.replies = [.text("wrong"), .code(UserCode("code"))]
        let patient = sdk(card) { $0.codeAttempts = 2 }
        #expect(throws: Never.self) { try patient.readCard() }
        #expect(log.requests.last?.isWrong == true)
    }

    @Test(
        "a card with a passcode asks for it when it is needed",
        arguments: ["2.11r", "3.34d", "4.12r", "6.33d"]
    )
    func passcode(_ firmware: String) throws {
        let sdk = sdk(try card(firmware, passcode: "pass")) { $0.checksUserCodes = false }
        let wallet = try #require(try sdk.readCard().wallets.first)
        #expect(log.requests.isEmpty)
        log.replies = [.text("pass")]
        let result = try sdk.sign(hash: [UInt8](repeating: 7, count: 32), walletPublicKey: wallet.publicKey)
        #expect(result.areVerified == true)
        #expect(log.requests.map(\.kind) == [.passcode])
        log.replies = [.text("wrong")]
        let error = try #require(throws: TangemError.self) {
            try sdk.sign(hash: [UInt8](repeating: 7, count: 32), walletPublicKey: wallet.publicKey)
        }
        #expect(error.kind == .wrongPasscode)
    }

    @Test("codes are changed, used, and set back", arguments: ["3.34d", "4.12r", "4.45d", "6.33d"])
    func change(_ firmware: String) throws {
        let sdk = sdk(try card(firmware))
        let session = try sdk.startSession()
        #expect(
            try session.setCodes(accessCode: "access", passcode: "passcode").sw == TangemStatus.pins12Changed
        )
        #expect(try session.readAgain().id == session.card?.id)
        #expect(try session.areCodesRight())
        let wallet = try #require(session.card?.wallets.first)
        let hash = [UInt8](repeating: 1, count: 32)
        #expect(try session.sign(hashes: [hash], walletPublicKey: wallet.publicKey).areVerified == true)
        session.stop()
        log.replies = [.text("access"), .text("passcode")]
        let again = try sdk.startSession()
        #expect(log.requests.map(\.kind) == [.accessCode])
        #expect(try again.setCodes(passcode: "another").sw == TangemStatus.pin2Changed)
        #expect(log.requests.map(\.kind) == [.accessCode, .passcode])
        #expect(try again.resetCodes().sw == TangemStatus.pins12Changed)
        again.stop()
        #expect(throws: Never.self) { try sdk.readCard() }
    }

    @Test("what is no new code is refused before anything is sent")
    func refused() throws {
        let card = try card("4.12r")
        let session = try sdk(card).startSession()
        func kind(_ work: () throws -> Void) throws -> TangemError.Kind {
            try #require(throws: TangemError.self) { try work() }.kind
        }
        #expect(try kind { try session.setCodes(accessCode: "abc") } == .accessCodeTooShort)
        #expect(try kind { try session.setCodes(passcode: "abc") } == .passcodeTooShort)
        #expect(try kind { try session.setCodes(accessCode: "000000") } == .accessCodeCannotBeDefault)
        let closed = try TangemCard(
            firmware: "4.12r",
            options: ["settings": "0008BA01"],
            seed: 1,
            clock: clock
        )
        session.stop()
        let other = try sdk(closed).startSession()
        #expect(try kind { try other.setCodes(accessCode: "abcd") } == .accessCodeCannotBeChanged)
        #expect(try kind { try other.setCodes(passcode: "abcd") } == .passcodeCannotBeChanged)
    }
}
