// SPDX-License-Identifier: MIT

import CardConnection
import Glibc
import HostSystem
import Testing
import VirtualReader

@Suite("The virtual card and its driver")
struct VirtualCardClientTests {
    private static let off: [UInt8] = [0x00]
    private static let on: [UInt8] = [0x01]
    private static let reset: [UInt8] = [0x02]
    private static let atr: [UInt8] = [0x04]

    /// A driver with a card on its link.
    private final class Bench {
        let driver: FakeDriver
        let card: EchoCard
        let client: VirtualCardClient
        let link: FakeDriver.Link

        init(
            paces: Bool = true,
            patience: Duration? = nil,
            answer: @escaping @Sendable ([UInt8]) -> CardAnswer = { CardAnswer($0 + [0x90, 0x00]) }
        ) throws {
            driver = try FakeDriver()
            card = EchoCard(answer: answer)
            client = VirtualCardClient(card: card, port: driver.port, paces: paces)
            client.patience = patience
            client.start()
            link = try driver.accept()
        }

        deinit {
            client.stop()
        }
    }

    @Test("answers the presence poll with the answer to reset, and counts power and resets")
    func control() throws {
        let bench = try Bench()
        #expect(try bench.link.ask(Self.atr) == [0x3B, 0x80, 0x80, 0x01, 0x01])
        #expect(bench.client.state.isServed && !bench.client.state.isPowered)
        bench.link.send(Self.on)
        #expect(try bench.link.ask(Self.atr) != nil)
        #expect(bench.client.powerOnCount == 1)
        #expect(bench.client.lastPowerOn != nil)
        bench.link.send(Self.reset)
        bench.link.send(Self.on)
        bench.link.send(Self.off)
        bench.link.send(Self.off)
        #expect(try bench.link.ask(Self.atr) != nil)
        #expect(bench.client.powerOnCount == 2)
        #expect(bench.client.state.resetCount == 1)
        #expect(bench.card.events == ["on", "off", "on", "off", "on", "off"])
    }

    @Test("reads messages that arrive in pieces, and several that arrive at once")
    func pieces() throws {
        let bench = try Bench()
        let command = [UInt8](0...99)
        for byte in FakeDriver.Link.framed(command) {
            bench.link.send(raw: [byte])
            if byte % 25 == 0 { MonotonicTime.sleep(.milliseconds(1)) }
        }
        #expect(try bench.link.receive() == command + [0x90, 0x00])
        let frame = FakeDriver.Link.framed(command)
        bench.link.send(raw: frame + FakeDriver.Link.framed(Self.atr) + frame + frame.prefix(40))
        #expect(try bench.link.receive() == command + [0x90, 0x00])
        #expect(try bench.link.receive()?.count == 5)
        #expect(try bench.link.receive() == command + [0x90, 0x00])
        bench.link.send(raw: Array(frame.dropFirst(40)))
        #expect(try bench.link.receive() == command + [0x90, 0x00])
    }

    @Test(
        "passes the longest commands and answers, one after the other",
        arguments: [65_533, 65_534, 65_535]
    )
    func longest(count: Int) throws {
        let bench = try Bench { CardAnswer([UInt8](repeating: 0x5A, count: $0.count - 2) + [0x90, 0x00]) }
        for _ in 0..<4 {
            #expect(try bench.link.ask([UInt8](repeating: 1, count: count))?.count == count)
        }
    }

    @Test("ignores unknown control bytes and empty messages", arguments: [UInt8(0x03), 0x05, 0x7F, 0xFF])
    func unknownControl(byte: UInt8) throws {
        let bench = try Bench()
        bench.link.send([byte])
        bench.link.send([])
        #expect(try bench.link.ask(Self.atr)?.count == 5)
        #expect(bench.card.events.isEmpty)
    }

    @Test("an answer of one byte is sent as it is")
    func oneByte() throws {
        let bench = try Bench { _ in CardAnswer([0x90]) }
        #expect(try bench.link.ask([0, 0xA4]) == [0x90])
    }

    @Test(
        "what cannot be sent closes the link, says why, and dials again",
        arguments: [
            ([UInt8](), LinkLoss.emptyAnswer),
            ([UInt8](repeating: 0, count: 65_536), .answerTooLong(count: 65_536)),
        ]
    )
    func unsendable(answer: [UInt8], loss: LinkLoss) throws {
        let bench = try Bench { _ in CardAnswer(answer) }
        #expect(try bench.link.ask([0, 0xA4]) == nil)
        let again = try bench.driver.accept()
        #expect(try again.ask(Self.atr)?.count == 5)
        #expect(bench.client.state.lastLoss == loss)
        #expect(bench.client.state.lossCount == 1)
        #expect(bench.client.state.connectionCount == 2)
    }

    @Test("dials again after the driver hangs up, and the card has lost its power")
    func redial() throws {
        let bench = try Bench()
        bench.link.send(Self.on)
        #expect(try bench.link.ask(Self.atr) != nil)
        bench.link.hangUp()
        let again = try bench.driver.accept()
        #expect(try again.ask(Self.atr) != nil)
        #expect(bench.client.state.connectionCount == 2)
        #expect(!bench.card.isPowered && !bench.client.state.isPowered)
        // The driver may not have noticed: a command without a power-on finds a fresh card.
        #expect(try again.ask([0, 0xA4]) == [0, 0xA4, 0x90, 0x00])
        #expect(bench.card.events == ["on", "off", "on", "command"])
    }

    @Test(
        "stops while it dials in vain, waits, serves or is out",
        arguments: ["dial", "serve", "out", "never"]
    )
    func stop(when: String) throws {
        let driver = try FakeDriver()
        let port = driver.port
        let client = VirtualCardClient(card: EchoCard(), port: port)
        if when != "never" { client.start() }
        var link: FakeDriver.Link?
        if when != "dial" && when != "never" {
            link = try driver.accept()
            #expect(try link?.ask(Self.atr) != nil)
        }
        if when == "out" { client.remove() }
        client.stop()
        #expect(!client.state.isRunning && !client.isConnected)
        if let link { #expect(try link.receive() == nil) }
        client.stop()
    }

    @Test("stops during an answer that is held back for long, and may be started again")
    func stopWhilePacing() throws {
        let bench = try Bench { CardAnswer($0 + [0x90, 0x00], time: $0[1] == 1 ? .seconds(600) : .zero) }
        bench.link.send([0, 1])
        #expect(bench.client.wait(timeout: .seconds(60)) { $0.exchangeCount == 1 })
        bench.client.stop()
        #expect(bench.client.state.lastLoss == .stopped)
        #expect(try bench.link.receive() == nil)
        // The next thread dials when the one before has ended.
        bench.client.start()
        let again = try bench.driver.accept()
        #expect(try again.ask([0, 2]) == [0, 2, 0x90, 0x00])
    }

    @Test("a client that is let go of stops")
    func letGo() throws {
        let driver = try FakeDriver()
        var client: VirtualCardClient? = VirtualCardClient(card: EchoCard(), port: driver.port)
        client?.start()
        let link = try driver.accept()
        #expect(try link.ask(Self.atr) != nil)
        client = nil
        #expect(try link.receive() == nil)
    }

    @Test("a card that is taken out stays out until it is put back")
    func removeAndInsert() throws {
        let bench = try Bench()
        bench.link.send(Self.on)
        #expect(try bench.link.ask(Self.atr) != nil)
        bench.client.remove()
        #expect(try bench.link.receive() == nil)
        #expect(bench.client.state.lastLoss == .withdrawn)
        #expect(!bench.client.state.isInserted)
        #expect(!bench.client.waitUntilConnected(timeout: .milliseconds(250)))
        bench.client.insert()
        let again = try bench.driver.accept()
        #expect(try again.ask(Self.atr) != nil)
        #expect(bench.client.state.connectionCount == 2)
        #expect(bench.card.events == ["on", "off"])
    }

    @Test("a card that leaves by itself stays out until it is put back")
    func leaves() throws {
        let bench = try Bench { _ in CardAnswer([], ending: .removed) }
        #expect(try bench.link.ask([0, 0xA4]) == nil)
        #expect(bench.client.wait(timeout: .seconds(60)) { !$0.isInserted })
        #expect(bench.client.state.lastLoss == .cardLeft)
        bench.client.insert()
        #expect(try bench.driver.accept().ask(Self.atr) != nil)
    }

    @Test("a card that resets itself answers first and has lost its state after")
    func ownReset() throws {
        let bench = try Bench { CardAnswer($0 + [0x90, 0x00], ending: .resetAfterwards) }
        bench.link.send(Self.on)
        #expect(try bench.link.ask([0, 0xA4]) == [0, 0xA4, 0x90, 0x00])
        #expect(bench.card.events == ["on", "command", "off", "on"])
        #expect(bench.client.state.ownResetCount == 1)
        #expect(bench.client.powerOnCount == 1)
    }

    @Test("a mute card answers nothing, and the link lives until the driver gives up")
    func mute() throws {
        let bench = try Bench { $0[1] == 1 ? CardAnswer([], ending: .mute) : CardAnswer($0) }
        bench.link.send([0, 1])
        #expect(bench.client.wait(timeout: .seconds(60)) { $0.exchangeCount == 1 })
        // Nothing was sent for it: the next answer is that of the next command.
        #expect(try bench.link.ask([0, 2]) == [0, 2])
        bench.link.send([0, 1])
        bench.link.hangUp()
        #expect(try bench.driver.accept().ask(Self.atr) != nil)
    }

    @Test(
        "a card that is silent beyond the client's patience is taken off the link",
        arguments: [
            CardAnswer([], ending: .mute), CardAnswer([0x90, 0x00], time: .seconds(20)),
        ]
    )
    func patience(answer: CardAnswer) throws {
        let bench = try Bench(patience: .milliseconds(150)) { _ in answer }
        let begin = MonotonicTime.now
        #expect(try bench.link.ask([0, 1]) == nil)
        #expect(MonotonicTime.now - begin >= .milliseconds(140))
        #expect(bench.client.state.lastLoss == .silent)
    }

    @Test("holds answers back only when it paces", arguments: [true, false])
    func pace(paces: Bool) throws {
        // One that is not held back comes long before its time.
        let held = paces ? Duration.milliseconds(120) : .seconds(20)
        let bench = try Bench(paces: paces) { CardAnswer($0, time: held) }
        let begin = MonotonicTime.now
        #expect(try bench.link.ask([0, 1]) == [0, 1])
        let time = MonotonicTime.now - begin
        #expect(paces ? time >= held : time < held)
    }

    @Test("another card takes over the power, and the old one loses it")
    func replace() throws {
        let bench = try Bench()
        bench.link.send(Self.on)
        #expect(try bench.link.ask([0, 1]) == [0, 1, 0x90, 0x00])
        let other = EchoCard(atr: [0x3B, 0x00], answer: { _ in CardAnswer([0x6A, 0x82]) })
        bench.client.replace(card: other)
        #expect(!bench.card.isPowered && other.isPowered)
        #expect(try bench.link.ask([0, 1]) == [0x6A, 0x82])
        #expect(try bench.link.ask(Self.atr) == [0x3B, 0x00])
        let third = EchoCard()
        bench.link.send(Self.off)
        #expect(try bench.link.ask(Self.atr) != nil)
        bench.client.replace(card: third)
        #expect(third.events.isEmpty)
    }

    @Test("a card without an answer to reset cannot stay on the link")
    func noATR() throws {
        let driver = try FakeDriver()
        let client = VirtualCardClient(card: EchoCard(atr: []), port: driver.port)
        defer { client.stop() }
        client.start()
        #expect(try driver.accept().ask(Self.atr) == nil)
        #expect(client.wait(timeout: .seconds(60)) { $0.lastLoss == .emptyATR })
    }

    @Test("finds a driver that comes later")
    func comesLater() throws {
        // A port that was free a moment ago.
        let port = try FakeDriver().port
        let client = VirtualCardClient(card: EchoCard(), port: port)
        defer { client.stop() }
        client.start()
        #expect(!client.waitUntilConnected(timeout: .milliseconds(300)))
        let driver = try FakeDriver(port: port)
        let link = try driver.accept()
        #expect(try link.ask(Self.atr) != nil)
        #expect(client.waitUntilConnected(timeout: .seconds(60)))
    }
}
