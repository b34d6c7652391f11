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

    /// Looks for the next card and starts over with it.
    func connectAgain() throws(TangemError) {
        do { connection = try reader.connectAgain(after: connection) } catch { throw TangemError(error) }
        cipher = nil
        delegate.handle(.tagConnected)
        try select()
    }

    /// Forgets the session key and the strength that another card asked for.
    func resetEncryption() {
        cipher = nil
        encryption = configuration.encryption
    }

    /// Sends a command until the card is done with it; refusals are answers.
    func exchange(_ command: any TangemCommand, _ context: CommandContext) throws(TangemError)
        -> CommandAnswer
    {
        if context.accessCode != accessCode {
            // The session key hangs on the access code.
            accessCode = context.accessCode
            cipher = nil
        }
        firmware = context.card?.firmware
        let ownCipher = try command.ownCipher
        let objects = try command.objects(context).bytes
        if ownCipher == nil, encryption < command.leastEncryption { raise(to: command.leastEncryption) }
        while true {
            let frame = try frame(command.instruction, objects, ownCipher)
            guard let response = try transmitThroughDelay(frame, ownCipher) else { continue }
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

    /// The answer after the security delay; nil when the card was lost and found again.
    private func transmitThroughDelay(
        _ frame: CommandFrame,
        _ ownCipher: SessionCipher?
    ) throws(TangemError) -> ResponseAPDU? {
        var watch: DelayWatch?
        while true {
            let response: ResponseAPDU
            do {
                response = try transmit(frame.bytes)
            } catch {
                try recover(from: error)
                return nil
            }
            guard response.sw == TangemStatus.needPause else {
                if watch != nil { delegate.handle(.delayEnded) }
                return response
            }
            let notice = pauseNotice(response.data, ownCipher)
            var current =
                watch
                ?? DelayWatch(
                    notice: notice,
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
                try connectAgain()
            }
        }
    }

    private func pauseNotice(_ data: [UInt8], _ ownCipher: SessionCipher?) -> PauseNotice {
        let plain = (try? (ownCipher ?? cipher)?.decrypt(data)) ?? data
        return PauseNotice(plain)
    }

    private func recover(from error: TangemError) throws(TangemError) {
        guard let fault = error.fault, [.cardRemoved, .cardReset, .noCard].contains(fault.kind),
            reconnections < configuration.reconnections
        else { throw error }
        reconnections += 1
        delegate.handle(.tagLost)
        try connectAgain()
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
        if uid.isEmpty { uid = try readUID() }
        let made = try SessionCipher(
            encryption: encryption,
            key: try SessionCipher.key(accessCode: accessCode, uid: uid, secret: secret)
        )
        cipher = made
        delegate.handle(.encryption(encryption))
        return made
    }

    /// The UID from the reader, for cards that leave it out of OPEN_SESSION.
    private func readUID() throws(TangemError) -> [UInt8] {
        let response = try transmit([0xFF, 0xCA, 0x00, 0x00, 0x00])
        guard response.sw == .success, !response.data.isEmpty else {
            throw TangemError(
                .failedToEstablishEncryption,
                "neither the card nor the reader tells the UID",
                sw: response.sw
            )
        }
        return response.data
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
