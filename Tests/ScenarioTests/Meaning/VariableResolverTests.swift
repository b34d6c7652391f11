// SPDX-License-Identifier: MIT

import Foundation
import Scenario
import SmartCard
import Testing

@Suite("Variables")
struct VariableResolverTests {
    private func variable(_ name: String, _ source: Variable.Source) -> Variable {
        Variable(name: name, source: source, position: Tree.place(5))
    }

    @Test(
        "random streams stay the same for ever",
        arguments: [
            (
                42, "nbt.led", "dark, lit, dark", "hash", 0,
                "8321BAC053D6136C375013E6E53A9A385CE4C3913C3B80CB748B6D9ADDD37914"
            ),
            (
                42, "nbt.led", "dark, lit, dark", "hash", 1,
                "CFB480506586C6ABBD8365842ACBCF25F1114BE664A4938DEFEAF62EDC28DF8F"
            ),
            (
                42, "nbt.led", "dark, lit, dark", "other", 0,
                "FD4ADF56DA5124103D4FFCA1167DC0331D0EA684F52AEC628BC5579E84721591A3F6ECE4066603EE"
            ),
            (.max, "tangem.sign-purge", "Grüße", "hash", 0, "0415C5D73B"),
            (7, "a", "b", "list", 0, "989A63429987BE0E928D7948"),
        ] as [(UInt64, String, String, String, Int, String)]
    )
    func goldenStreams(
        _ seed: UInt64,
        _ suite: String,
        _ testCase: String,
        _ name: String,
        _ repetition: Int,
        _ wanted: String
    ) throws {
        let resolver = VariableResolver(seed: seed)
        let scope = try resolver.scope(
            variables: [variable(name, .random(length: wanted.count / 2, count: nil))],
            suite: suite,
            case: testCase,
            repetition: repetition,
            dictionary: nil
        )
        #expect(scope[name] == .bytes(try HexText.bytes(wanted)))
    }

    @Test("a list of random values is the stream in pieces")
    func randomList() throws {
        let scope = try VariableResolver(seed: 7).scope(
            variables: [variable("list", .random(length: 4, count: 3))],
            suite: "a",
            case: "b",
            dictionary: nil
        )
        let wanted = try ["989A6342", "9987BE0E", "928D7948"].map { Value.bytes(try HexText.bytes($0)) }
        #expect(scope["list"] == .list(wanted))
    }

    @Test("the matrix comes before --var, the environment and the file")
    func precedence() throws {
        let names = ["matrix", "override", "environment", "file"]
        let resolver = VariableResolver(
            seed: 0,
            overrides: ["matrix": "o", "override": "o", "extra": "o"],
            environment: [
                "RIG_VAR_MATRIX": "e", "RIG_VAR_OVERRIDE": "e", "RIG_VAR_ENVIRONMENT": "e",
                "RIG_VAR_CARD_ID": "e",
                "HOME": "e",
            ]
        )
        let scope = try resolver.scope(
            variables: names.map { variable($0, .template(.value(.text("f")))) },
            suite: "a",
            case: "b",
            row: MatrixRow(values: [.init(key: "matrix", text: "m")]),
            dictionary: nil
        )
        let found = (names + ["extra", "card-id", "HOME"]).map { scope[$0]?.text }
        let wanted: [String?] = ["m", "o", "e", "f", "o", "e", nil]
        #expect(found == wanted)
        #expect(
            VariableResolver.externalNames(
                overrides: ["a": ""],
                environment: ["RIG_VAR_PIN": "1", "PATH": ""]
            )
                == ["a", "PIN", "pin"]
        )
    }

    @Test("variables see those before them and the matrix")
    func chained() throws {
        let template = Template.text(
            [.literal("card "), .reference(name: "curve", index: nil)],
            type: .text,
            at: TextPlace(Tree.place(10))
        )
        let scope = try VariableResolver(seed: 0).scope(
            variables: [
                variable("label", .template(template)),
                variable("digest", .sha256(.value(.text("TapRig")))),
                variable(
                    "again",
                    .template(
                        .text(
                            [.reference(name: "label", index: nil)],
                            type: .any,
                            at: TextPlace(Tree.place(10))
                        )
                    )
                ),
            ],
            suite: "a",
            case: "b",
            row: MatrixRow(values: [.init(key: "curve", text: "ed25519")]),
            dictionary: nil
        )
        #expect(scope["again"] == .text("card ed25519"))
        #expect(
            scope["digest"]?.text == "90E7C741A0E8BB395ED1F5F1F6CE1FBCE5F94D3A47B6EB322CF7888BDB33BECF"
        )
    }

    @Test("a secret comes from the environment, and its lack is told when it is used")
    func secrets() throws {
        let secrets = [variable("pin", .environment), variable("code", .environment)]
        let resolver = VariableResolver(seed: 0, environment: ["RIG_VAR_PIN": "1234"])
        let scope = try resolver.scope(
            variables: [],
            secrets: secrets,
            suite: "a",
            case: "b",
            dictionary: nil
        )
        #expect(scope["pin"] == .text("1234"))
        #expect(scope.secretNames == ["pin"])
        #expect(scope.secretValues == [.text("1234")])
        let mistake = #expect(throws: ScenarioMistake.self) {
            try scope.value(of: "code", at: Tree.place(10))
        }
        #expect(
            mistake?.description
                == "a.yaml:3:5: the secret 'code' has no value; set RIG_VAR_CODE in the environment"
        )
        let inner = Scope(parent: scope)
        #expect(throws: ScenarioMistake.self) { try inner.value(of: "code", at: Tree.place(10)) }
        #expect(inner.secretNames == ["pin"])

        let careless = VariableResolver(seed: 0, overrides: ["pin": "1234"])
        let refused = #expect(throws: ScenarioMistake.self) {
            try careless.scope(variables: [], secrets: secrets, suite: "a", case: "b", dictionary: nil)
        }
        #expect(
            refused?.description
                == "a.yaml:3:5: 'pin' is a secret and may not come from --var; set RIG_VAR_PIN"
        )
    }

    @Test("a file gives its bytes, and one that is missing a sentence")
    func files() throws {
        let folder = try #require(Bundle.module.resourceURL).appending(path: "Fixtures/meaning")
        let path = folder.appending(path: "hex-scalars.json").path
        let scope = try VariableResolver(seed: 0).scope(
            variables: [variable("f", .file(path: path))],
            suite: "a",
            case: "b",
            dictionary: nil
        )
        #expect(scope["f"] == .bytes([UInt8](try Data(contentsOf: URL(filePath: path)))))
        let mistake = #expect(throws: ScenarioMistake.self) {
            try VariableResolver(seed: 0).scope(
                variables: [variable("f", .file(path: "no/such.bin"))],
                suite: "a",
                case: "b",
                dictionary: nil
            )
        }
        #expect(mistake?.description == "a.yaml:3:5: cannot read no/such.bin: No such file or directory")
    }

    @Test("captures of an inner scope stay inside")
    func innerScope() throws {
        let outer = Words.scope(["a": .number(1)])
        let inner = Scope(parent: outer)
        inner.define("b", .number(2))
        inner.define("a", .number(3))
        #expect(inner["a"] == .number(3) && inner["b"] == .number(2))
        #expect(outer["a"] == .number(1) && outer["b"] == nil)
        #expect(inner.names == ["a", "b"])
    }

    @Test("too many random bytes are refused")
    func tooMany() {
        for (length, count) in [(1 << 30, nil), (1 << 20, 1 << 20), (Int.max, 2), (-1, nil)] as [(Int, Int?)]
        {
            #expect(throws: ScenarioMistake.self) {
                try VariableResolver(seed: 0).scope(
                    variables: [variable("r", .random(length: length, count: count))],
                    suite: "a",
                    case: "b",
                    dictionary: nil
                )
            }
        }
    }
}
