// SPDX-License-Identifier: MIT

/// A value that few steps or cases have, kept outside of them so that all others stay small.
///
/// A scenario of one megabyte has ten thousand steps; with all their rare parts inside, most of the time of reading
/// it went into fetching memory.
@propertyWrapper
public struct Rare<Value: Hashable & Sendable>: Hashable, Sendable {
    private indirect enum Box: Hashable, Sendable {
        case nothing
        case value(Value)
    }

    private var box: Box

    /// The value; nil where there is none.
    public var wrappedValue: Value? {
        get {
            guard case .value(let value) = box else { return nil }
            return value
        }
        set { box = newValue.map { .value($0) } ?? .nothing }
    }

    /// Keeps a value.
    public init(wrappedValue: Value?) {
        box = wrappedValue.map { .value($0) } ?? .nothing
    }
}
