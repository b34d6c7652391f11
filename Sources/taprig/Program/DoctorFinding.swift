// SPDX-License-Identifier: MIT

import JSONText

/// Something that `taprig doctor` found, and the way out of it.
struct DoctorFinding: Hashable, Sendable {
    /// How bad it is.
    enum Level: String, Sendable {
        /// The rig cannot work with the card, or somebody else can interfere: exit status 3.
        case trouble
        /// Worth knowing; nothing is broken.
        case note
    }

    /// The part of the host that was looked at; the raw value is the word in output.
    enum Area: String, Sendable, CaseIterable {
        case service
        case readers
        case driver
        case usb
        case virtual = "virtual reader"
        case host
    }

    /// A stable word for programs, for example `service-stopped`.
    let id: String
    let level: Level
    let area: Area
    /// What is the matter, in one sentence.
    let what: String
    /// What to type, or to do by hand, in order; a file to be written is one entry of several lines.
    let remedies: [String]

    static func trouble(_ area: Area, _ id: String, _ what: String, type remedies: String...) -> DoctorFinding
    {
        DoctorFinding(id: id, level: .trouble, area: area, what: what, remedies: remedies)
    }

    static func note(_ area: Area, _ id: String, _ what: String, type remedies: String...) -> DoctorFinding {
        DoctorFinding(id: id, level: .note, area: area, what: what, remedies: remedies)
    }

    var json: JSON {
        .object([
            "id": .string(id), "level": .string(level.rawValue), "area": .string(area.rawValue),
            "what": .string(what), "type": .array(remedies.map { .string($0) }),
        ])
    }
}
