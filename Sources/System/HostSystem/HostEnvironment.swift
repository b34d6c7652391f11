// SPDX-License-Identifier: MIT

import Glibc

/// What the host says of itself.
public enum HostEnvironment {
    /// The value of an environment variable, or nil.
    public static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// All environment variables.
    public static var all: [String: String] {
        var out: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text)
            if let sign = pair.firstIndex(of: "=") {
                out[String(pair[..<sign])] = String(pair[pair.index(after: sign)...])
            }
            entry += 1
        }
        return out
    }

    /// The host's name, never empty.
    public static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        let result = gethostname(&name, name.count - 1)
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return result == 0 && !text.isEmpty ? text : "localhost"
    }
}
