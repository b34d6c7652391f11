// SPDX-License-Identifier: MIT

import NBTConstants

/// The communication interface parameters of a chip on I2C.
///
/// Source: GPC_SPE_172 §8 and annex for I2C, as the vendor's public C library reads them.
public struct T1PrimeParameters: Hashable, Sendable {
    /// Version of the structure.
    public var version: UInt8 = 1
    /// Issuer identification number, 3 or 4 bytes.
    public var issuer: [UInt8] = []
    /// Bits of the physical layer.
    public var configuration: UInt8 = 0
    /// Wake-up time of the power in milliseconds.
    public var powerWakeUpTime = T1PrimeByte.defaultPowerWakeUpTime
    /// Largest clock frequency in kHz.
    public var clockFrequency = 400
    /// Time until power saving in milliseconds.
    public var powerSavingTimeout = 0
    /// Pause between two polls in units of 100 microseconds.
    public var pollingPause = T1PrimeByte.defaultPollingPause
    /// Guard time between a read and the write that follows, in microseconds.
    public var guardTime = 10
    /// Waiting time for a block in milliseconds.
    public var blockWaitingTime = T1PrimeByte.defaultBlockWaitingTime
    /// The largest information field that the chip takes.
    public var informationSize = T1PrimeByte.defaultInformationSize
    /// Historical bytes.
    public var historicalBytes: [UInt8] = []

    /// The parameters before the chip told its own.
    public init() {}

    /// Reads the information field of the chip's answer.
    ///
    /// - Parameter bytes: Version, issuer with its length, physical layer with its identifier and length, data link
    ///   layer with its length, historical bytes with theirs.
    /// - Throws: ``T1PrimeError/wrongParameters(_:)``.
    public init(bytes: [UInt8]) throws(T1PrimeError) {
        var rest = bytes[...]
        func take(_ count: Int, _ what: String) throws(T1PrimeError) -> [UInt8] {
            guard count <= rest.count else { throw .wrongParameters("they end inside \(what)") }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        func field(_ what: String) throws(T1PrimeError) -> [UInt8] {
            let length = try take(1, "the length of \(what)")
            return try take(Int(length[0]), what)
        }
        version = try take(1, "the version")[0]
        issuer = try field("the issuer")
        guard (3...4).contains(issuer.count) else {
            throw .wrongParameters("the issuer has \(issuer.count) bytes, expected 3 or 4")
        }
        let layer = try take(1, "the physical layer")[0]
        guard layer == Self.i2c else { throw .wrongParameters("the physical layer is \(layer), 2 is I2C") }
        let physical = try field("the physical layer")
        guard physical.count >= 8 else {
            throw .wrongParameters("the physical layer has \(physical.count) bytes, expected 8")
        }
        configuration = physical[0]
        powerWakeUpTime = Int(physical[1])
        clockFrequency = Self.number(physical, at: 2)
        powerSavingTimeout = Int(physical[4])
        pollingPause = Int(physical[5])
        guardTime = Self.number(physical, at: 6)
        let link = try field("the data link layer")
        guard link.count >= 4 else {
            throw .wrongParameters("the data link layer has \(link.count) bytes, expected 4")
        }
        blockWaitingTime = Self.number(link, at: 0)
        informationSize = Self.number(link, at: 2)
        guard informationSize > 0 else { throw .wrongParameters("the information field has no size") }
        historicalBytes = try field("the historical bytes")
        guard rest.isEmpty else { throw .wrongParameters("\(rest.count) bytes follow the last field") }
    }

    private static let i2c: UInt8 = 0x02

    private static func number(_ bytes: [UInt8], at offset: Int) -> Int {
        Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }
}
