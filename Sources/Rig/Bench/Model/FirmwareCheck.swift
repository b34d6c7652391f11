// SPDX-License-Identifier: MIT

public import CardConnection
public import Scenario
public import SmartCard

/// Proves a device's firmware by what it answers, so that nobody has to be believed.
public struct FirmwareCheck: Hashable, Sendable {
    /// The version that is proved when the answer fits; nil proves only that the answer fits.
    public var version: String?
    /// The commands in their order; the last one is judged, those before it must succeed.
    public var commands: [[UInt8]]
    /// The data of the last answer, status word left out.
    public var expected: BytePattern

    /// Makes a check.
    public init(version: String? = nil, commands: [[UInt8]], expected: BytePattern) {
        self.version = version
        self.commands = commands
        self.expected = expected
    }

    /// What a device answered.
    public enum Outcome: Hashable, Sendable {
        /// The answer fits.
        case fits([UInt8])
        /// The data differ.
        case differs([UInt8])
        /// A command did not succeed.
        case refused(command: [UInt8], status: StatusWord)
    }

    /// Asks a device.
    ///
    /// - Parameter connection: A connection to it; `61xx` and `6Cxx` are followed.
    /// - Returns: What it answered.
    /// - Throws: The fault of the exchange.
    public func ask(_ connection: any Connection) throws(TransportFault) -> Outcome {
        switch try CommandSeries(commands).send(to: connection) {
        // An expression that gives up proves nothing.
        case .answered(let data): return (try? expected.matches(data)) == true ? .fits(data) : .differs(data)
        case .refused(let command, let status): return .refused(command: command, status: status)
        }
    }

    /// One sentence about an outcome.
    public func sentence(about outcome: Outcome) -> String {
        let subject = version.map { "firmware \($0)" } ?? "firmware"
        switch outcome {
        case .fits(let data): return "\(subject) verified: answered \(data.hex)"
        case .differs(let data):
            return "\(subject) expected as \(expected.description), the device answered \(data.hex)"
        case .refused(let command, let status):
            return "\(subject) not verified: \(command.hex) was answered \(status.description)"
        }
    }
}

/// Commands of which the last one's answer counts.
struct CommandSeries {
    enum Outcome {
        case answered([UInt8])
        case refused(command: [UInt8], status: StatusWord)
    }

    private let commands: [[UInt8]]

    init(_ commands: [[UInt8]]) {
        self.commands = commands
    }

    func send(to connection: any Connection) throws(TransportFault) -> Outcome {
        let following = FollowingConnection(connection)
        var data: [UInt8] = []
        for command in commands {
            let answer = try following.transmit(command)
            guard answer.suffix(2) == [0x90, 0x00] else {
                let status = StatusWord(sw1: answer[answer.count - 2], sw2: answer[answer.count - 1])
                return .refused(command: command, status: status)
            }
            data = Array(answer.dropLast(2))
        }
        return .answered(data)
    }
}
