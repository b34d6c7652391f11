// SPDX-License-Identifier: MIT

import Testing

/// A firmware of the command line, and cases that are not for it.
@Suite struct FirmwareNeedTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "curves.yaml",
            """
            rig: 1
            suite: demo.curves
            target: tangem
            needs: ["firmware>=4.0"]
            cases:
              - name: makes a wallet
                matrix:
                  curve: [secp256r1]
                steps:
                  - select: A000000812010208
            """
        )
    }

    @Test func `A case that the firmware leaves out is skipped, whatever its matrix asks of the emulator`()
        throws
    {
        let old = try Taprig.run("run", "curves.yaml", "--firmware", "2.11r", in: folder.path)
        #expect(old.everything.contains("1 skipped"))
        #expect(!old.everything.contains("does not have"))
        let new = try Taprig.run("run", "curves.yaml", "--firmware", "4.12r", in: folder.path)
        #expect(new.status == 0)
        #expect(new.everything.contains("1 passed"))
    }

    @Test func `A firmware that a case is for, but not its options, is a mistake of the file`() throws {
        let text = folder.text("curves.yaml").replacing("needs: [\"firmware>=4.0\"]\n", with: "")
        try folder.write("curves.yaml", text)
        let ending = try Taprig.run("run", "curves.yaml", "--firmware", "2.11r", in: folder.path)
        #expect(ending.status == 2)
        #expect(
            ending.errors.contains(
                "curves.yaml:5:5: option 'curve' is 'secp256r1', which 2.11r does not have"
            )
        )
    }
}
