// SPDX-License-Identifier: MIT

import JSONText
import Testing

@testable import Scenario

@Suite("JSON Schema of scenarios")
struct ScenarioSchemaTests {
    private let schema = ScenarioSchema(vocabulary: ReadingVocabulary.shared).json

    private func definition(_ name: String) -> JSON? { schema["$defs"]?[name] }

    @Test("each reference leads to a definition")
    func references() {
        var names: Set<String> = []
        func collect(_ json: JSON) {
            switch json {
            case .object(let members):
                for member in members {
                    if member.key == "$ref", let name = member.value.string {
                        names.insert(String(name.dropFirst("#/$defs/".count)))
                    }
                    collect(member.value)
                }
            case .array(let items): for item in items { collect(item) }
            default: break
            }
        }
        collect(schema)
        let known = Set(schema["$defs"]?.members?.map(\.key) ?? [])
        #expect(names.subtracting(known) == [])
        #expect(names.count > 100)
    }

    @Test("it says which draft it is written in")
    func draft() {
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test("the words of a target stand in its steps, with and without the namespace")
    func words() {
        let step = definition("tangem.step")?["properties"]
        #expect(step?["sign"] == step?["tangem.sign"])
        #expect(step?["wallet.pay"] != nil)
        #expect(step?["pay"] == nil)
        #expect(definition("nbt.step")?["properties"]?["sign"] == nil)
        #expect(definition("any.step")?["properties"]?["sign"] != nil)
    }

    @Test("arguments keep their names, needs and sentences")
    func arguments() throws {
        let forms = try #require(definition("nbt.verb.write")?["anyOf"]?.array)
        #expect(forms.count == 1)
        #expect(forms[0]["required"] == ["data"])
        #expect(forms[0]["additionalProperties"] == false)
        #expect(forms[0]["properties"]?["offset"]?["description"]?.string == "Offset.")
        #expect(definition("nbt.verb.write")?["description"]?.string == "Writes.")
        #expect(definition("nbt.verb.connect")?["anyOf"]?.array?.count == 2)
    }

    @Test("beside use stand only the keys that it carries out")
    func keysOfUse() throws {
        let step = try #require(definition("any.step"))
        let refused = try #require(step["dependentSchemas"]?["use"]?["properties"]?.members)
        #expect(refused.allSatisfy { $0.value == false })
        let keys = Set(refused.map(\.key))
        let hidden: Set = [
            "expect", "capture", "poll", "stats", "repeat", "delay", "allow", "mask", "limits",
        ]
        #expect(keys == hidden.union(["raw", "fault", "repeatable"]))
        #expect(keys.isSubset(of: Set(step["properties"]?.members?.map(\.key) ?? [])))
    }

    @Test("groups of arguments exclude each other, or ask for one")
    func groups() throws {
        let check = try #require(definition("nbt.verb.check")?["anyOf"]?.array?.first)
        #expect(check["allOf"]?.array?.first?["anyOf"]?.array?.count == 11)
        let signature = try #require(check["properties"]?["signature"]?["anyOf"]?.array?.first)
        #expect(signature["allOf"]?.array?.first?["oneOf"]?.array?.count == 2)
    }
}
