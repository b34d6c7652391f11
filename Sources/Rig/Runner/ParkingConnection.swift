// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem

/// The end of a thread that was given up.
enum ParkedThread {
    /// Never comes back.
    static func park() -> Never {
        while true { MonotonicTime.sleep(.seconds(3600)) }
    }
}

/// A watched connection whose thread never comes back once it was given up.
///
/// The supervisor has booked the case and gone on; whatever this thread still holds (trace, variables) now belongs to
/// nobody else. So a call that returns late frees the card and then parks the thread, before anything above can write.
final class ParkingConnection: ConnectionWrapper {
    let inner: any Connection
    private let base: any Connection
    private let watch: DeadlineWatch

    init(base: any Connection, watch: DeadlineWatch) {
        self.base = base
        self.watch = watch
        inner = WatchedConnection(base, watch: watch)
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        do {
            return try inner.transmit(command)
        } catch {
            parkIfGivenUp()
            throw error
        }
    }

    func reset(_ kind: ResetKind) throws(TransportFault) {
        do { try inner.reset(kind) } catch {
            parkIfGivenUp()
            throw error
        }
    }

    func setField(_ state: FieldState) throws(TransportFault) {
        do { try inner.setField(state) } catch {
            parkIfGivenUp()
            throw error
        }
    }

    func reconnect() throws(TransportFault) {
        do { try inner.reconnect() } catch {
            parkIfGivenUp()
            throw error
        }
    }

    func close() {
        inner.close()
        parkIfGivenUp()
    }

    private func parkIfGivenUp() {
        guard watch.isAbandoned else { return }
        base.close()
        ParkedThread.park()
    }
}
