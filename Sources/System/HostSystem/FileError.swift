// SPDX-License-Identifier: MIT

import Glibc

/// Why a file could not be read or written.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or folder.
    public let path: String
    /// What was tried, for example `read`.
    public let action: String
    /// The reason in words.
    public let reason: String

    /// Makes an error with words of our own.
    public init(path: String, action: String, reason: String) {
        self.path = path
        self.action = action
        self.reason = reason
    }

    /// Makes an error from `errno`.
    init(path: String, action: String, errorNumber: Int32) {
        self.init(path: path, action: action, reason: String(cString: strerror(errorNumber)))
    }

    /// One sentence: what, where, why.
    public var description: String { "cannot \(action) \(VisibleText.escaped(path)): \(reason)" }
}
