// SPDX-License-Identifier: MIT

public import CardConnection

extension TestBench {
    /// Has a program of the bench do what a person would be asked for.
    ///
    /// - Parameters:
    ///   - question: What is to be done, for example `Turn the card over`.
    ///   - limit: How long it may take; nil takes the program's own limit.
    ///   - role: The role whose device is meant.
    /// - Returns: False when the bench has no such program, so that a person has to be asked.
    /// - Throws: A `control` fault when the program fails.
    public func ask(_ question: String, within limit: Duration?, role: BenchRole) throws(TransportFault)
        -> Bool
    {
        guard let program = program(.operator, of: role) else { return false }
        try program.run([question], timeout: limit)
        return true
    }
}
