// SPDX-License-Identifier: MIT

import CardConnection

/// Waits for a reader, and for a card in it, in one blocking call of the service at a time.
struct ReaderWatch {
    /// While no reader fits, the list is read again this often: a reader that comes between reading the list and
    /// waiting would not wake the wait.
    private static let listInterval = Duration.seconds(2)

    let context: PCSCContext
    let selector: ReaderSelector

    /// The reader that fits, once it holds a card.
    ///
    /// - Parameter timeout: How long to wait at most; zero looks once.
    /// - Returns: The reader's state.
    /// - Throws: A fault that says what was missing when the time was over.
    func waitForCard(timeout: Duration) throws(TransportFault) -> ReaderStatus {
        try wait(timeout: timeout) { status in
            guard !status.isPresent else { return nil }
            let error = PCSCError(call: "SCardGetStatusChange", code: 0x8010_000C, reader: status.name).fault
            guard timeout > .zero else { return error }
            return TransportFault(
                .noCard,
                "no card in the reader '\(status.name)' after \(timeout.rounded)",
                hint: error.hint,
                code: error.code
            )
        }
    }

    /// Waits until the reader holds no card.
    ///
    /// - Throws: A `control` fault when the card was still there at the end of the time.
    func waitForNoCard(timeout: Duration) throws(TransportFault) {
        _ = try wait(timeout: timeout) { status in
            guard status.isPresent else { return nil }
            return TransportFault(
                .control,
                "the card is still in the reader '\(status.name)' after \(timeout.rounded)",
                hint: "the reader did not switch its field off, or did not notice"
            )
        }
    }

    /// Looks at the readers, again each time that one of them changes, until one fits and is as wanted.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait at most.
    ///   - missing: What a reader lacks; nil when it is as wanted.
    /// - Returns: The reader's state.
    /// - Throws: What was missing when the time was over.
    private func wait(
        timeout: Duration,
        missing: (ReaderStatus) -> TransportFault?
    ) throws(TransportFault) -> ReaderStatus {
        let clock = SystemClock()
        let end = clock.now + timeout
        while true {
            let statuses = try look()
            var watched = statuses
            var limit = Self.listInterval
            let fault: TransportFault
            switch Result(catching: { () throws(ReaderSelectionError) in try choose(from: statuses) }) {
            case .success(let status):
                guard let lack = missing(status) else { return status }
                fault = lack
                watched = [status]
                limit = timeout
            case .failure(let error):
                fault = error.fault
            }
            let left = end - clock.now
            guard left > .zero else { throw fault }
            watched.append(ReaderStatus(name: ReaderStatus.plugAndPlay))
            do {
                _ = try context.statuses(after: watched, timeout: min(left, limit))
            } catch {
                throw error.faultOnHost()
            }
        }
    }

    private func look() throws(TransportFault) -> [ReaderStatus] {
        do {
            return try context.statuses(of: context.readerNames()).filter { !$0.isUnknown }
        } catch {
            throw error.faultOnHost()
        }
    }

    private func choose(from statuses: [ReaderStatus]) throws(ReaderSelectionError) -> ReaderStatus {
        let details = selector.needsDetails ? context : nil
        let chosen = try selector.choose(from: statuses.map { ReaderList.info(of: $0, in: details) })
        // The chosen entry was made from one of them.
        return statuses.first { $0.name == chosen.name.text } ?? ReaderStatus(name: chosen.name.text)
    }
}

extension Duration {
    /// The time in whole milliseconds, or in seconds where that is exact, for example `1 s`.
    var rounded: String {
        let milliseconds = Int((self / .milliseconds(1)).rounded())
        return milliseconds.isMultiple(of: 1000) && milliseconds > 0
            ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
