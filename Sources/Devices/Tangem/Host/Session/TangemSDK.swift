// SPDX-License-Identifier: MIT

public import CardConnection

/// The functions for cards, each in a session of its own, and sessions for several commands.
///
/// Every function takes the identifier of a card where one is meant: while another card lies there, the delegate is
/// told and the session waits for the right one. Only one session is open at a time; a second one is refused with
/// `busy`. Calls return when the session is over, and all of them belong to one thread.
public final class TangemSDK {
    /// How sessions behave.
    public var configuration: SessionConfiguration

    private let reader: any CardReader
    private let delegate: any SessionDelegate
    private let clock: any RigClock
    private weak var current: CardSession?
    private var isStarting = false

    /// Makes the functions for a reader.
    ///
    /// - Parameters:
    ///   - reader: Where cards come from.
    ///   - delegate: Who watches sessions and answers their questions.
    ///   - configuration: How sessions behave.
    ///   - clock: Where time passes.
    public init(
        reader: any CardReader,
        delegate: any SessionDelegate = SilentDelegate(),
        configuration: SessionConfiguration = SessionConfiguration(),
        clock: any RigClock = SystemClock()
    ) {
        self.reader = reader
        self.delegate = delegate
        self.configuration = configuration
        self.clock = clock
    }

    /// Makes the functions for one open connection, which stays open.
    public convenience init(
        connection: any Connection,
        delegate: any SessionDelegate = SilentDelegate(),
        configuration: SessionConfiguration = SessionConfiguration(),
        clock: any RigClock = SystemClock()
    ) {
        self.init(
            reader: ConnectionReader(connection),
            delegate: delegate,
            configuration: configuration,
            clock: clock
        )
    }

    // MARK: - Sessions

    /// Begins a session for several commands; the caller stops it.
    ///
    /// - Parameters:
    ///   - cardId: The card; nil for any.
    ///   - message: What the delegate shall say at the start.
    ///   - preflight: What is read first.
    /// - Returns: The session.
    /// - Throws: `busy` while another session is open, or why the card cannot be read.
    public func startSession(
        cardId: String? = nil,
        message: String? = nil,
        preflight: SessionConfiguration.Preflight = .full
    ) throws(TangemError) -> CardSession {
        guard !isStarting, current?.isActive != true else { throw TangemError(.busy) }
        isStarting = true
        defer { isStarting = false }
        var id: CardID?
        if let cardId { id = try CardID(cardId) }
        let session = try CardSession(
            reader: reader,
            delegate: delegate,
            configuration: configuration,
            clock: clock,
            cardID: id,
            message: message,
            preflight: preflight
        )
        current = session
        return session
    }

    /// Runs something in a session that is stopped afterwards, with the error where there is one.
    ///
    /// - Parameters:
    ///   - cardId: The card; nil for any.
    ///   - message: What the delegate shall say at the start.
    ///   - preflight: What is read first.
    ///   - work: What is done in the session.
    /// - Returns: What the work gives.
    /// - Throws: What the work throws, `busy`, or why the card cannot be read.
    public func withSession<Result>(
        cardId: String? = nil,
        message: String? = nil,
        preflight: SessionConfiguration.Preflight = .full,
        _ work: (CardSession) throws(TangemError) -> Result
    ) throws(TangemError) -> Result {
        let session = try startSession(cardId: cardId, message: message, preflight: preflight)
        do {
            let result = try work(session)
            session.stop()
            return result
        } catch {
            session.stop(error: error)
            throw error
        }
    }

    /// Runs one command in a session of its own.
    public func run<Command: TangemCommand>(
        _ command: Command,
        cardId: String? = nil
    ) throws(TangemError) -> Command.Answer {
        try withSession(cardId: cardId) { session throws(TangemError) in try session.run(command) }
    }

    // MARK: - Card

    /// Reads a card and lets it prove its keys.
    public func scanCard(cardId: String? = nil, message: String? = nil) throws(TangemError) -> CardRecord {
        try withSession(cardId: cardId, message: message) { session throws(TangemError) in
            try session.scan()
        }
    }

    /// Reads a card and its wallets, and nothing more.
    public func readCard(cardId: String? = nil) throws(TangemError) -> CardRecord {
        try withSession(cardId: cardId) { session throws(TangemError) in try session.requiredCard() }
    }

    // MARK: - Signatures

    /// Signs a hash.
    ///
    /// - Parameters:
    ///   - hash: The hash.
    ///   - walletPublicKey: The wallet.
    ///   - cardId: The card; nil for any.
    ///   - derivationPath: Path of a derived key.
    /// - Returns: The signature.
    /// - Throws: `walletNotFound` before anything is signed, or what the card says.
    public func sign(
        hash: [UInt8],
        walletPublicKey: [UInt8],
        cardId: String? = nil,
        derivationPath: DerivationPath? = nil
    ) throws(TangemError) -> SignResult {
        try sign(
            hashes: [hash],
            walletPublicKey: walletPublicKey,
            cardId: cardId,
            derivationPath: derivationPath
        )
    }

    /// Signs hashes.
    ///
    /// - Parameters:
    ///   - hashes: The hashes, of any sizes and number.
    ///   - walletPublicKey: The wallet.
    ///   - cardId: The card; nil for any.
    ///   - derivationPath: Path of a derived key.
    /// - Returns: The signatures, in the order of the hashes.
    /// - Throws: `walletNotFound` before anything is signed, or what the card says.
    public func sign(
        hashes: [[UInt8]],
        walletPublicKey: [UInt8],
        cardId: String? = nil,
        derivationPath: DerivationPath? = nil
    ) throws(TangemError) -> SignResult {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.sign(hashes: hashes, walletPublicKey: walletPublicKey, path: derivationPath)
        }
    }

    // MARK: - Wallets

    /// Lets the card make a wallet.
    public func createWallet(
        config: WalletConfig = WalletConfig(),
        cardId: String? = nil
    ) throws(TangemError) -> CreateWalletResult {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.createWallet(config: config)
        }
    }

    /// Imports a key.
    public func importWallet(_ key: ImportedKey, cardId: String? = nil) throws(TangemError)
        -> CreateWalletResult
    {
        try withSession(cardId: cardId) { session throws(TangemError) in try session.importWallet(key) }
    }

    /// Deletes a wallet.
    public func purgeWallet(walletPublicKey: [UInt8], cardId: String? = nil) throws(TangemError) {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.purgeWallet(walletPublicKey: walletPublicKey)
        }
    }

    /// Lets the card derive a key.
    public func deriveWalletPublicKey(
        walletPublicKey: [UInt8],
        derivationPath: DerivationPath,
        cardId: String? = nil
    ) throws(TangemError) -> DerivedKey {
        try withSession(cardId: cardId) { session throws(TangemError) in
            try session.deriveKey(walletPublicKey: walletPublicKey, path: derivationPath)
        }
    }
}
