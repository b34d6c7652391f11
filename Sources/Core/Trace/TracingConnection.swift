// SPDX-License-Identifier: MIT

public import CardConnection
public import JSONText

/// A connection that writes down all that passes, with secrets masked.
public final class TracingConnection: Connection {
    /// What is masked; the runner sets the rules of the present step here.
    public var masks: SecretMask
    /// Where the lines go.
    public let writer: TraceWriter
    /// Keeps the exchanges for whoever judges them one by one; nil keeps none.
    public var log: WireLog?

    private let inner: any Connection
    private let clock: any RigClock
    private let origin: Duration
    private let namer: ([UInt8]) -> String?
    private let modelTime: () -> Duration?
    private var recent = RecentExchanges()
    private var assembled = AssembledData()
    /// What the rules have hidden of the present command and of the present answer.
    private var hiddenOfCommand: [[UInt8]] = []
    private var hiddenOfAnswer: [[UInt8]] = []
    /// How many hidden values of a step are kept.
    private static let hiddenLimit = 64

    /// What was hidden in whole answers since ``forgetHidden()``, by rules or as secrets, however short it is.
    public private(set) var hiddenValues: [[UInt8]] = []

    /// Wraps a connection; times count from now on.
    ///
    /// - Parameters:
    ///   - inner: The connection below.
    ///   - writer: Where the lines go.
    ///   - clock: The time of the run.
    ///   - origin: The clock's time at the start of the trace; nil is now.
    ///   - masks: What is masked.
    ///   - modelTime: The time that the emulator's model gave its last answer, where it is known beside the clock's.
    ///   - namer: The name of a command; what it does not know is named by the standard.
    public init(
        _ inner: any Connection,
        writer: TraceWriter,
        clock: any RigClock,
        origin: Duration? = nil,
        masks: SecretMask,
        modelTime: @escaping () -> Duration? = { nil },
        namer: @escaping ([UInt8]) -> String? = { _ in nil }
    ) {
        self.inner = inner
        self.writer = writer
        self.clock = clock
        self.origin = origin ?? clock.now
        self.masks = masks
        self.modelTime = modelTime
        self.namer = namer
    }

    /// The name of a command by the device, else by the standard.
    public func name(of command: [UInt8]) -> String? { namer(command) ?? CommandNames.name(of: command) }

    /// Facts of the connection below.
    public var facts: ConnectionFacts { inner.facts }

    /// Deadline of the connection below.
    public var exchangeDeadline: Duration {
        get { inner.exchangeDeadline }
        set { inner.exchangeDeadline = newValue }
    }

    /// Sends a command and writes down what came back.
    public func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        masks.learn(from: command)
        begin(command)
        let name = name(of: command)
        let start = clock.now
        let response: [UInt8]
        do {
            response = try inner.transmit(command)
        } catch {
            let duration = clock.now - start
            let hidden = masks.hiddenInCommand(command, part: assembled.commandPart)
            assembled = AssembledData()
            writer.fault(
                command: command,
                fault: masked(error),
                start: start - origin,
                duration: duration,
                name: name,
                hiddenInCommand: hidden
            )
            recent.add(command, hidden, .fault(error.kind.rawValue, detail: ""), duration)
            log?.add(command, nil, duration)
            throw error
        }
        let duration = clock.now - start
        assembled.end(response)
        let hiddenCommand = masks.hiddenInCommand(command, part: assembled.commandPart)
        let hiddenResponse = masks.hiddenInResponse(response, to: command, part: assembled.answerPart)
        noteHidden(in: response, to: command, hiddenResponse)
        writer.exchange(
            command: command,
            response: response,
            start: start - origin,
            duration: duration,
            model: modelTime(),
            name: name,
            hiddenInCommand: hiddenCommand,
            hiddenInResponse: hiddenResponse
        )
        recent.add(command, hiddenCommand, .response(TracedBytes(response, hidden: hiddenResponse)), duration)
        log?.add(command, response, duration)
        return response
    }

    /// What of a command that is about to be sent would be hidden; for those who tell of it if it never returns.
    public func hidden(inNext command: [UInt8]) -> [Range<Int>] {
        var (masks, assembled) = (masks, assembled)
        masks.learn(from: command)
        assembled.begin(command)
        return masks.hiddenInCommand(command, part: assembled.commandPart)
    }

    /// Begins to collect ``hiddenValues`` anew.
    public func forgetHidden() {
        if !hiddenValues.isEmpty { hiddenValues = [] }
    }

    /// Begins to count places of masks anew: what passes next belongs to a command that is sent by itself.
    public func beginCommand() {
        assembled.separate()
    }

    private func begin(_ command: [UInt8]) {
        assembled.begin(command)
        // The name that a SELECT carries is no secret: to hide it everywhere would make traces useless.
        guard !masks.rules.isEmpty, command.count > 5, command[1] != Self.select else { return }
        let isFirst = (assembled.commandPart ?? 0) == 0
        hiddenOfCommand = masks.noteHidden(
            in: assembled.command,
            isCut: assembled.isCommandCut,
            instead: isFirst ? [] : hiddenOfCommand
        )
    }

    private func noteHidden(in response: [UInt8], to command: [UInt8], _ ranges: [Range<Int>]) {
        guard !masks.rules.isEmpty || !ranges.isEmpty else { return }
        let isFirst = (assembled.answerPart ?? 0) == 0
        let isCut = assembled.isAnswerCut
        hiddenOfAnswer = masks.noteHidden(
            in: assembled.answer,
            isCut: isCut,
            instead: isFirst ? [] : hiddenOfAnswer
        )
        let whole = assembled.answer + response.suffix(2)
        for range in masks.hiddenInResponse(whole, to: command, part: isCut ? 0 : nil) {
            let value = Array(whole[range])
            guard !hiddenValues.contains(value) else { continue }
            if hiddenValues.count == Self.hiddenLimit { hiddenValues.removeFirst() }
            hiddenValues.append(value)
        }
    }

    /// Source: ISO/IEC 7816-4:2013 §11.1.1.
    private static let select: UInt8 = 0xA4

    /// Resets the card and writes it down.
    public func reset(_ kind: ResetKind) throws(TransportFault) {
        try recording("reset", [JSON.Member("kind", .string(kind.rawValue))]) { () throws(TransportFault) in
            try inner.reset(kind)
        }
    }

    /// Switches the field and writes it down.
    public func setField(_ state: FieldState) throws(TransportFault) {
        try recording("field", [JSON.Member("state", .string(state.rawValue))]) { () throws(TransportFault) in
            try inner.setField(state)
        }
    }

    /// Connects anew and writes it down.
    public func reconnect() throws(TransportFault) {
        try recording("reconnect", []) { () throws(TransportFault) in
            try inner.reconnect()
        }
    }

    /// Closes the connection below; the writer stays open.
    public func close() {
        inner.close()
    }

    /// Writes down something that the runner did to the card's surroundings.
    public func record(event name: String, fields: [JSON.Member] = []) {
        writer.event(name, fields: fields, time: clock.now - origin)
    }

    /// Writes down something that happened earlier, at a time of the run's clock.
    public func record(event name: String, fields: [JSON.Member] = [], at time: Duration) {
        writer.event(name, fields: fields, time: time - origin)
    }

    /// Writes down a remark, with secrets masked.
    public func note(_ text: String) {
        writer.note(masks.mask(text: text), time: clock.now - origin)
    }

    /// Label and title of the present step; empty between steps.
    public var step: String {
        get { writer.step }
        set { writer.step = newValue }
    }

    /// Number of exchanges so far, faults included.
    public var exchangeCount: Int { writer.exchangeCount }

    /// The first and last exchanges since the last call, as reports show them.
    public func takeSummaries() -> ExchangeExcerpts {
        recent.take()
    }

    private func recording(
        _ name: String,
        _ fields: [JSON.Member],
        _ body: () throws(TransportFault) -> Void
    ) throws(TransportFault) {
        let time = clock.now - origin
        // Whatever it was, no card goes on after it with half a command.
        assembled = AssembledData()
        do {
            try body()
        } catch {
            let fault = masked(error)
            let trouble = [
                JSON.Member("fault", .string(fault.kind.rawValue)),
                JSON.Member("detail", .string(fault.detail)),
            ]
            writer.event(name, fields: fields + trouble, time: time)
            throw error
        }
        writer.event(name, fields: fields, time: time)
    }

    private func masked(_ fault: TransportFault) -> TransportFault {
        TransportFault(
            fault.kind,
            masks.mask(text: fault.detail),
            hint: masks.mask(text: fault.hint),
            code: fault.code
        )
    }
}
