// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import SmartCard
import TangemConstants

/// The way to the card within a session: selection, encryption, the security delay, and the search for a lost card.
final class CardChannel {
    private(set) var connection: any Connection
    private(set) var encryption = SessionEncryption.none

    private let reader: any CardReader
    private let delegate: any SessionDelegate
    private let configuration: SessionConfiguration
    private let clock: any RigClock
    private var cipher: SessionCipher?
    private var accessCode: UserCode
    private var firmware: CardFirmware?
    private var reconnections = 0
    /// How often the card was lost in the middle of a command, as often as that is allowed.
    private(set) var losses = 0
    /// The UID of the session's card, where there was a reason to ask the reader for it.
    private var knownUID: [UInt8]?

    init(
        reader: any CardReader,
        delegate: any SessionDelegate,
        configuration: SessionConfiguration,
        clock: any RigClock
    ) throws(TangemError) {
        self.reader = reader
        self.delegate = delegate
        self.configuration = configuration
        self.clock = clock
        accessCode = configuration.accessCode
        encryption = configuration.encryption
        do { connection = try reader.connect() } catch { throw TangemError(error) }
        delegate.handle(.tagConnected)
        try select()
    }

    /// Lets go of the card.
    func close() { reader.disconnect(connection) }

    /// Looks for the next card, whichever it is, and starts over with it.
    func connectAgain() throws(TangemError) {
        do { connection = try reader.connectAgain(after: connection) } catch { throw TangemError(error) }
        cipher = nil
        delegate.handle(.tagConnected)
        try select()
    }

    /// Looks for the card of the session, and past any other one, for as long as the configuration allows.
    ///
    /// - Parameters:
    ///   - context: The card and the access code that it had.
    ///   - newCode: The access code that it may have now.
    /// - Returns: The access code that it takes.
    /// - Throws: Why it was not found.
    @discardableResult
    func findAgain(_ context: CommandContext, or newCode: UserCode? = nil) throws(TangemError) -> UserCode {
        let deadline = clock.now + configuration.cardTimeout
        var hasSeenOther = false
        while true {
            do throws(TangemError) {
                try connectAgain()
                guard let wanted = context.card?.id else { return context.accessCode }
                // A READ would end a delay that the card keeps in flash.
                if newCode == nil, let knownUID, try uidOfReader() == knownUID { return context.accessCode }
                var found = try identify(context)
                if found == wanted { return context.accessCode }
                // A card that says who it is has no use for the other code.
                if found == nil, let newCode {
                    found = try identify(context.with(accessCode: newCode))
                    if found == wanted { return newCode }
                }
                hasSeenOther = true
                try pass(over: found, wanted: wanted, until: deadline)
                // The other card may have asked for more encryption than the own one does.
                resetEncryption()
            } catch {
                guard error.isLoss else { throw error }
                if !hasSeenOther || clock.now >= deadline {
                    guard reconnections < configuration.reconnections else { throw error }
                    reconnections += 1
                }
                clock.wait(Self.lookPause)
            }
        }
    }

    /// Tells of another card than the wanted one, and waits for a moment.
    ///
    /// - Parameters:
    ///   - found: The other card; nil when it does not say which one it is.
    ///   - wanted: The card that is meant.
    ///   - deadline: When nobody waits any longer.
    /// - Throws: `userCancelled` when the delegate gives up, `wrongCardNumber` when the time is over.
    func pass(over found: CardID?, wanted: CardID, until deadline: Duration) throws(TangemError) {
        delegate.handle(.wrongCard(found: found, wanted: wanted))
        guard delegate.wrongCard(found: found, wanted: wanted) == .waitForNext else {
            throw TangemError(.userCancelled, "the card \(wanted) did not come")
        }
        clock.wait(configuration.wrongCardPause)
        guard clock.now < deadline else {
            let seconds = configuration.cardTimeout.components.seconds
            throw TangemError(
                .wrongCardNumber,
                "\(found.map(\.description) ?? "another card") lies there, "
                    + (configuration.cardTimeout > .zero
                        ? "and \(wanted) did not come within \(seconds) s" : "not \(wanted)")
            )
        }
    }

    /// How long nobody looks after a look that found no card.
    static let lookPause = Duration.milliseconds(250)

    /// Forgets the session key and the strength that another card asked for.
    func resetEncryption() {
        cipher = nil
        encryption = configuration.encryption
    }

    /// Sends a command until the card is done with it; refusals are answers.
    func exchange(_ command: any TangemCommand, _ context: CommandContext) throws(TangemError)
        -> CommandAnswer
    {
        use(context.accessCode)
        firmware = context.card?.firmware
        while true {
            do throws(TangemError) {
                return try attempt(command, context)
            } catch {
                try admit(error)
                guard command.isRepeatable else { throw error }
                try findAgain(context)
            }
        }
    }

    /// Counts a loss; throws whatever is none, and one too many.
    private func admit(_ error: TangemError) throws(TangemError) {
        guard error.isLoss, reconnections < configuration.reconnections else { throw error }
        reconnections += 1
        losses += 1
        delegate.handle(.tagLost)
    }

    /// Remembers the UID of the card that lies there, where the reader tells it.
    func noteUID() throws(TangemError) {
        while true {
            do throws(TangemError) {
                knownUID = try uidOfReader()
                return
            } catch {
                try admit(error)
                try findAnyAgain()
            }
        }
    }

    /// Looks for a card after a loss.
    ///
    /// - Returns: Whether it is the one whose UID was noted; false where the reader tells none.
    /// - Throws: Why there is none.
    func findNotedAgain() throws(TangemError) -> Bool {
        try findAnyAgain()
        guard let knownUID else { return false }
        return try uidOfReader() == knownUID
    }

    private func findAnyAgain() throws(TangemError) {
        try findAgain(CommandContext(accessCode: accessCode))
    }

    private func use(_ code: UserCode) {
        guard code != accessCode else { return }
        // The session key hangs on the access code.
        accessCode = code
        cipher = nil
    }

    /// Sends a command until the card is done with it, to the card that lies there now.
    private func attempt(_ command: any TangemCommand, _ context: CommandContext) throws(TangemError)
        -> CommandAnswer
    {
        let ownCipher = try command.ownCipher
        let objects = try command.objects(context).bytes
        if ownCipher == nil, encryption < command.leastEncryption { raise(to: command.leastEncryption) }
        while true {
            let frame = try frame(command.instruction, objects, ownCipher)
            let response = try transmitThroughDelay(frame, ownCipher)
            if response.sw == TangemStatus.needEncryption, ownCipher == nil, let next = encryption.next {
                raise(to: next)
                continue
            }
            guard TangemError(sw: response.sw) == nil else {
                return CommandAnswer(sw: response.sw, objects: CardObjects())
            }
            let data = try (ownCipher ?? cipher)?.decrypt(response.data) ?? response.data
            return CommandAnswer(sw: response.sw, objects: try CardObjects(parsing: data))
        }
    }

    /// The card that lies there; nil when it does not let itself be read with the codes of the session.
    private func identify(_ context: CommandContext) throws(TangemError) -> CardID? {
        use(context.accessCode)
        do throws(TangemError) {
            let answer = try attempt(ReadCardCommand(), context)
            guard TangemError(sw: answer.sw) == nil else { return nil }
            return try answer.objects.requiredCardID()
        } catch {
            // What cannot be read, a blank card or one with another access code, is not the card of the session.
            guard error.fault == nil else { throw error }
            return nil
        }
    }

    private func raise(to mode: SessionEncryption) {
        encryption = mode
        cipher = nil
    }

    private func frame(
        _ instruction: TangemInstruction,
        _ objects: [UInt8],
        _ ownCipher: SessionCipher?
    ) throws(TangemError) -> CommandFrame {
        if let ownCipher {
            return try CommandFrame(instruction, body: try ownCipher.encrypt(objects), le: configuration.le)
        }
        // A command without a body has nothing to encrypt.
        guard encryption != .none, !objects.isEmpty else {
            return try CommandFrame(instruction, body: objects, le: configuration.le)
        }
        let cipher = try openSession()
        return try CommandFrame(
            instruction,
            p1: cipher.encryption.rawValue,
            body: try cipher.encrypt(objects),
            le: configuration.le
        )
    }

    // MARK: - The way there and back

    private func select() throws(TangemError) {
        // The answer says nothing of interest; only a fault on the way ends the session.
        _ = try transmit(CommandFrame.select)
    }

    private func transmit(_ bytes: [UInt8]) throws(TangemError) -> ResponseAPDU {
        do {
            return try ResponseAPDU(bytes: try connection.transmit(bytes))
        } catch let fault as TransportFault {
            throw TangemError(fault)
        } catch {
            throw TangemError(TransportFault(.transport, "\(error)"))
        }
    }

    /// The answer after the security delay.
    private func transmitThroughDelay(
        _ frame: CommandFrame,
        _ ownCipher: SessionCipher?
    ) throws(TangemError) -> ResponseAPDU {
        var watch: DelayWatch?
        while true {
            let response = try transmit(frame.bytes)
            guard response.sw == TangemStatus.needPause else {
                if watch != nil { delegate.handle(.delayEnded) }
                return response
            }
            let notice = pauseNotice(response.data, ownCipher)
            var current =
                watch
                ?? DelayWatch(
                    start: clock.now,
                    isTotalExact: firmware?.has(.hdWallets) == true
                )
            try current.count(notice, now: clock.now, configuration)
            watch = current
            delegate.handle(
                .delay(remaining: notice.remainingMilliseconds, total: current.totalMilliseconds)
            )
            if notice.isInFlash, cipher == nil, ownCipher == nil {
                // The card keeps its progress without power: phones drop the tag here before it is too late.
                try dropTag()
            }
        }
    }

    /// Lets go of the card for a moment and takes it up again, if the reader does not tell that it is another one.
    private func dropTag() throws(TangemError) {
        knownUID = try uidOfReader()
        try connectAgain()
        guard let knownUID, let now = try uidOfReader(), now != knownUID else { return }
        throw TangemError(TransportFault(.cardReset, "another card lies there than before"))
    }

    private func pauseNotice(_ data: [UInt8], _ ownCipher: SessionCipher?) -> PauseNotice {
        let plain = (try? (ownCipher ?? cipher)?.decrypt(data)) ?? data
        return PauseNotice(plain)
    }

    // MARK: - Encryption

    private func openSession() throws(TangemError) -> SessionCipher {
        if let cipher { return cipher }
        let ownKey: PrivateKey?
        let keyA: [UInt8]
        if encryption == .strong {
            let key = try ephemeralKey()
            ownKey = key
            keyA = key.publicKey.uncompressed
        } else {
            ownKey = nil
            keyA = try random(16)
        }
        let body = CardObjects([CardObject(.sessionKeyA, keyA)])
        let frame = try CommandFrame(
            .openSession,
            p2: encryption.rawValue,
            body: body.bytes,
            le: configuration.le
        )
        let response = try transmit(frame.bytes)
        if response.sw == TangemStatus.needEncryption, let next = encryption.next {
            encryption = next
            return try openSession()
        }
        guard response.sw == TangemStatus.completed else {
            throw TangemError(
                .failedToEstablishEncryption,
                "the card refused OPEN_SESSION in mode \(encryption)",
                sw: response.sw
            )
        }
        let objects = try CardObjects(parsing: response.data)
        let keyB = try objects.required(.sessionKeyB)
        let secret: [UInt8]
        if let ownKey {
            secret = try SessionCipher.sharedSecret(own: ownKey, other: keyB)
        } else {
            secret = keyA + keyB
        }
        var uid = objects[.uid] ?? []
        if uid.isEmpty { uid = try requiredUIDOfReader() }
        let made = try SessionCipher(
            encryption: encryption,
            key: try SessionCipher.key(accessCode: accessCode, uid: uid, secret: secret)
        )
        cipher = made
        delegate.handle(.encryption(encryption))
        return made
    }

    /// The UID as the reader knows it; nil when it does not tell.
    ///
    /// Source: PC/SC part 3, §3.2.2.1.3 Get Data.
    private func uidOfReader() throws(TangemError) -> [UInt8]? {
        let response = try transmit([0xFF, 0xCA, 0x00, 0x00, 0x00])
        return response.sw == .success && !response.data.isEmpty ? response.data : nil
    }

    /// The UID from the reader, for cards that leave it out of OPEN_SESSION.
    private func requiredUIDOfReader() throws(TangemError) -> [UInt8] {
        guard let uid = try uidOfReader() else {
            throw TangemError(
                .failedToEstablishEncryption,
                "neither the card nor the reader tells the UID"
            )
        }
        return uid
    }

    private func random(_ count: Int) throws(TangemError) -> [UInt8] {
        guard let bytes = configuration.randomBytes(count), bytes.count == count else {
            throw TangemError(.failedToGenerateRandomSequence)
        }
        return bytes
    }

    private func ephemeralKey() throws(TangemError) -> PrivateKey {
        // Nearly every number is a key; a source that gives none in eight tries is no random source.
        for _ in 0..<8 {
            if let key = try? PrivateKey(random(32), curve: .secp256k1) { return key }
        }
        throw TangemError(.failedToGenerateRandomSequence, "the random bytes are no key")
    }
}
