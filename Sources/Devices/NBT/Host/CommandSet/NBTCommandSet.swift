// SPDX-License-Identifier: MIT

public import CardConnection
public import NBTConstants
public import SmartCard

/// The command set layer: typed calls of the chip over any connection.
///
/// ``send(_:)`` gives back whatever the chip answers; the calls above it build a command, send it, throw when the status
/// word is not `9000`, and give the parsed answer. Over NFC or I2C the calls are the same; what the chip allows is not.
/// Like the connection, a command set belongs to one thread.
public final class NBTCommandSet {
    /// The connection that the commands go over.
    public let connection: any Connection

    /// Whether the commands go over I2C, for which the access policy has rights of its own.
    public let isI2C: Bool

    /// Makes a command set on a connection.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - isI2C: Whether it goes over I2C; nil takes what its protocol tells.
    public init(_ connection: any Connection, isI2C: Bool? = nil) {
        self.connection = connection
        self.isI2C = isI2C ?? (connection.facts.protocolName == T1PrimeConnection.protocolName)
    }

    /// Sends a command; any status word is a result.
    ///
    /// - Throws: ``NBTError/transport(_:)`` when there is no usable answer.
    public func send(_ command: CommandAPDU) throws(NBTError) -> ResponseAPDU {
        try send(bytes: command.bytes)
    }

    /// Sends a command that has to be answered with `9000`.
    ///
    /// - Returns: The data of the answer.
    /// - Throws: ``NBTError/unexpectedStatus(_:)`` with the meaning that the status word has after this command.
    @discardableResult
    public func perform(_ command: CommandAPDU) throws(NBTError) -> [UInt8] {
        let response = try send(command)
        guard response.sw == .success else {
            throw .unexpectedStatus(
                NBTError.UnexpectedStatus(
                    command: NBTDictionary.name(of: command) ?? command.bytes.prefix(4).hex,
                    sw: response.sw,
                    meaning: NBTStatusMeaning.text(response.sw, after: command)
                )
            )
        }
        return response.data
    }

    /// Sends bytes that need not be a command of ISO/IEC 7816.
    func send(bytes command: [UInt8]) throws(NBTError) -> ResponseAPDU {
        let bytes: [UInt8]
        do { bytes = try connection.transmit(command) } catch { throw .transport(error) }
        do {
            return try ResponseAPDU(bytes: bytes)
        } catch {
            throw .transport(TransportFault(.transport, error.description))
        }
    }

    // MARK: - The chip itself

    /// Selects an application, the tag application when nothing else is said.
    public func selectApplication(_ identifier: [UInt8] = NBTApplication.tag) throws(NBTError) {
        try perform(try NBTCommandBuilder.select(application: identifier))
    }

    /// Reads the version of the tag application.
    public func version() throws(NBTError) -> AppletVersion {
        try NBTResponseParser.version(try perform(try NBTCommandBuilder.getVersion()))
    }

    /// Reads how much memory is free.
    public func availableMemory() throws(NBTError) -> AvailableMemory {
        try NBTResponseParser.availableMemory(try perform(try NBTCommandBuilder.getMemory()))
    }

    /// Lets the chip sign a challenge.
    ///
    /// - Parameter challenge: 1 to 255 bytes, random where it proves something.
    /// - Returns: The signature as it came, which is well-formed DER.
    /// - Throws: ``NBTError``.
    public func authenticateTag(challenge: [UInt8]) throws(NBTError) -> [UInt8] {
        let data = try perform(try NBTCommandBuilder.authenticateTag(challenge: challenge))
        _ = try NBTResponseParser.signature(data)
        return data
    }

    /// Runs self-tests of the chip; over I2C alone.
    ///
    /// - Parameter tests: Which tests.
    /// - Returns: Those that passed.
    /// - Throws: ``NBTError``.
    public func backendTest(_ tests: BackendTests = .all) throws(NBTError) -> BackendTests {
        try NBTResponseParser.backendTests(try perform(try NBTCommandBuilder.backendTest(tests)))
    }
}
