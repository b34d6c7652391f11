// SPDX-License-Identifier: MIT

/// A step of a scenario, checked.
public struct Step: Hashable, Sendable {
    /// What the step does.
    public enum Action: Hashable, Sendable {
        /// A verb with its arguments.
        case verb(VerbSpec, arguments: [String: Template])
        /// The steps of a library, with values for their names.
        case use(name: String, steps: [Step], bindings: [String: Template])
    }

    /// What the step does.
    public var action: Action
    /// Where it stands.
    public var position: SourcePosition
    /// The name given to it; nil when there is none.
    public var name: String?
    /// What must hold; nil asks for status 9000 where the verb exchanges.
    public var expectation: Expectation?
    /// What to keep of the result.
    public var captures: [Capture] = []
    /// Try again until something holds.
    @Rare public var poll: Poll?
    /// Capabilities that the step needs.
    public var needs: [Need] = []
    /// An unmet need skips only this step.
    public var isOptional = false
    /// Whether to do it at all.
    @Rare public var condition: Condition?
    /// How often to do it, 1 to 10 000 000.
    public var repetitions = 1
    /// Status words that pass besides the expected ones, and `guard`.
    public var allow: [String] = []
    /// How long to wait before it.
    public var delay: Duration?
    /// Paths and byte ranges to hide in traces and reports, besides the dictionary's.
    public var masks: [String] = []
    /// Limits of its own.
    public var limits: Limits {
        get { givenLimits ?? Limits() }
        set { givenLimits = newValue }
    }
    /// Response following off (`true`) or as the suite says (nil).
    public var isRaw: Bool?
    /// Whether a lost command may be sent again (`repeatable: no` forbids, `yes` allows; nil: by instruction).
    public var isRepeatable: Bool?
    /// A fault to inject.
    @Rare public var fault: FaultPlan?
    /// What must hold of the times of all repetitions, which `repetitions` counts with the warm-up.
    @Rare public var statistics: StepStatistics?
    /// Another connection of the bench.
    public var role: String?
    @Rare private var givenLimits: Limits?

    /// Makes a step with nothing but its action.
    public init(_ action: Action, at position: SourcePosition) {
        self.action = action
        self.position = position
    }
}

/// Limits of time.
public struct Limits: Hashable, Sendable {
    /// For one exchange; nil takes the default of 30 s.
    public var apdu: Duration?
    /// For a case with its set-up; nil is no limit.
    public var testCase: Duration?
    /// For the teardown; nil takes the default of 10 s.
    public var teardown: Duration?

    /// Makes limits; what is nil is not set here.
    public init(apdu: Duration? = nil, testCase: Duration? = nil, teardown: Duration? = nil) {
        self.apdu = apdu
        self.testCase = testCase
        self.teardown = teardown
    }
}

/// Trying a step again until something holds.
public struct Poll: Hashable, Sendable {
    /// What ends the polling.
    public enum Goal: Hashable, Sendable {
        /// It ends well when this holds.
        case until(Expectation)
        /// It ends well when this no longer holds.
        case whileHolding(Expectation)
    }

    /// Time between two tries.
    public var every: Duration
    /// Time after which it has failed.
    public var max: Duration
    /// What ends it.
    public var goal: Goal
    /// Steps between two tries.
    public var between: [Step]

    /// Makes a poll.
    public init(every: Duration, max: Duration, goal: Goal, between: [Step] = []) {
        self.every = every
        self.max = max
        self.goal = goal
        self.between = between
    }
}

/// A capability that must be there.
public struct Need: Hashable, Sendable {
    /// What must be there.
    public enum Kind: Hashable, Sendable {
        /// A word of the closed list.
        case capability(String)
        /// A bound on the firmware's version: operator (`>=`, `<`, `==`, `>`, `<=`, `!=`) and version text.
        case firmware(comparison: String, version: String)
        /// Another connection of the bench.
        case role(String)

        /// The words as the file has them.
        public var text: String {
            switch self {
            case .capability(let word): word
            case .firmware(let comparison, let version): "firmware\(comparison)\(version)"
            case .role(let role): "role \(role)"
            }
        }
    }

    /// What must be there.
    public let kind: Kind
    /// Where it stands.
    public let position: SourcePosition

    /// Makes a need.
    public init(_ kind: Kind, at position: SourcePosition) {
        self.kind = kind
        self.position = position
    }

    /// The words as the file has them.
    public var text: String { kind.text }
}

/// A fault that the rig injects.
public struct FaultPlan: Hashable, Sendable {
    /// What sets it off.
    public enum Trigger: Hashable, Sendable {
        /// The exchange of this number among the case's own steps, from 1.
        case exchange(Int)
        /// The step of this name, or with this verb.
        case step(String)
    }

    /// What sets it off.
    public var trigger: Trigger
    /// `before`, `during` or `after-answer-lost`.
    public var moment: String
    /// The kind, as the language names it (`remove`, `power-loss`, `mute`, `sw`, `delay`, `truncate`, `corrupt`, `reset`, or one of the device's own).
    public var kind: String
    /// The status word of `sw`, the time of `delay`, the length of `truncate`.
    public var parameter: Value?
    /// How often it strikes.
    public var times: Int
    /// Where it stands.
    public var position: SourcePosition

    /// Makes a plan.
    public init(
        trigger: Trigger,
        moment: String,
        kind: String,
        parameter: Value?,
        times: Int,
        position: SourcePosition
    ) {
        self.trigger = trigger
        self.moment = moment
        self.kind = kind
        self.parameter = parameter
        self.times = times
        self.position = position
    }
}
