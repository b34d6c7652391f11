// SPDX-License-Identifier: MIT

public import NBTConstants

/// The phone's side of the vendor's asynchronous data transfer example: a byte in FILE_1 asks for the LED, a byte in
/// FILE_2 tells its state.
public struct DataTransferExample {
    /// A byte that asks for the LED, or tells its state.
    public struct LEDByte: RawRepresentable, Hashable, Sendable {
        /// The byte.
        public let rawValue: UInt8

        /// Makes it from any byte.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Lit.
        public static let on = LEDByte(rawValue: 0x01)
        /// Dark.
        public static let off = LEDByte(rawValue: 0x00)

        /// How the kit's firmware takes it: exactly `01` is lit.
        public var isLitForFirmware: Bool { self == .on }
        /// How the vendor's apps take it: anything but `00` is lit.
        public var isLitForApps: Bool { self != .off }
    }

    private let commands: NBTCommandSet

    /// Makes the example on a command set.
    public init(_ commands: NBTCommandSet) {
        self.commands = commands
    }

    /// Asks for the LED.
    ///
    /// The firmware looks when its button is pressed and no field is on.
    public func request(_ state: LEDByte) throws(NBTError) {
        try commands.selectApplication()
        try commands.update(.file1, data: [state.rawValue])
    }

    /// Reads the LED's state.
    ///
    /// - Parameter file: Where to look. The firmware tells in FILE_2; the vendor's iOS app reads FILE_1, which gives the
    ///   phone its own last request back.
    /// - Returns: The byte.
    /// - Throws: ``NBTError``.
    public func state(from file: NBTFile = .file2) throws(NBTError) -> LEDByte {
        try commands.selectApplication()
        guard let byte = try commands.read(file, length: 1).first else {
            throw .malformedAnswer(command: "READ BINARY", detail: "the LED's byte is missing")
        }
        return LEDByte(rawValue: byte)
    }
}
