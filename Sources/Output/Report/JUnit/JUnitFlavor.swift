// SPDX-License-Identifier: MIT

/// A dialect of JUnit XML: the rich one, or a strict one for readers that refuse whatever their schema does not name.
public enum JUnitFlavor: String, Hashable, Sendable, CaseIterable {
    /// All that the readers of common CI servers take; the default.
    case rich
    /// The schema of the xUnit plugin for Jenkins.
    case xunit10
    /// The schema of Ant's JUnit task.
    case ant
    /// The schema of Maven Surefire: one file a suite.
    case surefire
}

/// What the strict dialects leave out or move.
extension JUnitFlavor {
    /// Where the properties of a case go.
    enum CaseProperties {
        case elements
        /// Lines of the case's output, by the convention of the community's format guide.
        case lines
        case nowhere
    }

    var caseProperties: CaseProperties {
        switch self {
        case .rich: .elements
        case .xunit10: .lines
        case .ant, .surefire: .nowhere
        }
    }

    /// A case has `file`, `line` and `assertions`, a suite `assertions`.
    var hasPlaces: Bool { self == .rich }

    /// A case has `timestamp`.
    var hasCaseStamps: Bool { self == .rich || self == .surefire }

    /// A case has elements for its retries.
    var hasRetries: Bool { self != .ant }

    /// A case has output of its own; else it goes to the suite.
    var hasCaseOutput: Bool { self != .ant }

    /// A suite has output.
    var hasSuiteOutput: Bool { self != .surefire }

    /// A suite has `file`.
    var hasSuiteFile: Bool { self == .rich || self == .xunit10 }

    /// A suite has `hostname` and `id`.
    var hasSuiteHost: Bool { self != .surefire }
}
