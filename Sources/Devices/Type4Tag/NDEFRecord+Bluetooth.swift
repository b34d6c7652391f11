// SPDX-License-Identifier: MIT

extension NDEFRecord {
    /// What a phone needs to pair over Bluetooth, out of band.
    ///
    /// Source: NFC Forum, Bluetooth Secure Simple Pairing Using NFC 1.2 §4; Bluetooth Core Specification Supplement,
    /// part A §1, for the data types.
    public struct Bluetooth: Hashable, Sendable {
        /// Which Bluetooth it is about.
        public enum Transport: String, Hashable, Sendable, CaseIterable {
            /// Basic rate: a length and the address stand before the data types.
            case classic = "application/vnd.bluetooth.ep.oob"
            /// Low energy: the address is a data type of its own.
            case lowEnergy = "application/vnd.bluetooth.le.oob"
        }

        /// One data type with its value.
        public struct Field: Hashable, Sendable {
            /// The type, for example ``completeName``.
            public let type: UInt8
            /// The value, at most 254 bytes.
            public let value: [UInt8]

            /// Makes a field.
            public init(_ type: UInt8, _ value: [UInt8]) {
                self.type = type
                self.value = value
            }
        }

        /// Data type of the complete local name.
        public static let completeName: UInt8 = 0x09
        /// Data type of the address of a low energy device: six bytes, and one of kind.
        public static let lowEnergyAddress: UInt8 = 0x1B
        /// Data type of the role of a low energy device.
        public static let lowEnergyRole: UInt8 = 0x1C
        /// Data type of the confirmation value of LE secure connections, 16 bytes.
        public static let confirmation: UInt8 = 0x22
        /// Data type of the random value of LE secure connections, 16 bytes.
        public static let random: UInt8 = 0x23

        /// Which Bluetooth it is about.
        public let transport: Transport
        /// The address as it stands in the record, six bytes, by the standard the last one first.
        public let address: [UInt8]
        /// The data types, without the address.
        public let fields: [Field]

        /// Makes the content of a record.
        ///
        /// - Parameters:
        ///   - transport: Which Bluetooth it is about.
        ///   - address: Six bytes in the order of the record.
        ///   - fields: The data types, without the address.
        public init(transport: Transport, address: [UInt8], fields: [Field]) {
            self.transport = transport
            self.address = address
            self.fields = fields
        }

        /// The first value of a data type; nil when it is absent.
        public func value(of type: UInt8) -> [UInt8]? { fields.first { $0.type == type }?.value }

        /// The local name; nil when it is absent or no UTF-8.
        public var name: String? {
            value(of: Self.completeName).flatMap { String(validating: $0, as: UTF8.self) }
        }
    }

    /// Makes a record for pairing over Bluetooth.
    ///
    /// - Parameter content: What a phone needs.
    /// - Returns: The record.
    /// - Throws: ``NDEFError`` when the address has not six bytes, or a field is too long.
    public static func bluetooth(_ content: Bluetooth) throws(NDEFError) -> NDEFRecord {
        guard content.address.count == addressSize else {
            throw .fieldTooLong("Bluetooth address", count: content.address.count)
        }
        var data: [UInt8] = []
        if content.transport == .lowEnergy {
            // The kind of the address is that of a public one.
            data += [UInt8(addressSize + 2), Bluetooth.lowEnergyAddress] + content.address + [0x00]
        }
        for field in content.fields {
            guard field.value.count < 0xFF else {
                throw .fieldTooLong("Bluetooth data type", count: field.value.count)
            }
            data += [UInt8(field.value.count + 1), field.type] + field.value
        }
        if content.transport == .classic {
            let length = 2 + addressSize + data.count
            guard length <= 0xFFFF else { throw .fieldTooLong("Bluetooth data", count: length) }
            data = [UInt8(length & 0xFF), UInt8(length >> 8)] + content.address + data
        }
        return try media(content.transport.rawValue, payload: data)
    }

    /// What a record for pairing over Bluetooth holds; nil when this is none, or its fields do not fill it.
    public var bluetooth: Bluetooth? {
        guard format == .media, let text = String(validating: type, as: UTF8.self),
            let transport = Bluetooth.Transport(rawValue: text)
        else { return nil }
        var rest = payload[...]
        var address: [UInt8] = []
        if transport == .classic {
            let head = 2 + Self.addressSize
            guard rest.count >= head, Int(payload[0]) | Int(payload[1]) << 8 == payload.count else {
                return nil
            }
            address = Array(payload[2..<head])
            rest = rest.dropFirst(head)
        }
        var fields: [Bluetooth.Field] = []
        while let length = rest.popFirst() {
            guard length > 0, Int(length) <= rest.count else { return nil }
            let field = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
            if transport == .lowEnergy, field[0] == Bluetooth.lowEnergyAddress, address.isEmpty {
                guard field.count == Self.addressSize + 2 else { return nil }
                address = Array(field[1...Self.addressSize])
            } else {
                fields.append(Bluetooth.Field(field[0], Array(field.dropFirst())))
            }
        }
        guard address.count == Self.addressSize else { return nil }
        return Bluetooth(transport: transport, address: address, fields: fields)
    }

    private static let addressSize = 6
}
