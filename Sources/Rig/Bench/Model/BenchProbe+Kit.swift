// SPDX-License-Identifier: MIT

import DebugProbe
public import DevKit

extension BenchProbe {
    /// The kind of a debug probe that speaks CMSIS-DAP.
    public static let debugProbe = "cmsis-dap"

    /// The keys that such a probe may have.
    static let debugProbeKeys = [
        "kind", "serial", "address", "board", "uart", "speed", "led", "led-lit", "button",
    ]

    /// How the kit behind the probe is reached; nil for a probe of another kind, or one whose settings are wrong.
    public var kitSetup: KitSetup? {
        guard kind == Self.debugProbe else { return nil }
        let read = readKit()
        return read.complaints.isEmpty ? read.setup : nil
    }

    /// Reads the settings; a board that is not known is described by `led`, `led-lit` and `button`.
    func readKit() -> (setup: KitSetup, complaints: [(key: String, text: String)]) {
        var setup = KitSetup(probe: .usb(serial: serial))
        var complaints: [(key: String, text: String)] = []
        if let address = settings["address"] {
            do throws(ProbeError) {
                setup.probe = try ProbeAddress(address)
                if serial != nil {
                    complaints.append(
                        ("address", "'address' and 'serial' both name the probe; leave one out")
                    )
                }
            } catch {
                complaints.append(("address", "\(error)"))
            }
        }
        if let board {
            if let known = BoardProfile.named(board) {
                setup.board = known
            } else if settings["led"] != nil, settings["button"] != nil {
                setup.board.name = board
                setup.board.otherLEDs = [:]
                setup.board.debugPortIdentity = nil
            } else {
                let known = BoardProfile.known.map(\.name).joined(separator: ", ")
                complaints.append(
                    (
                        "board",
                        "the board '\(board)' is not known; there are \(known), or describe it with "
                            + "led: P13.7, led-lit: low, button: P0.4"
                    )
                )
            }
        }
        readPins(into: &setup, &complaints)
        readUART(into: &setup, &complaints)
        return (setup, complaints)
    }

    private func readPins(into setup: inout KitSetup, _ complaints: inout [(key: String, text: String)]) {
        for key in ["led", "button"] {
            guard let text = settings[key] else { continue }
            guard let pin = GPIOPin(text) else {
                complaints.append((key, "'\(text)' is no pin; write it as P13.7"))
                continue
            }
            if key == "led" { setup.board.led.pin = pin } else { setup.board.button = pin }
        }
        switch settings["led-lit"] {
        case nil: break
        case "low": setup.board.led.isLitLow = true
        case "high": setup.board.led.isLitLow = false
        case let text?:
            complaints.append(("led-lit", "'\(text)' is no level that lights a LED; write low or high"))
        }
    }

    private func readUART(into setup: inout KitSetup, _ complaints: inout [(key: String, text: String)]) {
        switch settings["uart"] {
        case nil: break
        case "none": setup.uart = .none
        case "probe": setup.uart = .ofProbe
        case let path? where path.hasPrefix("/"): setup.uart = .path(path)
        case let text?:
            complaints.append(
                ("uart", "'\(text)' is no serial device; write a path such as /dev/ttyACM0, probe or none")
            )
        }
        guard let text = settings["speed"] else { return }
        guard let speed = Int(text), UARTLog.speeds.contains(speed) else {
            let known = UARTLog.speeds.map(String.init).joined(separator: ", ")
            complaints.append(("speed", "'\(text)' is no speed of a serial device; there are \(known)"))
            return
        }
        setup.board.uartSpeed = speed
    }
}
