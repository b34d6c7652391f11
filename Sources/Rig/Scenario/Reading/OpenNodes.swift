// SPDX-License-Identifier: MIT

/// The parts of all collections that are open while a tree is read, as a stack.
///
/// A collection takes its own parts off at its end, moved into an array that has room for them alone: an array that
/// grows for each of ten thousand small collections would copy its parts, and keep twice the memory.
final class OpenNodes<Part> {
    private var parts: UnsafeMutablePointer<Part>
    private var capacity = 64
    /// How many there are.
    private(set) var count = 0

    init() {
        parts = .allocate(capacity: capacity)
    }

    deinit {
        parts.deinitialize(count: count)
        parts.deallocate()
    }

    /// The part at a place that has one.
    subscript(index: Int) -> Part {
        precondition(index >= 0 && index < count)
        return parts[index]
    }

    /// Adds a part.
    func append(_ part: Part) {
        if count == capacity {
            let wider = UnsafeMutablePointer<Part>.allocate(capacity: capacity * 2)
            wider.moveInitialize(from: parts, count: count)
            parts.deallocate()
            (parts, capacity) = (wider, capacity * 2)
        }
        (parts + count).initialize(to: part)
        count += 1
    }

    /// The first place behind a number of parts whose part fits.
    func firstIndex(behind first: Int, where fits: (borrowing Part) -> Bool) -> Int? {
        for index in first..<count where fits(parts[index]) { return index }
        return nil
    }

    /// Takes off all parts behind a number of them.
    func take(behind first: Int) -> [Part] {
        let length = count - first
        let start = parts + first
        count = first
        return Array(unsafeUninitializedCapacity: length) { buffer, filled in
            guard length > 0, let base = buffer.baseAddress else { return }
            base.moveInitialize(from: start, count: length)
            filled = length
        }
    }
}
