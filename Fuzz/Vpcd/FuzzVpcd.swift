// SPDX-License-Identifier: MIT

import CardConnection
import Glibc
import VirtualReader

/// Bytes of a driver: any stream of them is served until it ends.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    listener.feed(UnsafeRawBufferPointer(start: data, count: size))
    return 0
}

/// A driver that sends what the fuzzer makes.
private let listener = FuzzedDriver()

private final class FuzzedDriver: Sendable {
    private let descriptor: Int32
    private let client: VirtualCardClient

    init() {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(listening, address, length)
                _ = listen(listening, 1)
                _ = getsockname(listening, address, &length)
            }
        }
        descriptor = listening
        client = VirtualCardClient(
            card: EchoCard(),
            host: "127.0.0.1",
            port: UInt16(bigEndian: address.sin_port),
            paces: false
        )
        client.start()
    }

    /// Accepts the card, sends all bytes, reads its answers until it has none, and hangs up.
    func feed(_ bytes: UnsafeRawBufferPointer) {
        let link = accept(descriptor, nil, nil)
        guard link >= 0 else { return }
        var rest = bytes[...]
        var answer = [UInt8](repeating: 0, count: 4096)
        while !rest.isEmpty {
            let sent = send(
                link,
                UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                rest.count,
                Int32(MSG_NOSIGNAL)
            )
            guard sent > 0 else { break }
            rest = rest.dropFirst(sent)
            while recv(link, &answer, answer.count, Int32(MSG_DONTWAIT)) > 0 {}
        }
        shutdown(link, Int32(SHUT_WR))
        while recv(link, &answer, answer.count, 0) > 0 {}
        close(link)
    }
}

/// Answers with the command's own bytes, or with nothing.
private final class EchoCard: Card {
    let atr: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01]

    func powerOn() {}

    func powerOff() {}

    func respond(to command: [UInt8]) -> CardAnswer { CardAnswer(command) }
}
