// SPDX-License-Identifier: MIT

/// A connection that stands on another one and changes only part of what it does.
///
/// Everything is handed to ``inner`` unless the wrapper says otherwise.
public protocol ConnectionWrapper: Connection {
    /// The connection below.
    var inner: any Connection { get }
}

extension ConnectionWrapper {
    /// The facts of the connection below.
    public var facts: ConnectionFacts { inner.facts }

    /// The deadline of the connection below.
    public var exchangeDeadline: Duration {
        get { inner.exchangeDeadline }
        set { inner.exchangeDeadline = newValue }
    }

    /// Resets the card through the connection below.
    public func reset(_ kind: ResetKind) throws(TransportFault) {
        try inner.reset(kind)
    }

    /// Switches the field through the connection below.
    public func setField(_ state: FieldState) throws(TransportFault) {
        try inner.setField(state)
    }

    /// Connects the connection below anew.
    public func reconnect() throws(TransportFault) {
        try inner.reconnect()
    }

    /// Closes the connection below.
    public func close() {
        inner.close()
    }
}
