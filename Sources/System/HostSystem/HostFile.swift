// SPDX-License-Identifier: MIT

import Glibc

/// Whole files and folders of the host.
public enum HostFile {
    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The most bytes that are taken; a longer file is refused.
    /// - Returns: The whole content.
    /// - Throws: ``FileError`` when it is missing, no plain file or stream, or too long.
    public static func read(_ path: String, limit: Int = .max) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path: path, action: "read", errorNumber: errno) }
        defer { Glibc.close(descriptor) }
        return try readAll(descriptor, path: path, limit: limit)
    }

    /// Reads standard input to its end.
    public static func readStandardInput(limit: Int = .max) throws(FileError) -> [UInt8] {
        try readAll(STDIN_FILENO, path: "standard input", limit: limit)
    }

    private static func readAll(_ descriptor: Int32, path: String, limit: Int) throws(FileError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw FileError(path: path, action: "read", errorNumber: errno)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw FileError(path: path, action: "read", reason: "it is a folder")
        }
        let tooLong = FileError(path: path, action: "read", reason: "it is longer than \(limit) bytes")
        var out: [UInt8] = []
        if status.st_mode & S_IFMT == S_IFREG {
            guard status.st_size <= limit else { throw tooLong }
            out.reserveCapacity(Int(status.st_size))
        }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let got = Glibc.read(descriptor, &chunk, chunk.count)
            if got < 0 {
                if errno == EINTR { continue }
                throw FileError(path: path, action: "read", errorNumber: errno)
            }
            guard got > 0 else { return out }
            guard got <= limit - out.count else { throw tooLong }
            out += chunk[0..<got]
        }
    }

    /// Writes a whole file: all of it or nothing appears under the name.
    ///
    /// A link is followed. A device or a pipe, such as `/dev/stdout`, is written to as it stands.
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - name: The file, in a folder that exists.
    /// - Throws: ``FileError`` when it cannot be written; an older file is untouched then.
    public static func write(_ bytes: [UInt8], to name: String) throws(FileError) {
        // Renaming over a link would cut it off, renaming over a device would replace the device; what stands
        // behind a name in /dev, such as a redirected standard output, is somebody's open file.
        let path = resolved(name) ?? name
        guard !isFolder(path) else { throw FileError(path: name, action: "write", reason: "it is a folder") }
        guard !name.hasPrefix("/dev/"), !exists(path) || isPlainFile(path) else {
            let stream = try OutputFile(path: name)
            try stream.write(bytes)
            return try stream.finish()
        }
        let draft = "\(path).\(getpid()).new"
        do {
            let file = try OutputFile(path: draft)
            try file.write(bytes)
            try file.finish()
        } catch {
            unlink(draft)
            throw FileError(path: name, action: error.action, reason: error.reason)
        }
        guard rename(draft, path) == 0 else {
            let number = errno
            unlink(draft)
            throw FileError(path: name, action: "write", errorNumber: number)
        }
    }

    /// Writes a whole text file.
    public static func write(_ text: String, to path: String) throws(FileError) {
        try write(Array(text.utf8), to: path)
    }

    /// Makes a folder and those above it; one that exists is fine.
    public static func makeFolder(_ path: String) throws(FileError) {
        var prefix = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            prefix += prefix.isEmpty || prefix.hasSuffix("/") ? String(part) : "/\(part)"
            if mkdir(prefix, 0o777) != 0, errno != EEXIST {
                throw FileError(path: prefix, action: "make folder", errorNumber: errno)
            }
        }
        guard isFolder(path) else {
            throw FileError(path: path, action: "make folder", reason: "something else has that name")
        }
    }

    /// True when the path is a folder, links followed.
    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// True when the path is a plain file, links followed.
    public static func isPlainFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// True when something has this path, links followed.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// The names in a folder, sorted, without `.` and `..`.
    public static func names(in folder: String) throws(FileError) -> [String] {
        guard let handle = opendir(folder) else {
            throw FileError(path: folder, action: "list", errorNumber: errno)
        }
        defer { closedir(handle) }
        var out: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { out.append(name) }
        }
        return out.sorted()
    }

    /// The absolute path with links resolved, or nil when nothing is there.
    public static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The folder where the program was started.
    public static var workingFolder: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

    /// Points a link at a target, in place of an older link of that name.
    public static func link(_ path: String, to target: String) throws(FileError) {
        let draft = "\(path).\(getpid()).new"
        unlink(draft)
        guard symlink(target, draft) == 0, rename(draft, path) == 0 else {
            let number = errno
            unlink(draft)
            throw FileError(path: path, action: "link", errorNumber: number)
        }
    }
}
