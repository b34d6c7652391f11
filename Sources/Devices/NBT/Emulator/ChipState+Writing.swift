// SPDX-License-Identifier: MIT

import NBTConstants

extension ChipState {
    /// How much of a write arrives in the memory.
    struct Arrival {
        let count: Int
        let isCut: Bool
    }

    /// Lets a write of so many bytes happen, or loses the field in it.
    ///
    /// What is no plain file content is written whole or not at all: half a policy record would leave a file without
    /// rules. A chip that the kit supplies ends its write although the field, and with it the answer, is gone.
    mutating func arrival(of count: Int, isWhole: Bool, on face: ChipInterface) -> Arrival {
        guard face == .nfc, let limit = cutAfterBytes else { return Arrival(count: count, isCut: false) }
        setPower(false, of: .nfc)
        guard settings.isSuppliedByField else { return Arrival(count: count, isCut: true) }
        return Arrival(count: isWhole && limit < count ? 0 : min(limit, count), isCut: true)
    }

    /// Stores bytes in a file.
    mutating func write(
        _ data: [UInt8],
        to file: NBTFile,
        at start: Int,
        on face: ChipInterface
    ) -> ChipReply {
        let arrival = arrival(of: data.count, isWhole: file == .accessPolicy, on: face)
        memory.files[file]?.replaceSubrange(start..<start + arrival.count, with: data.prefix(arrival.count))
        return ChipReply(written: arrival.count, isCut: arrival.isCut)
    }

    /// Changes the memory by something that is no file content, as a whole or not at all.
    mutating func commit(
        _ count: Int,
        on face: ChipInterface,
        _ change: (inout ChipMemory) -> Void
    ) -> ChipReply {
        let arrival = arrival(of: count, isWhole: true, on: face)
        if arrival.count == count { change(&memory) }
        return ChipReply(written: arrival.count, isCut: arrival.isCut)
    }
}
