// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import Testing

/// A folder of its own for one test, gone afterwards.
final class ScratchFolder {
    let path: String

    init() throws {
        var template = Array("\(HostEnvironment.value("TMPDIR") ?? P_tmpdir)/hostsystem.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FileError(path: "the folder for temporary files", action: "make", reason: "mkdtemp failed")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            for name in (try? HostFile.names(in: path)) ?? [] { remove("\(path)/\(name)") }
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}

@Suite("Host files")
struct HostFileTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    @Test("what was written is read, and nothing else is left in the folder")
    func roundTrip() throws {
        for count in [0, 1, 65_535, 65_536, 65_537, 300_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            try HostFile.write(bytes, to: path("a.bin"))
            #expect(try HostFile.read(path("a.bin")) == bytes)
        }
        try HostFile.write("text", to: path("b.txt"))
        #expect(try HostFile.names(in: folder.path) == ["a.bin", "b.txt"])
    }

    @Test("a durable file is its owner's alone, and replaces the old one as a whole")
    func durable() throws {
        try HostFile.write("old and longer", to: path("a.json"))
        try HostFile.writeDurably("new", to: path("a.json"))
        #expect(try HostFile.read(path("a.json")) == Array("new".utf8))
        var status = stat()
        #expect(stat(path("a.json"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        // A link stays one.
        try HostFile.link(path("link.json"), to: "a.json")
        try HostFile.writeDurably("newer", to: path("link.json"))
        #expect(try HostFile.read(path("a.json")) == Array("newer".utf8))
        #expect(try HostFile.names(in: folder.path) == ["a.json", "link.json"])
        let folderError = try #require(throws: FileError.self) {
            try HostFile.writeDurably("x", to: folder.path)
        }
        #expect(folderError.description == "cannot write \(folder.path): it is no plain file")
        #expect(throws: FileError.self) { try HostFile.writeDurably("x", to: path("none/a.json")) }
    }

    @Test("a file of exactly the limit is read, one byte more is refused")
    func limit() throws {
        try HostFile.write([1, 2, 3, 4], to: path("four"))
        #expect(try HostFile.read(path("four"), limit: 4).count == 4)
        let error = try #require(throws: FileError.self) { try HostFile.read(path("four"), limit: 3) }
        #expect(error.description == "cannot read \(path("four")): it is longer than 3 bytes")
    }

    @Test("a stream without end is stopped by the limit")
    func endless() throws {
        let error = try #require(throws: FileError.self) { try HostFile.read("/dev/zero", limit: 1_000_000) }
        #expect(error.reason == "it is longer than 1000000 bytes")
        #expect(try HostFile.read("/dev/null", limit: 0).isEmpty)
    }

    @Test("a missing file and a folder are refused with the reason")
    func noFile() throws {
        let missing = try #require(throws: FileError.self) { try HostFile.read(path("none")) }
        #expect(missing.description == "cannot read \(path("none")): No such file or directory")
        let asFile = try #require(throws: FileError.self) { try HostFile.read(folder.path) }
        #expect(asFile.description == "cannot read \(folder.path): it is a folder")
        let written = try #require(throws: FileError.self) { try HostFile.write("x", to: folder.path) }
        #expect(written.reason == "it is a folder")
        #expect(throws: FileError.self) { try HostFile.write("x", to: path("none/file")) }
    }

    @Test("a failed write leaves the older file as it was")
    func keepsOlder() throws {
        try HostFile.write("old", to: path("report"))
        // A folder in the way of the draft makes the write fail, whoever runs this.
        try HostFile.makeFolder(path("report.\(getpid()).new"))
        #expect(throws: FileError.self) { try HostFile.write("new", to: path("report")) }
        #expect(try HostFile.read(path("report")) == Array("old".utf8))
    }

    @Test("a full device is reported, and stays a device")
    func fullDevice() throws {
        let bytes = [UInt8](repeating: 0x2A, count: 100_000)
        let error = try #require(throws: FileError.self) { try HostFile.write(bytes, to: "/dev/full") }
        #expect(error.description == "cannot write /dev/full: No space left on device")
        let file = try OutputFile(path: "/dev/full")
        #expect(throws: FileError.self) { try file.write(bytes) }
        #expect(!HostFile.isPlainFile("/dev/full"))
        try HostFile.write(bytes, to: "/dev/null")
        #expect(!HostFile.isPlainFile("/dev/null"))
    }

    @Test("a link is written through, not replaced")
    func throughLink() throws {
        try HostFile.write("one", to: path("real"))
        try HostFile.link(path("alias"), to: "real")
        try HostFile.write("two", to: path("alias"))
        #expect(try HostFile.read(path("real")) == Array("two".utf8))
        var status = stat()
        #expect(lstat(path("alias"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test("a link is moved to another target")
    func moveLink() throws {
        try HostFile.makeFolder(path("first/deep"))
        try HostFile.makeFolder(path("second"))
        try HostFile.makeFolder(path("second"))
        try HostFile.link(path("latest"), to: "first")
        try HostFile.link(path("latest"), to: "second")
        #expect(HostFile.resolved(path("latest")) == HostFile.resolved(path("second")))
        #expect(HostFile.isFolder(path("latest")))
        #expect(!HostFile.exists(path("third")))
        #expect(HostFile.resolved(path("third")) == nil)
        #expect(throws: FileError.self) { try HostFile.names(in: path("third")) }
    }

    @Test("a folder cannot be made where a file is")
    func folderOverFile() throws {
        try HostFile.write("x", to: path("file"))
        #expect(throws: FileError.self) { try HostFile.makeFolder(path("file")) }
        #expect(throws: FileError.self) { try HostFile.makeFolder(path("file/below")) }
    }

    @Test("each piece of an output file is there as soon as it is written")
    func pieces() throws {
        let file = try OutputFile(path: path("log"))
        try file.write(Array("one\n".utf8))
        #expect(try HostFile.read(path("log")) == Array("one\n".utf8))
        try file.write([])
        try file.write(Array("two\n".utf8))
        try file.finish()
        try file.finish()
        #expect(try HostFile.read(path("log")) == Array("one\ntwo\n".utf8))
        #expect(throws: FileError.self) { try file.write([0]) }
    }
}
