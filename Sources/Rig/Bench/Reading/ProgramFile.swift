// SPDX-License-Identifier: MIT

import Glibc
import HostSystem

/// The file of a program.
enum ProgramFile {
    /// Why a file cannot be started; nil when it can.
    ///
    /// - Parameters:
    ///   - path: The whole path.
    ///   - text: How the bench file has it.
    /// - Returns: One sentence.
    static func complaint(about path: String, writtenAs text: String) -> String? {
        guard HostFile.exists(path) else {
            let place = text.hasPrefix("/") ? "" : " beside the bench file"
            let hint = text.contains("/") ? "" : "; a program of the system is named by its whole path"
            return "there is no program '\(text)'\(place)\(hint)"
        }
        guard HostFile.isPlainFile(path) else { return "'\(text)' is no program but a folder or a device" }
        guard access(path, X_OK) == 0 else { return "'\(text)' is not executable; run chmod +x on it" }
        return nil
    }
}
