// SPDX-License-Identifier: MIT

import CardConnection
public import Scenario

/// What the command line says about a run.
public struct RunOptions: Sendable {
    /// Seed of all random streams.
    public var seed: UInt64 = 0
    /// How often each case is run.
    public var repetitions = 1
    /// Only cases with one of these tags; empty selects all.
    public var tags: [String] = []
    /// Only cases whose name (or `suite/name`) matches one of these globs; empty selects all.
    public var caseGlobs: [String] = []
    /// Needs that are an error instead of a skip when they are not met.
    public var required: Set<Need.Kind> = []
    /// Destructive cases may run on real cards that are allowed.
    public var allowsDestructive = false
    /// Stop after the first case that did not pass.
    public var failsFast = false
    /// Stop after so many cases that the rig could not judge; nil goes on.
    public var maxErrors: Int?
    /// Only what did not pass in an earlier run; nil selects all.
    public var onlyCases: EarlierFailures?
    /// Firmware version or profile of the emulator.
    public var firmware: String?
    /// Options of the emulator; they win over the suite's.
    public var emulatorOptions: [String: String] = [:]
    /// Names of the options that each target's emulator has; matrix keys of these names configure it.
    public var emulatorOptionNames: [String: Set<String>] = [:]
    /// Values of variables, from the command line and the environment.
    public var variables: [String: String] = [:]
    /// Values of secrets, from the environment.
    public var environment: [String: String] = [:]
    /// Who does what the rig cannot; nil when nobody can be asked.
    public var operatorPort: (any OperatorPort)?
    /// Whose turn it is to ask the operator; shared by all copies.
    let operatorTurns = OperatorTurns()
    /// The day of the run, for known failures; nil takes the host's calendar.
    public var today: CalendarDate?
    /// Secrets are not masked.
    public var showsSecrets = false
    /// How long a call to a kit may take before its case is given up.
    public var kitDeadline = RunDefaults.kitDeadline
    /// The run folder.
    public var outputFolder: String
    /// Labels, in order.
    public var labels: [(key: String, value: String)] = []
    /// Version of the rig.
    public var rigVersion: String
    /// Name of the host.
    public var hostName: String

    /// Makes options with all defaults.
    public init(outputFolder: String, rigVersion: String, hostName: String) {
        self.outputFolder = outputFolder
        self.rigVersion = rigVersion
        self.hostName = hostName
    }
}

extension RunOptions {
    /// What the run offers besides reader, target and probe.
    var capabilities: Set<Capability> { operatorPort == nil ? [] : [.operator] }
}

extension Capability {
    /// Somebody can be asked to do something.
    static let `operator` = Capability(rawValue: "operator")
}

/// Defaults of the contract.
public enum RunDefaults {
    /// Host-side deadline of an exchange.
    public static let exchangeDeadline = Duration.seconds(30)
    /// Longest time of a call to a kit: a probe, or a program that works a relay.
    public static let kitDeadline = Duration.seconds(30)
    /// Limit of a teardown.
    public static let teardownLimit = Duration.seconds(10)
    /// Tries left at which a retry counter is not touched any more.
    public static let retryCounterFloor = 1
    /// How often a lost harmless command is sent again.
    public static let resendLimit = 2
    /// How long a reconnect after a hang may take before the reader is quarantined.
    public static let reconnectLimit = Duration.seconds(5)
}
