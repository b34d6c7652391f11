// SPDX-License-Identifier: MIT

/// Keeps a list within a limit of bytes: the head and the tail stay, the middle goes.
enum HTMLExcerpt {
    /// Writes the pieces of a list that fit.
    ///
    /// - Parameters:
    ///   - count: Number of pieces.
    ///   - limit: The most bytes that all pieces take together.
    ///   - always: A piece that is written whatever its size is.
    ///   - split: Pieces from here on belong to the tail, and what lies between was never kept.
    ///   - html: Takes the pieces.
    ///   - piece: Makes a piece.
    ///   - gap: Writes what stands in place of some pieces: their number.
    static func write(
        count: Int,
        limit: Int,
        always: Int? = nil,
        split: (at: Int, missing: Int)? = nil,
        to html: inout HTMLText,
        piece: (Int) -> [UInt8],
        gap: (Int, inout HTMLText) -> Void
    ) {
        var chosen: [Int: [UInt8]] = [:]
        var room = limit
        if let always, always < count {
            let bytes = piece(always)
            chosen[always] = bytes
            room -= bytes.count
        }
        let headEnd = split?.at ?? count
        // Whole when it fits, else a good third for the head: the trouble is usually at the end.
        let first = fill(0..<headEnd, room: room, chosen: &chosen, piece: piece)
        let isWhole = first.next == headEnd && (split == nil || headEnd == count)
        if !isWhole {
            if first.next < headEnd || split != nil {
                room = trim(&chosen, to: room * 2 / 5, room: room, keeping: always)
            }
            let tailStart = split?.at ?? 0
            let tail = (tailStart..<count).reversed()
            for index in tail where chosen[index] == nil {
                let bytes = piece(index)
                guard bytes.count <= room else { break }
                chosen[index] = bytes
                room -= bytes.count
            }
        }
        var left = 0
        for index in 0..<count {
            if let split, index == split.at { left += split.missing }
            guard let bytes = chosen[index] else {
                left += 1
                continue
            }
            if left > 0 { gap(left, &html) }
            left = 0
            html.append(bytes)
        }
        if left > 0 { gap(left, &html) }
    }

    /// Takes pieces from the front until the room is used up.
    private static func fill(
        _ range: Range<Int>,
        room: Int,
        chosen: inout [Int: [UInt8]],
        piece: (Int) -> [UInt8]
    ) -> (next: Int, left: Int) {
        var room = room
        for index in range where chosen[index] == nil {
            let bytes = piece(index)
            guard bytes.count <= room else { return (index, room) }
            chosen[index] = bytes
            room -= bytes.count
        }
        return (range.upperBound, room)
    }

    /// Gives back pieces from the end of the head until it takes no more than its share.
    ///
    /// - Returns: The room that is left for the tail.
    private static func trim(
        _ chosen: inout [Int: [UInt8]],
        to share: Int,
        room: Int,
        keeping always: Int?
    ) -> Int {
        var used = 0
        for index in chosen.keys.sorted() where index != always {
            let size = chosen[index]?.count ?? 0
            guard used + size <= share else {
                chosen[index] = nil
                continue
            }
            used += size
        }
        return room - used
    }
}
