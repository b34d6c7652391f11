// SPDX-License-Identifier: MIT

import SmartCard

/// The phone's side of the vendor's pass-through example: an LED behind an application of the host.
public struct PassThroughExample {
    private let commands: NBTCommandSet

    /// Makes the example on a command set.
    public init(_ commands: NBTCommandSet) {
        self.commands = commands
    }

    /// Selects the host's application.
    ///
    /// - Parameter hasLe: Whether Le `00` is sent: the vendor's iOS app does, its Android app does not.
    /// - Throws: ``NBTError``.
    public func select(hasLe: Bool = true) throws(NBTError) {
        try commands.perform(try NBTCommandBuilder.selectPassThroughExample(hasLe: hasLe))
    }

    /// Switches the LED; the application must be selected.
    public func setLED(on isOn: Bool) throws(NBTError) {
        try commands.perform(try NBTCommandBuilder.passThroughLED(on: isOn))
    }
}
