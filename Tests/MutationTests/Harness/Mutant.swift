// SPDX-License-Identifier: MIT

import CardConnection
import Routes
import Runner

/// An emulated device with one fault, which a scenario has to notice.
///
/// The product knows nothing of it: a fault is another value of a policy that the emulator has anyway, or a card
/// around the card that changes what goes in and out.
struct Mutant: Sendable {
    /// A short name, unique within its device.
    let name: String
    /// What the device does wrong, in words.
    let fault: String
    /// The scenario files that may notice it, the likeliest first, relative to the folder of the scenarios.
    let files: [String]
    /// Changes what a case wants of its device.
    var settle: @Sendable (inout DeviceSetup) -> Void = { _ in }
    /// Puts a card with the fault in the place of the device's own.
    var card: @Sendable (EmulatorCatalog.Device) -> any Card = { $0.card }
    /// Makes the whole device; nil makes it as the program does.
    var device: (@Sendable (DeviceSetup, any RigClock) throws(TransportFault) -> EmulatorCatalog.Device)?
}
