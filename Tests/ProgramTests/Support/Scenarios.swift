// SPDX-License-Identifier: MIT

/// Small scenarios for the tests of the program.
enum Scenarios {
    /// A suite on the emulator of the NBT whose cases are given as YAML, indented by two blanks.
    static func nbt(_ name: String = "demo.suite", cases: String, header: String = "") -> String {
        "rig: 1\nsuite: \(name)\ntarget: nbt\n\(header)cases:\n\(cases)\n"
    }

    /// A case that passes.
    static let passing = """
          - name: passes
            steps:
              - select: D2760000850101
              - read: { file: FILE_1, length: 1 }
        """

    /// A case in which the card gives another answer than expected.
    static let failing = """
          - name: fails
            steps:
              - select: D2760000850101
              - read: { file: FILE_1, length: 1 }
                expect: { data: EE }
        """

    /// A case in which the link breaks.
    static let faulty = """
          - name: has a fault
            steps:
              - select: D2760000850101
              - select: E1A1
              - send: 00D600000101
                fault: { kind: remove }
        """

    /// A case that no rig of today can run.
    static let skipped = """
          - name: is skipped
            needs: ["firmware>=9999"]
            steps:
              - select: D2760000850101
        """

    /// A case that reads for a very long time, with a teardown that can be told from it in a trace.
    static let endless = """
        rig: 1
        suite: demo.endless
        target: nbt
        teardown:
          - select: E1A2
        cases:
          - name: reads on and on
            steps:
              - select: D2760000850101
              - select: E1A1
              - read: { length: 1 }
                repeat: 10000000
          - name: is never reached
            steps:
              - select: D2760000850101
        """
}
