// SPDX-License-Identifier: MIT

import JSONText
import SmartCard
import TangemEmulator

/// What an emulated card remembers, open to any change.
struct CardMemoryEditor {
    private(set) var json: JSON

    init?(_ text: String) {
        guard let json = try? JSON(parsing: text) else { return nil }
        self.json = json
    }

    /// The value at a path of keys and places, such as `slots.0.signed`, inside of the memory.
    subscript(path: String) -> JSON? {
        get { Self.value(json, Self.steps(path)) }
        set {
            guard let newValue else { return }
            json = Self.replacing(json, Self.steps(path), newValue)
        }
    }

    /// Bytes at a path.
    func bytes(_ path: String) -> [UInt8]? {
        guard let text = self[path]?.string else { return nil }
        return try? HexText.bytes(text)
    }

    /// Takes the wallet out of the first slot.
    mutating func emptyFirstSlot() {
        self["slots.0.status"] = .integer(1)
        for key in ["curve", "secret", "chain-code"] { self["slots.0.\(key)"] = .null }
        self["slots.0.public-key"] = .string("")
    }

    /// Lets the card's random bytes begin anew.
    mutating func rewindRandom() {
        json = Self.replacing(json, ["random-position"], .string("0"))
    }

    /// How many elements a list has.
    func count(_ path: String) -> Int { self[path]?.array?.count ?? 0 }

    /// Sets or clears bits of a number.
    mutating func change(_ path: String, set: Int = 0, clear: Int = 0) {
        guard let old = self[path]?.integer else { return }
        self[path] = .integer((old | set) & ~clear)
    }

    private static func steps(_ path: String) -> ArraySlice<String> {
        (["memory"] + path.split(separator: ".").map(String.init))[...]
    }

    private static func value(_ json: JSON, _ steps: ArraySlice<String>) -> JSON? {
        guard let step = steps.first else { return json }
        let next = Int(step).flatMap { place in
            json.array.flatMap { $0.indices.contains(place) ? $0[place] : nil }
        }
        return (next ?? json[step]).flatMap { value($0, steps.dropFirst()) }
    }

    private static func replacing(_ json: JSON, _ steps: ArraySlice<String>, _ value: JSON) -> JSON {
        guard let step = steps.first else { return value }
        if var list = json.array, let place = Int(step), list.indices.contains(place) {
            list[place] = replacing(list[place], steps.dropFirst(), value)
            return .array(list)
        }
        guard let members = json.members else { return json }
        return .object(
            members.map {
                $0.key == step ? JSON.Member(step, replacing($0.value, steps.dropFirst(), value)) : $0
            }
        )
    }
}
