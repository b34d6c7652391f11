// SPDX-License-Identifier: MIT

import NBTConstants
public import SmartCard

extension NBTCommandBuilder {
    /// FETCH DATA of the pass-through, which the host sends over I2C.
    public static func fetchData() throws(NBTError) -> CommandAPDU {
        try build(cla: NBTInstruction.passThroughClass, ins: NBTInstruction.fetchData)
    }

    /// PUT RESPONSE of the pass-through, which the host sends over I2C.
    ///
    /// The frame is none of ISO/IEC 7816: a reserved byte and a length of two bytes follow the instruction.
    /// - Parameter response: What the phone gets.
    /// - Returns: The frame.
    /// - Throws: ``NBTError/argument(_:)`` when it is longer than its length field can say.
    public static func putResponse(_ response: ResponseAPDU) throws(NBTError) -> [UInt8] {
        let bytes = response.bytes
        guard let count = UInt16(exactly: bytes.count) else {
            throw .argument("a response of \(bytes.count) bytes is longer than PUT RESPONSE can say")
        }
        return [
            NBTInstruction.passThroughClass, NBTInstruction.putResponse, 0,
            UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count),
        ] + bytes
    }

    /// The command of the vendor's pass-through example that switches the LED; its application must be selected.
    public static func passThroughLED(on isOn: Bool) throws(NBTError) -> CommandAPDU {
        try build(ins: 0x00, p2: isOn ? 0x01 : 0x00)
    }

    /// SELECT of the application that the vendor's pass-through example answers for.
    ///
    /// - Parameter hasLe: Whether Le `00` is sent: the vendor's iOS app does, its Android app does not.
    /// - Returns: The command.
    /// - Throws: ``NBTError/argument(_:)`` never for these arguments.
    public static func selectPassThroughExample(hasLe: Bool = true) throws(NBTError) -> CommandAPDU {
        try build(
            ins: NBTInstruction.select,
            p1: NBTInstruction.selectByName,
            data: NBTApplication.passThroughExample,
            ne: hasLe ? CommandAPDU.shortNeLimit : 0
        )
    }
}
