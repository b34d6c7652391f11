// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@testable import Scenario

@Suite("Reading suites")
struct SuiteReaderTests {
    @Test(
        "the example of each device is a scenario without mistakes",
        arguments: ["nbt/led.yaml", "tangem/sign-purge.yaml", "wallet/init-pay.yaml"]
    )
    func examples(_ name: String) {
        let loaded = ReadingFixtures.load([name], in: "examples")
        #expect(loaded.mistakes == [])
        #expect(loaded.suites.map(\.file) == [name])
        #expect(loaded.broken == [])
    }

    @Test("the LED scenario has all that its text says")
    func led() throws {
        let suite = try #require(ReadingFixtures.load(["nbt/led.yaml"], in: "examples").suites.first)
        #expect(suite.name == "nbt.led")
        #expect(suite.title == "The LED follows FILE_1, and FILE_2 tells its state")
        #expect(suite.position.description == "nbt/led.yaml:2:8")
        #expect(suite.tags == ["smoke", "led"])
        #expect(suite.needs.map(\.text) == ["kit.button", "kit.led", "field.control"])
        #expect(suite.limits == Limits(apdu: .milliseconds(500), testCase: .seconds(20)))
        #expect(suite.sha256.utf8.count == 64)
        #expect(suite.cases.map(\.name).first == "dark, lit, dark")
        #expect(suite.cases.map(\.steps.count) == [14, 3, 1])
        #expect(suite.cases[0].retry == Retry(types: ["LinkLost"], max: 2, delay: .milliseconds(200)))
        let prepare = try #require(suite.setup.first)
        guard case .use(let name, let steps, let bindings) = prepare.action else {
            Issue.record("set-up does not use a library")
            return
        }
        #expect(name == "led-dark")
        #expect(bindings.isEmpty)
        #expect(steps.first?.position.description == "lib/nbt.yaml:8:7")
        guard case .verb(let verb, let arguments) = suite.cases[0].steps[0].action else {
            Issue.record("the first step is no verb")
            return
        }
        #expect(verb.name == "write")
        #expect(arguments == ["file": .value(.bytes([0xE1, 0xA1])), "data": .value(.bytes([0x01]))])
        #expect(suite.cases[0].steps[3].captures.isEmpty)
        #expect(suite.cases[0].steps[6].captures.map(\.name) == ["seen"])
    }

    @Test("the namespace of the suite's own target may be left out")
    func namespaces() throws {
        let suite = try #require(
            ReadingFixtures.load(["tangem/sign-purge.yaml"], in: "examples").suites.first
        )
        let verbs = suite.cases[0].steps.map { step in
            guard case .verb(let verb, _) = step.action else { return "" }
            return verb.name
        }
        #expect(verbs == ["tangem.create-wallet", "tangem.sign", "check", "tangem.purge", "tangem.sign"])
        #expect(suite.cases[0].rows.map(\.label) == ["curve=secp256k1", "curve=ed25519", "curve=secp256r1"])
        #expect(suite.variables.map(\.source) == [.random(length: 32, count: nil)])
    }

    @Test("a fault may name the verb short, and the plan has it whole")
    func faults() throws {
        let suite = try #require(ReadingFixtures.load(["wallet/init-pay.yaml"], in: "examples").suites.first)
        let fault = try #require(suite.cases[2].fault)
        #expect(fault.trigger == .step("wallet.configure"))
        #expect(fault.kind == "storageUnrecoverable")
        #expect(suite.cases[1].rows.map(\.values.count) == [2, 2])
    }

    @Test("all side keys are kept")
    func sideKeys() throws {
        let steps = """
            - select: CC
              name: first
              needs: [kit.led, firmware >= 1.2]
              optional: yes
              if: present ${x}
              repeat: 10_000
            """
        #expect(ReadingFixtures.mistakes(ofSteps: steps).count == 1)
        let text = """
            rig: 1
            suite: t
            target: nbt
            raw: yes
            secrets: { pin: , code: { file: no/such/file } }
            cases:
              - name: a
                id: a1
                links: https://example.org/1
                steps:
                  - select: CC
                    name: first
                    needs: [kit.led, firmware >= 1.2]
                    optional: yes
                    if: present ${x}
                    repeat: 10000
                    allow: [63Cx, "6A80..6A8F"]
                    delay: 5ms
                    mask: ["data(0..2)"]
                    limits: { apdu: 1s }
                    raw: no
                    repeatable: no
                    fault: { kind: sw, sw: 6F00, when: after-answer-lost, times: 3 }
                    poll: { max: 1s, while: { sw: 6A82 }, between: [{ field: on }] }
            """
        let (suite, mistakes) = ReadingFixtures.read(Array(text.utf8))
        #expect(mistakes == [])
        let step = try #require(suite?.cases.first?.steps.first)
        #expect(suite?.isRaw == true)
        #expect(suite?.cases.first?.links == ["https://example.org/1"])
        #expect(suite?.secrets.map(\.source).first == .environment)
        #expect(step.name == "first")
        #expect(step.needs.map(\.text) == ["kit.led", "firmware>=1.2"])
        #expect(step.isOptional)
        #expect(step.condition != nil)
        #expect(step.repetitions == 10_000)
        #expect(step.allow == ["63Cx", "6A80..6A8F"])
        #expect(step.delay == .milliseconds(5))
        #expect(step.masks == ["data(0..2)"])
        #expect(step.limits.apdu == .seconds(1))
        #expect(step.isRaw == false)
        #expect(step.isRepeatable == false)
        #expect(step.fault?.parameter == .statusWord(StatusWord(rawValue: 0x6F00)))
        #expect(step.fault?.times == 3)
        #expect(step.poll?.every == .milliseconds(100))
        #expect(step.poll?.between.count == 1)
    }

    @Test("delay alone is a verb, beside another verb it waits before it")
    func delay() throws {
        let text = """
            rig: 1
            suite: t
            target: nbt
            cases:
              - name: a
                steps:
                  - delay: 200ms
                  - field: on
                    delay: 20ms
            """
        let steps = try #require(ReadingFixtures.read(Array(text.utf8)).suite?.cases.first?.steps)
        guard case .verb(let verb, let arguments) = steps[0].action else {
            Issue.record("no verb")
            return
        }
        #expect(verb.name == "delay")
        #expect(arguments == ["time": .value(.duration(.milliseconds(200)))])
        #expect(steps[0].delay == nil)
        #expect(steps[1].delay == .milliseconds(20))
    }

    @Test("a call of a library binds its arguments")
    func bindings() throws {
        let loaded = ReadingFixtures.load(["uses.yaml"], in: "include")
        #expect(loaded.mistakes == [])
        let steps = try #require(loaded.suites.first?.cases.first?.steps)
        guard case .use("set-file", let inner, let bindings) = steps[0].action else {
            Issue.record("no call")
            return
        }
        #expect(inner.count == 2)
        #expect(bindings.keys.sorted() == ["file", "value"])
        guard case .use("nested", let outer, _) = steps[1].action,
            case .use("set-file", _, _) = outer[0].action
        else {
            Issue.record("no call inside a call")
            return
        }
        #expect(outer.count == 2)
    }

    @Test("a matrix multiplies lists, takes rows out and puts rows in")
    func matrix() throws {
        let suite = try #require(ReadingFixtures.load(["uses.yaml"], in: "include").suites.first)
        #expect(
            suite.cases[1].rows.map(\.label) == [
                "policy=open, size=01", "policy=adt, size=01", "policy=adt, size=0x02",
                "policy=open, size=03",
            ]
        )
    }
}
