// SPDX-License-Identifier: MIT

public import CardConnection

/// Where cards come from: a reader of the rig, a phone behind a bridge, or a test.
public protocol CardReader: AnyObject {
    /// Waits for a card.
    func connect() throws(TransportFault) -> any Connection

    /// Waits for the next card after one was lost or was the wrong one; it may be the same again.
    ///
    /// - Parameter connection: The connection that served so far.
    /// - Returns: The connection that serves from now on.
    /// - Throws: `TransportFault` when no card comes.
    func connectAgain(after connection: any Connection) throws(TransportFault) -> any Connection

    /// Lets go of a card at the end of a session.
    func disconnect(_ connection: any Connection)
}

/// A reader that is one connection, which somebody else opened and will close.
public final class ConnectionReader: CardReader {
    private let connection: any Connection

    /// Takes the connection.
    public init(_ connection: any Connection) {
        self.connection = connection
    }

    /// The connection as it is.
    public func connect() throws(TransportFault) -> any Connection { connection }

    /// The connection after it was made anew.
    public func connectAgain(after connection: any Connection) throws(TransportFault) -> any Connection {
        try self.connection.reconnect()
        return self.connection
    }

    /// Nothing: the connection belongs to the caller.
    public func disconnect(_ connection: any Connection) {}
}
