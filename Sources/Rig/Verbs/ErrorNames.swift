// SPDX-License-Identifier: MIT

import NBT
import Scenario
import Tangem

/// The names under which `expect: {error: NAME}` knows the errors of the device libraries.
enum ErrorNames {
    /// Errors of the NBT's library, and what is wrong with a one-time token.
    ///
    /// What the card answers and what happens to the link are no errors of the library: `sw` and `fault` speak of those.
    static let nbt =
        NBTError.words.filter { !["transport", "unexpectedStatus"].contains($0) }
        + COTTVerdict.allCases.filter { $0 != .accepted }.map(\.word)

    /// Errors of the tag library.
    static let ndef = ["container", "readProtected", "writeProtected", "messageTooLong", "tag"]

    /// Errors of the wallet card's library.
    static let tangem = TangemError.Kind.allCases.map(\.name)
}

extension [Verb] {
    /// The same verbs, whose device library knows these errors.
    func giving(errors: [String]) -> [Verb] {
        map { Verb($0.spec.giving(errors: errors), run: $0.run) }
    }
}
