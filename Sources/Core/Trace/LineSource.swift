// SPDX-License-Identifier: MIT

import Glibc
import HostSystem

/// The lines of a file, read piece by piece, so that the size of the file does not matter.
final class LineSource {
    /// The longest line that is taken, in bytes: 65 KiB of data each way in hex, and room for words.
    static let lengthLimit = 1 << 20

    /// A line without its line feed.
    struct Line {
        let bytes: [UInt8]
        /// False for the last line of a file that does not end in a line feed.
        let isEnded: Bool
    }

    /// Why no further line can be read.
    enum Failure: Error {
        case file(FileError)
        case tooLong
    }

    private let path: String
    private var descriptor: Int32
    private var buffer: [UInt8]
    private var position = 0

    /// Opens a file.
    init(path: String) throws(FileError) {
        self.path = path
        buffer = []
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw FileError(path: path, action: "read", reason: String(cString: strerror(errno)))
        }
    }

    /// Takes bytes that are in memory already.
    init(bytes: [UInt8]) {
        path = ""
        buffer = bytes
        descriptor = -1
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// The next line; nil at the end.
    func next() throws(Failure) -> Line? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                let line = Array(buffer[position..<end])
                position = end + 1
                return Line(bytes: line, isEnded: true)
            }
            guard buffer.count - position <= Self.lengthLimit else { throw .tooLong }
            buffer.removeSubrange(..<position)
            searched = buffer.count
            position = 0
            guard try refill() else {
                guard !buffer.isEmpty else { return nil }
                let line = buffer
                buffer = []
                return Line(bytes: line, isEnded: false)
            }
        }
    }

    /// Reads a further piece; false at the end of the file.
    private func refill() throws(Failure) -> Bool {
        guard descriptor >= 0 else { return false }
        let size = 1 << 16
        let count = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: size))
        while true {
            let got = buffer.withUnsafeMutableBytes { space in
                Glibc.read(descriptor, space.baseAddress.map { $0 + count }, size)
            }
            if got < 0, errno == EINTR { continue }
            let reason = got < 0 ? String(cString: strerror(errno)) : ""
            buffer.removeLast(size - max(got, 0))
            guard got >= 0 else { throw .file(FileError(path: path, action: "read", reason: reason)) }
            return got > 0
        }
    }
}
