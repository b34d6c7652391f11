// SPDX-License-Identifier: MIT

public import CardConnection
import HostSystem
import SmartCard
import Synchronization

/// What an emulated card remembers without power, as text that can be kept in a file.
public struct CardMemoryText: Sendable {
    /// All of it, keys and codes included.
    public let save: @Sendable () -> String
    /// Takes over what an earlier card saved.
    public let restore: @Sendable (String) throws(EmulatorOptionError) -> Void

    /// Makes it from the card's own functions.
    public init(
        save: @escaping @Sendable () -> String,
        restore: @escaping @Sendable (String) throws(EmulatorOptionError) -> Void
    ) {
        self.save = save
        self.restore = restore
    }
}

/// A card whose memory lives in a file.
///
/// The file is written before the answer to a command goes out, as a real card has its memory written by then. It
/// appears as a whole or not at all.
public final class CardStateFile: Card {
    /// The card's own.
    public var atr: [UInt8] { card.atr }
    /// The card's own.
    public var contactlessUID: [UInt8]? { card.contactlessUID }
    /// The card's own.
    public var contactlessATS: [UInt8]? { card.contactlessATS }

    private let card: any Card
    private let memory: CardMemoryText
    private let path: String
    private let kept: Mutex<Kept>
    private let lock: StateFileLock

    private struct Kept {
        var text: String
        var trouble: String?
    }

    /// The most bytes of a file that are read.
    private static let largestFile = 64 << 20

    /// Takes over the file, or makes it when there is none.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - memory: How its memory is saved and restored.
    ///   - path: The file, in a folder that exists.
    /// - Throws: `EmulatorOptionError` when the file cannot be used, or another card lives in it; it stays as it is then.
    public init(_ card: any Card, memory: CardMemoryText, path: String) throws(EmulatorOptionError) {
        self.card = card
        self.memory = memory
        self.path = path
        lock = try StateFileLock(path)
        do {
            if HostFile.exists(path) {
                let bytes = try HostFile.read(path, limit: Self.largestFile)
                do throws(EmulatorOptionError) {
                    try memory.restore(String(decoding: bytes, as: UTF8.self))
                } catch {
                    if let place = error.place {
                        throw EmulatorOptionError("\(path):\(place.line):\(place.column): \(error.message)")
                    }
                    throw EmulatorOptionError("\(path) cannot be taken over: \(error)")
                }
            }
            kept = Mutex(Kept(text: memory.save()))
            // Found out now, not with the first command.
            try HostFile.writeDurably(memory.save(), to: path)
        } catch let error as EmulatorOptionError {
            throw error
        } catch {
            throw EmulatorOptionError("\(error)")
        }
    }

    /// What went wrong first when the file was written, in one sentence; nil while all is kept.
    public var trouble: String? { kept.withLock { $0.trouble } }

    /// Lets the file go, before the program ends: a thread that still holds the card would leave the lock's file behind.
    public func letGo() { lock.remove() }

    /// Gives the card power.
    public func powerOn() { card.powerOn() }

    /// Takes the power away, and keeps what is left.
    public func powerOff() {
        card.powerOff()
        keep()
    }

    /// Lets the card answer, and keeps what changed.
    public func respond(to command: [UInt8]) -> CardAnswer {
        let answer = card.respond(to: command)
        keep()
        return answer
    }

    private func keep() {
        kept.withLock { kept in
            let text = memory.save()
            guard text != kept.text else { return }
            do {
                try HostFile.writeDurably(text, to: path)
                kept.text = text
            } catch {
                kept.trouble = kept.trouble ?? "the card's state is not kept: \(error)"
            }
        }
    }
}
