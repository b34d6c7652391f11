// SPDX-License-Identifier: MIT

/// Where a scenario has hex, by the types of its fields.
final class HexPlaces {
    /// A line and a column, from 1.
    struct Place: Hashable {
        let line: Int
        let column: Int
    }

    private let file: String
    private var places: Set<Place> = []

    /// Collects the places of one file; others, such as included ones, are let pass.
    init(file: String) {
        self.file = file
    }

    /// Notes the start of a value.
    func note(_ position: SourcePosition) {
        guard position.file == file else { return }
        places.insert(Place(line: position.line, column: position.column))
    }

    /// True when hex starts there.
    func contains(line: Int, column: Int) -> Bool {
        places.contains(Place(line: line, column: column))
    }
}
