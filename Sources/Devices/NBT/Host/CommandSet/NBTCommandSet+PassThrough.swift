// SPDX-License-Identifier: MIT

import NBTConstants
public import SmartCard

extension NBTCommandSet {
    /// Asks, from the host's side over I2C, what the phone did.
    ///
    /// - Returns: The status and, where one waits, the phone's command.
    /// - Throws: ``NBTError``.
    public func fetchData() throws(NBTError) -> PassThroughRequest {
        try NBTResponseParser.passThroughRequest(try perform(try NBTCommandBuilder.fetchData()))
    }

    /// Answers the phone, from the host's side over I2C.
    ///
    /// - Parameter response: What the phone gets.
    /// - Throws: ``NBTError``; the chip refuses it when no command was fetched before.
    public func putResponse(_ response: ResponseAPDU) throws(NBTError) {
        let answer = try send(bytes: try NBTCommandBuilder.putResponse(response))
        guard answer.sw == .success else {
            throw .unexpectedStatus(
                NBTError.UnexpectedStatus(
                    command: "PUT RESPONSE",
                    sw: answer.sw,
                    meaning: NBTStatusMeaning.text(
                        answer.sw,
                        cla: NBTInstruction.passThroughClass,
                        ins: NBTInstruction.putResponse
                    )
                )
            )
        }
    }
}
