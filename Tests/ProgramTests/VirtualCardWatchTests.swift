// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing

/// What `taprig emulate` makes of a service that does not, or not yet, see its card.
@Suite struct VirtualCardWatchTests {
    private func start(_ reader: ReaderSocket) throws -> ChildProcess {
        try Taprig.start(["emulate", "nbt", "--vpcd", "localhost:\(reader.port)"])
    }

    private func end(_ child: ChildProcess) throws {
        child.send(SIGTERM)
        #expect(try child.wait().status == 143)
    }

    @Test func `A link that nobody serves is no card in the reader, and a sentence says what to do`() throws {
        let reader = try ReaderSocket()
        let child = try start(reader)
        #expect(child.wait(until: { child.errorsSoFar.contains("another one lies in it") }))
        #expect(child.errorsSoFar.contains("name another slot with --vpcd HOST:PORT"))
        #expect(!child.errorsSoFar.contains("in the reader\n"))
        try reader.powerOn()
        #expect(child.wait(until: { child.errorsSoFar.contains("\nin the reader\n") }))
        try end(child)
    }

    @Test func `A reader that nobody answers for is told once, with what to do, and dialled on`() throws {
        let child = try Taprig.start(["emulate", "nbt", "--vpcd", "localhost:1"])
        #expect(child.wait(until: { child.errorsSoFar.contains("start pcscd with the driver vpcd") }))
        #expect(child.errorsSoFar.contains("no virtual reader answers at localhost:1"))
        try end(child)
    }

    @Test func `A service that only polls, as after a card that was killed, sees the card leave and come`()
        throws
    {
        let reader = try ReaderSocket()
        let child = try start(reader)
        try reader.takeLink()
        let limit = ContinuousClock.now + .seconds(20)
        while reader.isPresent(), ContinuousClock.now < limit { usleep(50_000) }
        #expect(!reader.isPresent())
        #expect(!child.errorsSoFar.contains("in the reader\n"))
        try reader.powerOn()
        #expect(child.wait(until: { child.errorsSoFar.contains("\nin the reader\n") }))
        #expect(reader.isPresent())
        try end(child)
    }

    private static let onePort = ["-Urnpf", "--kill-child", Taprig.fixture("tools/one-port"), "35964"]
    private static let hasNetworks = (try? ChildProcess("unshare", onePort + ["true"]).wait().status) == 0

    @Test(.enabled(if: hasNetworks, "needs user and network namespaces, and ip"))
    func `A card that dials where nobody listens never meets itself and holds the port of the reader`() throws
    {
        // Whoever comes to listen a little later finds the port free.
        let both = """
            "$0" emulate nbt --vpcd 127.0.0.1:35964 & sleep 1
            exec "$0" kit emulate --tcp 127.0.0.1:35964
            """
        let child = try ChildProcess("unshare", Self.onePort + ["bash", "-c", both, Taprig.path])
        defer { child.send(SIGKILL) }
        #expect(
            child.wait(until: { child.outputSoFar.contains("tcp:127.0.0.1:35964") }),
            "\(child.errorsSoFar)"
        )
        #expect(child.errorsSoFar.contains("dialling the virtual reader at 127.0.0.1:35964"))
    }
}
