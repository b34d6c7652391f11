// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import Routes
import Synchronization

/// The file in which `taprig emulate --state` keeps a device; used by the thread that serves the reader.
final class SavedDevice: Sendable {
    private let path: String
    private let memory: EmulatorCatalog.Memory
    private let state: Mutex<State>

    private struct State {
        /// What the file holds; nil until it was written.
        var text: String?
        var hasComplained = false
    }

    /// Restores the device from the file, or makes the file.
    ///
    /// - Throws: `CommandFailure` when the device cannot be saved or the file is wrong.
    init(path: String, device: EmulatorCatalog.Device) throws(CommandFailure) {
        guard let memory = device.memory else {
            throw .usage("--state is for devices with a memory; a scripted card has none")
        }
        self.path = path
        self.memory = memory
        var text: String?
        if HostFile.exists(path) {
            do {
                let saved = String(decoding: try HostFile.read(path, limit: 4 << 20), as: UTF8.self)
                try memory.restore(saved)
                text = saved
            } catch let error as EmulatorOptionError {
                throw .usage("--state \(path): \(error)")
            } catch {
                throw .usage("--state: \(error)")
            }
        }
        state = Mutex(State(text: text))
        do throws(FileError) {
            // The first writing shows at once whether the file can be kept.
            try write()
        } catch {
            throw .usage("--state: \(error)")
        }
    }

    /// Writes the file if the device has changed; complains once if that fails.
    func save() {
        do throws(FileError) {
            try write()
        } catch {
            let isFirst = state.withLock { state in
                defer { state.hasComplained = true }
                return !state.hasComplained
            }
            if isFirst { Console.note("the device is not saved: \(error)") }
        }
    }

    private func write() throws(FileError) {
        let text = memory.text()
        let problem: FileError? = state.withLock { state in
            guard text != state.text else { return nil }
            do throws(FileError) {
                try HostFile.writeDurably(text, to: path)
                state.text = text
                return nil
            } catch {
                return error
            }
        }
        if let problem { throw problem }
    }
}
