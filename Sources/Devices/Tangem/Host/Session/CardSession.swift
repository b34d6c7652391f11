// SPDX-License-Identifier: MIT

public import CardConnection
import Cryptography
import SmartCard
public import TangemConstants

/// A session with one card: several commands one after the other, until ``stop(message:)``.
///
/// Like a connection, a session belongs to one thread.
public final class CardSession {
    /// The card as it was read last; nil before that.
    public internal(set) var card: CardRecord?
    /// Whether commands can be sent.
    public private(set) var isActive = true
    /// The access code in use.
    public internal(set) var accessCode: UserCode
    /// The passcode in use.
    public internal(set) var passcode: UserCode
    /// How the session behaves.
    public let configuration: SessionConfiguration

    let delegate: any SessionDelegate
    let clock: any RigClock
    let channel: CardChannel
    let wantedID: CardID?
    private let preflight: SessionConfiguration.Preflight
    private var reportedHealth: UInt8?

    init(
        reader: any CardReader,
        delegate: any SessionDelegate,
        configuration: SessionConfiguration,
        clock: any RigClock,
        cardID: CardID?,
        message: String?,
        preflight: SessionConfiguration.Preflight
    ) throws(TangemError) {
        self.delegate = delegate
        self.configuration = configuration
        self.clock = clock
        self.preflight = preflight
        wantedID = cardID
        accessCode = configuration.accessCode
        passcode = configuration.passcode
        delegate.handle(.started(message: message))
        do {
            channel = try CardChannel(
                reader: reader,
                delegate: delegate,
                configuration: configuration,
                clock: clock
            )
        } catch {
            delegate.handle(.stopped(message: nil, error))
            throw error
        }
        do {
            try readFirst()
        } catch {
            stop(error: error)
            throw error
        }
    }

    /// How the bodies of commands are encrypted now.
    public var encryption: SessionEncryption { channel.encryption }

    /// The connection to the card, for commands of the caller's own.
    public var connection: any Connection { channel.connection }

    /// Ends the session.
    public func stop(message: String? = nil) {
        end(message: message, error: nil)
    }

    /// Ends the session because of an error.
    public func stop(error: TangemError) {
        end(message: nil, error: error)
    }

    private func end(message: String?, error: TangemError?) {
        guard isActive else { return }
        isActive = false
        channel.close()
        delegate.handle(.stopped(message: message, error))
    }

    /// Runs one command.
    ///
    /// - Parameter command: The command.
    /// - Returns: What the card gave back.
    /// - Throws: `sessionInactive` after the end, `missingPreflightRead` before the card was read, what the checks
    ///   of the command say, or what the card says.
    public func run<Command: TangemCommand>(_ command: Command) throws(TangemError) -> Command.Answer {
        try run(command, asksForCodes: true)
    }

    /// Refuses a command whose body no source tells.
    public func run(unpublished instruction: TangemInstruction) throws(TangemError) {
        throw UnpublishedCommands.error(instruction)
    }

    func run<Command: TangemCommand>(
        _ command: Command,
        asksForCodes: Bool
    ) throws(TangemError) -> Command.Answer {
        do {
            return try attempt(command, asksForCodes)
        } catch {
            throw error.during(command.name)
        }
    }

    /// The card, which must have been read.
    func requiredCard() throws(TangemError) -> CardRecord {
        guard let card else { throw TangemError(.missingPreflightRead) }
        return card
    }

    /// The wallet with a public key; nothing is sent when there is none.
    func requiredWallet(_ publicKey: [UInt8]) throws(TangemError) -> WalletRecord {
        let card = try requiredCard()
        guard let wallet = card.wallet(publicKey) else {
            if card.status == TangemCardStatus.purged { throw TangemError(.walletIsPurged) }
            throw TangemError(.walletNotFound, "no wallet has the public key \(publicKey.hex)")
        }
        return wallet
    }

    /// Random bytes of the host.
    func random(_ count: Int) throws(TangemError) -> [UInt8] {
        guard let bytes = configuration.randomBytes(count), bytes.count == count else {
            throw TangemError(.failedToGenerateRandomSequence)
        }
        return bytes
    }

    /// The card as it is judged: by another issuer's key, where the configuration gives one.
    func judgedCard() throws(TangemError) -> CardRecord {
        var card = try requiredCard()
        if let key = configuration.issuerPublicKey { card.issuerPublicKey = key }
        return card
    }

    /// Looks for the tag anew, as phones must between long commands.
    func findTagAgain() throws(TangemError) { try channel.findAgain(context) }

    // MARK: - One command

    private var context: CommandContext {
        CommandContext(
            card: card,
            cardID: card?.id ?? wantedID,
            accessCode: accessCode,
            passcode: passcode,
            cvc: configuration.cvc.map { Array($0.utf8) },
            terminalKey: configuration.terminalKey,
            isLegacyMode: configuration.isLegacyMode
        )
    }

    private func attempt<Command: TangemCommand>(
        _ command: Command,
        _ asksForCodes: Bool
    ) throws(TangemError) -> Command.Answer {
        guard isActive else { throw TangemError(.sessionInactive) }
        if command.needsCard, card == nil { throw TangemError(.missingPreflightRead) }
        if configuration.handlesErrors, card != nil { try command.check(judgedCard()) }
        var asked: [UserCode.Kind: Int] = [:]
        while true {
            let context = context
            let losses = losses
            let answer: CommandAnswer
            do throws(TangemError) {
                answer = try channel.exchange(command, context)
            } catch {
                guard isLoss(error, since: losses), let codes = command.newCodes else { throw error }
                guard let changed = try cardWithNewCodes(codes, context) else { continue }
                accessCode = codes.accessCode ?? accessCode
                passcode = codes.passcode ?? passcode
                if let answer = command.lostAnswer(changed) { return answer }
                continue
            }
            if let error = TangemError(sw: answer.sw) {
                guard configuration.handlesErrors else { throw error }
                let meaning = meaning(of: error, after: command, context)
                guard asksForCodes else { throw meaning }
                switch meaning.kind {
                case .accessCodeRequired: try ask(.accessCode, meaning, &asked)
                case .passcodeRequired: try ask(.passcode, meaning, &asked)
                default: throw meaning
                }
                continue
            }
            try inspect(answer.objects, after: command)
            return try command.answer(answer, context)
        }
    }

    private func meaning(
        of error: TangemError,
        after command: some TangemCommand,
        _ context: CommandContext
    ) -> TangemError {
        let meaning = command.meaning(of: error, context)
        guard meaning.kind == .invalidParams, command.needsPasscode else { return meaning }
        // Cards of old say "wrong parameter" to a wrong passcode.
        if card?.isPasscodeDefault == true, passcode == .standard(.passcode) { return meaning }
        return TangemError(.passcodeRequired, meaning.detail, sw: meaning.sw)
    }

    private func ask(
        _ kind: UserCode.Kind,
        _ error: TangemError,
        _ asked: inout [UserCode.Kind: Int]
    ) throws(TangemError) {
        let isWrong = (kind == .accessCode ? accessCode : passcode) != .standard(kind)
        // Firmware that tells which code is wrong means another parameter by "wrong parameter".
        let isOther = error.sw == TangemStatus.invalidParameters && card?.has(.pin2IsDefault) == true
        let refusal =
            isWrong
            ? isOther
                ? TangemError(.invalidParams, error.detail, sw: error.sw)
                : TangemError(
                    kind == .accessCode ? .wrongAccessCode : .wrongPasscode,
                    error.detail,
                    sw: error.sw
                )
            : error
        guard asked[kind, default: 0] < configuration.codeAttempts else { throw refusal }
        asked[kind, default: 0] += 1
        let request = CodeRequest(kind: kind, cardID: card?.id, isWrong: isWrong)
        delegate.handle(.codeRequested(request))
        let code: UserCode
        switch delegate.code(for: request) {
        case .text(let text): code = UserCode(text)
        case .code(let given): code = given
        case .unknown: throw refusal
        case .forgotten: throw TangemError(.userForgotTheCode)
        case .cancel: throw TangemError(.userCancelled)
        }
        switch kind {
        case .accessCode: accessCode = code
        case .passcode: passcode = code
        }
    }

    /// What every answer may tell: another card, and hardware in trouble.
    private func inspect(_ objects: CardObjects, after command: some TangemCommand) throws(TangemError) {
        if let health = try objects.byte(.health), health != 0, health != reportedHealth {
            reportedHealth = health
            card?.health = health
            delegate.handle(.health(health))
        }
        guard command.answersCardID else { return }
        let id = try objects.requiredCardID()
        if let own = card?.id, own != id {
            throw TangemError(.wrongCardNumber, "\(id) answered, the session is with \(own)")
        }
    }

    // MARK: - The beginning

    private func readFirst() throws(TangemError) {
        guard preflight != .none else { return }
        let found = try findWanted()
        if configuration.handlesErrors { try configuration.filter.check(found) }
        card = found
        if preflight == .full { try readWallets() }
    }

    /// Reads the card that lies there, and the next ones until the wanted one comes.
    func findWanted() throws(TangemError) -> CardRecord {
        let deadline = clock.now + configuration.cardTimeout
        var found = try run(ReadCardCommand())
        guard let wantedID else { return found }
        while found.id != wantedID {
            try channel.pass(over: found.id, wanted: wantedID, until: deadline)
            // Another card may have other codes and ask for other encryption.
            accessCode = configuration.accessCode
            passcode = configuration.passcode
            channel.resetEncryption()
            found = try readNext(until: deadline)
        }
        return found
    }

    /// Reads the next card; none at all is waited for as well.
    private func readNext(until deadline: Duration) throws(TangemError) -> CardRecord {
        while true {
            do throws(TangemError) {
                try channel.connectAgain()
                return try run(ReadCardCommand())
            } catch {
                guard error.isLoss, clock.now < deadline else { throw error }
                clock.wait(CardChannel.lookPause)
            }
        }
    }

    /// Reads the wallets of a card that has several; the record of other cards holds theirs.
    func readWallets() throws(TangemError) {
        var record = try requiredCard()
        guard record.has(.multiWallet) else { return }
        guard record.walletsCount > 0 else { throw TangemError(.cardWithMaxZeroWallets) }
        var wallets: [WalletRecord] = []
        var purged: Set<Int> = []
        var seen: Set<Int> = []
        var received = 0
        while received < record.walletsCount {
            let part = try run(ReadWalletsCommand(received: received))
            for (offset, slot) in part.enumerated() {
                if let index = slot.index, !seen.insert(index).inserted {
                    throw TangemError(
                        .deserializeApduFailed,
                        "the card sent slot \(index) twice",
                        command: "READ"
                    )
                }
                if let wallet = slot.wallet { wallets.append(wallet) }
                if slot.isPurged { purged.insert(slot.index ?? received + offset) }
            }
            received += part.count
        }
        guard received == record.walletsCount else {
            throw TangemError(
                .deserializeApduFailed,
                "the card sent \(received) slots and has \(record.walletsCount)",
                command: "READ"
            )
        }
        // Derived keys are the host's own knowledge: they stay with their wallets.
        for index in wallets.indices {
            wallets[index].derivedKeys =
                record.wallets.first { $0.publicKey == wallets[index].publicKey }?.derivedKeys ?? [:]
        }
        record.wallets = wallets.sorted { $0.index < $1.index }
        record.purgedSlots = purged
        card = record
    }

    /// Reads the card and its wallets anew.
    @discardableResult
    public func readAgain() throws(TangemError) -> CardRecord {
        var record = try run(ReadCardCommand())
        if let card {
            guard record.id == card.id else {
                throw TangemError(.wrongCardNumber, "\(record.id) answered, the session is with \(card.id)")
            }
            record.attestation = card.attestation
            if record.has(.multiWallet) { record.wallets = card.wallets }
        }
        card = record
        try readWallets()
        return try requiredCard()
    }
}
