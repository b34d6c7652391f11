// SPDX-License-Identifier: MIT

import CardConnection

extension ProbeState {
    /// Bits of a request byte of DAP_Transfer beside the register.
    private enum RequestBit {
        static let matchValue: UInt8 = 0x10
        static let matchMask: UInt8 = 0x20
    }

    /// Response byte of a value that did not match.
    private static let mismatch: UInt8 = 0x10

    /// What a list of transfers has come to so far.
    private struct Progress {
        var done = 0
        var response = WireAnswer.Acknowledge.ok.rawValue
        var words: [UInt8] = []
        /// An access-port read is on its way; its word comes with the next read.
        var hasPostedRead = false
        /// The last transfer was a write, whose error shows only at the next one.
        var hasUncheckedWrite = false

        var isGood: Bool { response == WireAnswer.Acknowledge.ok.rawValue }
    }

    /// DAP_Transfer: a list of single transfers.
    mutating func transfer(
        _ reader: inout PacketReader,
        isConnected: Bool
    ) throws(PacketReader.EndOfPacket) -> [UInt8] {
        _ = try reader.byte()
        let count = try reader.byte()
        var progress = Progress()
        _ = abort.take()
        var isOver = !isConnected
        for _ in 0..<count {
            let bits = try reader.byte()
            let hasWord = bits & 2 == 0 || bits & RequestBit.matchValue != 0
            // Requests behind a failure are read and dropped.
            let word = hasWord ? try reader.word() : 0
            guard !isOver else { continue }
            one(bits, word, &progress)
            isOver = !progress.isGood || abort.take()
            if progress.isGood { progress.done += 1 }
        }
        guard isConnected, count > 0 else { return [0, 0] }
        finish(&progress)
        return [UInt8(clamping: progress.done), progress.response] + progress.words
    }

    /// DAP_TransferBlock: one register, many words.
    mutating func transferBlock(
        _ reader: inout PacketReader,
        isConnected: Bool
    ) throws(PacketReader.EndOfPacket) -> [UInt8] {
        _ = try reader.byte()
        let count = try reader.half()
        // Without a transfer there is no request byte.
        let bits = count > 0 ? try reader.byte() : 0
        var words: [UInt32] = []
        if bits & 2 == 0 {
            for _ in 0..<count { words.append(try reader.word()) }
        }
        guard isConnected, count > 0 else { return [0, 0, 0] }
        var progress = Progress()
        _ = abort.take()
        for index in 0..<Int(count) {
            one(bits & 0x0F, words.isEmpty ? 0 : words[index], &progress)
            guard progress.isGood else { break }
            progress.done += 1
            guard !abort.take(), progress.words.count < settings.packetSize else { break }
        }
        finish(&progress)
        var answer: [UInt8] = []
        answer.add(UInt16(clamping: progress.done))
        return answer + [progress.response] + progress.words
    }

    /// Carries out a transfer of a list.
    private mutating func one(_ bits: UInt8, _ word: UInt32, _ progress: inout Progress) {
        let request = WireRequest(bits: bits & 0x0F)
        let isPosted = request.isRead && request.isAccessPort && bits & RequestBit.matchValue == 0
        if progress.hasPostedRead, !isPosted {
            guard fetchPosted(&progress) else { return }
        }
        if !request.isRead {
            if bits & RequestBit.matchMask != 0 {
                matchMask = word
            } else {
                let answer = patiently(request, word)
                progress.response = answer.acknowledge.rawValue
                progress.hasUncheckedWrite = true
            }
            return
        }
        progress.hasUncheckedWrite = false
        if bits & RequestBit.matchValue != 0 {
            match(word, request, &progress)
            return
        }
        let answer = patiently(request, 0)
        progress.response = answer.acknowledge.rawValue
        guard progress.isGood else {
            // The error is the one of the read before, whose word is lost with it.
            if progress.hasPostedRead { loseLast(&progress) }
            return
        }
        if !isPosted || progress.hasPostedRead { progress.words.add(answer.word) }
        progress.hasPostedRead = isPosted
    }

    /// Gets the word of the read that is on its way.
    ///
    /// - Returns: False when the read has failed.
    private mutating func fetchPosted(_ progress: inout Progress) -> Bool {
        let answer = patiently(.readBuffer, 0)
        progress.response = answer.acknowledge.rawValue
        progress.hasPostedRead = false
        guard progress.isGood else {
            loseLast(&progress)
            return false
        }
        progress.words.add(answer.word)
        return true
    }

    /// The transfer that was counted last has failed after all.
    private func loseLast(_ progress: inout Progress) {
        if !settings.countsLateErrors { progress.done -= 1 }
        progress.hasPostedRead = false
        progress.hasUncheckedWrite = false
    }

    /// Gets the last word, or makes sure of the last write.
    private mutating func finish(_ progress: inout Progress) {
        if progress.isGood {
            if progress.hasPostedRead {
                _ = fetchPosted(&progress)
            } else if progress.hasUncheckedWrite {
                progress.response = patiently(.readBuffer, 0).acknowledge.rawValue
                if !progress.isGood { loseLast(&progress) }
            }
        }
        if !kit.clock.isVirtual { wires.forgetTime() }
    }

    /// Reads until the value is there, or the retries are used up.
    private mutating func match(_ value: UInt32, _ request: WireRequest, _ progress: inout Progress) {
        var retries = matchRetries
        if request.isAccessPort {
            progress.response = patiently(request, 0).acknowledge.rawValue
            guard progress.isGood else { return }
        }
        while true {
            let answer = patiently(request, 0)
            progress.response = answer.acknowledge.rawValue
            guard progress.isGood else { return }
            if answer.word & matchMask == value { return }
            guard retries > 0, !abort.take() else { break }
            retries -= 1
            // On a real clock the retries last as long as they would on the wires.
            wires.catchUp(atLeast: .milliseconds(1))
        }
        progress.response |= Self.mismatch
    }

    /// Sends a request again as long as it is answered by WAIT and retries are left.
    private mutating func patiently(_ request: WireRequest, _ word: UInt32) -> WireAnswer {
        var retries = waitRetries
        while true {
            let answer = wires.transfer(request, word)
            guard answer.acknowledge == .wait, retries > 0, !abort.take() else { return answer }
            retries -= 1
        }
    }
}
