// SPDX-License-Identifier: MIT

import CardConnection
import FuzzInput
import Tangem
import TangemConstants

/// Answers of a wallet card: whole sessions of the host end with a result or with an error that has its sentence.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let choice = input.byte()
    let mode = input.byte()
    let clock = ModelClock()
    let connection = FuzzedCard.connection(answering: input.pieces(), clock: clock)
    var configuration = SessionConfiguration()
    // The same numbers each time, so that recorded answers of a card stay valid.
    configuration.randomBytes = { [UInt8](repeating: 0x5A, count: $0) }
    configuration.encryption = SessionEncryption(rawValue: mode & 3) ?? .none
    configuration.isLegacyMode = mode & 4 != 0
    configuration.handlesErrors = mode & 8 == 0
    configuration.attestation = mode & 16 == 0 ? .full : .none
    let sdk = TangemSDK(connection: connection, configuration: configuration, clock: clock)
    attempt { try work[Int(choice) % work.count](sdk) }
    return 0
}
