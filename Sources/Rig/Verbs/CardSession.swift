// SPDX-License-Identifier: MIT

public import CardConnection
public import DevKit

/// What a case has in its hands: a connection with its wrappers, a clock, perhaps a kit.
///
/// Belongs to the thread that runs the case.
public final class CardSession {
    /// The connection that verbs talk to: the top of the stack of wrappers.
    public let connection: any Connection
    /// The time that the case lives in.
    public let clock: any RigClock
    /// The kit that carries the device; nil when there is none.
    public let kit: (any Kit)?
    /// Turns the following of 61xx and 6Cxx on and off.
    public let setFollowing: (Bool) -> Void
    /// Lets the next command pass the retry-counter guard.
    public let letNextThroughGuard: () -> Void
    /// Waits, but ends early when the run is interrupted.
    public let wait: (Duration) throws -> Void
    /// The field, as the case left it.
    public var field = FieldState.on
    /// How long the field has been on without a break, for hints.
    public var fieldOnSince: Duration

    /// The last look at the LED before the button was pressed; nil when there was none.
    public var ledBeforePress: LEDSample?

    /// Makes a session.
    public init(
        connection: any Connection,
        clock: any RigClock,
        kit: (any Kit)?,
        setFollowing: @escaping (Bool) -> Void,
        letNextThroughGuard: @escaping () -> Void,
        wait: @escaping (Duration) throws -> Void
    ) {
        self.connection = connection
        self.clock = clock
        self.kit = kit
        self.setFollowing = setFollowing
        self.letNextThroughGuard = letNextThroughGuard
        self.wait = wait
        fieldOnSince = clock.now
    }
}
