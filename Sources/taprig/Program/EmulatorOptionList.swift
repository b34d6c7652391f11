// SPDX-License-Identifier: MIT

import CardConnection
import Routes

/// What the help of `taprig emulate DEVICE` says of the device's own options.
struct EmulatorOptionList {
    private let device: String
    private let options: [EmulatorOption]

    /// Looks whether help was asked for with a device's word, as in `taprig emulate nbt --help`.
    init?(helpAsked arguments: [String]) {
        guard arguments.first == "emulate",
            let device = arguments.first(where: { EmulateCommand.targets[$0] != nil }),
            let target = EmulateCommand.targets[device]
        else { return nil }
        self.device = device
        options = EmulatorCatalog.options(of: target)
    }

    /// A heading, then name, values, effect and default of each.
    var text: String {
        let lines = options.map { option in
            let preset = option.defaultText.isEmpty ? "" : " (\(option.defaultText))"
            return "  \(option.name)=\(option.values)\n      \(option.summary)\(preset)\n"
        }
        return "\nOptions of \(device), for --option NAME=VALUE:\n" + lines.joined()
    }
}

extension EmulatorOption {
    /// Name, values, default and summary on one line.
    var line: String {
        "\(name)=\(values)  \(summary)" + (defaultText.isEmpty ? "" : " (\(defaultText))")
    }

    /// What may stand behind the equals sign.
    fileprivate var values: String {
        switch kind {
        case .choice(let words): words.joined(separator: "|")
        case .number(let range): "\(range.lowerBound)..\(range.upperBound)"
        case .duration: "time"
        case .hex: "hex"
        case .file: "file"
        }
    }
}
