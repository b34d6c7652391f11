// SPDX-License-Identifier: MIT

/// How a device wants to be selected.
struct SelectConvention {
    /// Whether SELECT by AID carries Le 00.
    let applicationHasLe: Bool
    /// Whether the answer to SELECT by AID carries a DF name (tag 84).
    let promisesFCI: Bool

    /// The convention of a target.
    static func of(_ target: String) -> SelectConvention {
        switch target {
        // The vendor's libraries send Le 00, and the chip returns no data all the same.
        case "nbt": SelectConvention(applicationHasLe: true, promisesFCI: false)
        case "tangem": SelectConvention(applicationHasLe: false, promisesFCI: false)
        default: SelectConvention(applicationHasLe: true, promisesFCI: true)
        }
    }
}
