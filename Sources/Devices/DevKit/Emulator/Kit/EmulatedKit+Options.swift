// SPDX-License-Identifier: MIT

public import CardConnection

extension EmulatedKit {
    /// The settings that ``init(i2c:clock:options:name:)`` takes.
    public static let options: [EmulatorOption] = [
        EmulatorOption(
            "led",
            .choice(["normal", "stuck-lit", "stuck-dark", "blinking"]),
            default: "normal",
            "whether the LED does what the firmware commands"
        ),
        EmulatorOption(
            "button",
            .choice(["normal", "dead"]),
            default: "normal",
            "whether the button reaches the firmware"
        ),
        EmulatorOption(
            "firmware-loop",
            .choice(["adt", "pass-through", "handover", "off"]),
            default: "adt",
            "which firmware runs on the board; beside a state or a configuration that it would undo: that of the state, or off"
        ),
        EmulatorOption(
            "firmware-latency",
            .duration,
            default: "25ms",
            "time from the press of the button to the change of the LED"
        ),
        EmulatorOption(
            "boot-time",
            .duration,
            default: "50ms",
            "time from the end of a reset to the start of the firmware"
        ),
        EmulatorOption(
            "board",
            .choice(EmulatedBoard.all.map(\.name)),
            default: EmulatedBoard.prototyping.name,
            "which host board carries the chip"
        ),
        EmulatorOption(
            "led-polarity",
            .choice(["low", "high"]),
            default: "low",
            "level of the pin at which the LED lights"
        ),
        EmulatorOption(
            "led-pin",
            .choice(["gpio", "given-away"]),
            default: "gpio",
            "whether the LED's pin follows the output register or a timer"
        ),
        EmulatorOption(
            "led-input-buffer",
            .choice(["off", "on"]),
            default: "off",
            "whether the LED's pin can be read back"
        ),
        EmulatorOption(
            "led-blink",
            .duration,
            default: "10ms",
            "time between two changes of a blinking LED"
        ),
    ]

    /// Reads what is wrong with the board from the options.
    static func faults(_ values: EmulatorOptionValues) -> BoardFaults {
        let led: BoardFaults.LED =
            switch values.text("led") {
            case "stuck-lit": .stuckLit
            case "stuck-dark": .stuckDark
            case "blinking": .blinking(values.duration("led-blink"))
            default: .normal
            }
        return BoardFaults(
            led: led,
            isLEDActiveHigh: values.text("led-polarity") == "high",
            isLEDGivenAway: values.text("led-pin") == "given-away",
            hasLEDInputBuffer: values.text("led-input-buffer") == "on",
            isButtonDead: values.text("button") == "dead"
        )
    }

    /// The firmware that the options name.
    static func firmware(_ values: EmulatorOptionValues, chip: any Card) -> any BoardFirmware {
        switch values.text("firmware-loop") {
        case "adt": TransferFirmware(chip: ChipBus(chip))
        case "pass-through": PassThroughFirmware(chip: ChipBus(chip))
        case "handover": HandoverFirmware(chip: ChipBus(chip))
        default: IdleFirmware()
        }
    }
}
