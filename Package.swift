// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// Settings of every Swift target: Swift 6 mode, explicit imports, and no warning left standing.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A Swift module in a room of the house (the folder under `Sources/`).
func module(_ name: String, in room: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(room)", swiftSettings: settings)
}

/// The tests of one module, with the fixtures that they read.
func tests(_ name: String, uses dependencies: [Target.Dependency] = [], fixtures: Bool = false) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.target(name: name)] + dependencies,
        path: "Tests/\(name)Tests",
        resources: fixtures ? [.copy("Fixtures")] : [],
        swiftSettings: settings
    )
}

/// A fuzz target, built only when FUZZ is set: `ci/fuzz`.
func fuzz(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: "Fuzz\(name)",
        dependencies: ["FuzzInput"] + dependencies,
        path: "Fuzz/\(name)",
        exclude: ["Corpus"],
        // The fuzzer brings the main function.
        swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]
    )
}

let package = Package(
    name: "TapRig",
    products: [
        .executable(name: "taprig", targets: ["taprig"]),
        .library(name: "SmartCard", targets: ["SmartCard"]),
        .library(name: "NBT", targets: ["NBT"]),
        .library(name: "Tangem", targets: ["Tangem"]),
    ],
    targets: [
        // System: the only importers of C libraries.
        .systemLibrary(
            name: "CPCSC",
            path: "Sources/System/CPCSC",
            pkgConfig: "libpcsclite",
            providers: [.apt(["libpcsclite-dev"])]
        ),
        .systemLibrary(
            name: "CYAML",
            path: "Sources/System/CYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"])]
        ),
        .systemLibrary(
            name: "CPCRE2",
            path: "Sources/System/CPCRE2",
            pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"])]
        ),
        .systemLibrary(
            name: "CCrypto",
            path: "Sources/System/CCrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CSecp256k1",
            path: "Sources/System/CSecp256k1",
            pkgConfig: "libsecp256k1",
            providers: [.apt(["libsecp256k1-dev"])]
        ),
        .systemLibrary(
            name: "CEdit",
            path: "Sources/System/CEdit",
            pkgConfig: "libedit",
            providers: [.apt(["libedit-dev"])]
        ),
        .systemLibrary(
            name: "CUSB",
            path: "Sources/System/CUSB",
            pkgConfig: "libusb-1.0",
            providers: [.apt(["libusb-1.0-0-dev"])]
        ),
        module("USB", in: "System/USB", uses: ["CUSB", "HostSystem"]),
        module("LineEditor", in: "System/LineEditor", uses: ["CEdit"]),
        module("Cryptography", in: "System/Cryptography", uses: ["CCrypto", "CSecp256k1"]),
        module("HostSystem", in: "System/HostSystem"),
        module("Wording", in: "System/Wording"),
        module("JSONText", in: "System/JSONText"),

        // Core: the words of the standard, the waist, the record of what was said.
        module("SmartCard", in: "Core/SmartCard"),
        module("ForeignScript", in: "Core/ForeignScript", uses: ["SmartCard"]),
        module("CardConnection", in: "Core/CardConnection", uses: ["SmartCard", "HostSystem", "JSONText"]),
        module(
            "Trace",
            in: "Core/Trace",
            uses: ["SmartCard", "CardConnection", "Cryptography", "HostSystem", "JSONText"]
        ),

        // Readers: ways to a card.
        module("PCSC", in: "Readers/PCSC", uses: ["CPCSC", "SmartCard", "CardConnection", "HostSystem"]),
        module(
            "VirtualReader",
            in: "Readers/VirtualReader",
            uses: ["SmartCard", "CardConnection", "HostSystem"]
        ),

        // Devices: host command libraries and emulators, which share constants and nothing else.
        module("NBTConstants", in: "Devices/NBT/Constants", uses: ["SmartCard"]),
        module("Type4Tag", in: "Devices/Type4Tag", uses: ["SmartCard", "CardConnection"]),
        module(
            "NBT",
            in: "Devices/NBT/Host",
            uses: ["NBTConstants", "Type4Tag", "SmartCard", "CardConnection", "Cryptography"]
        ),
        module(
            "NBTEmulator",
            in: "Devices/NBT/Emulator",
            uses: ["NBTConstants", "SmartCard", "CardConnection", "Cryptography", "JSONText", "HostSystem"]
        ),
        module("DebugProbe", in: "Devices/DevKit/Probe", uses: ["USB", "HostSystem", "CardConnection"]),
        module(
            "DevKit",
            in: "Devices/DevKit/Host",
            uses: ["DebugProbe", "SmartCard", "CardConnection", "HostSystem"]
        ),
        module(
            "DevKitEmulator",
            in: "Devices/DevKit/Emulator",
            uses: ["DevKit", "SmartCard", "CardConnection", "HostSystem"]
        ),
        module("TangemConstants", in: "Devices/Tangem/Constants", uses: ["SmartCard"]),
        module(
            "Tangem",
            in: "Devices/Tangem/Host",
            uses: ["TangemConstants", "SmartCard", "CardConnection", "Cryptography"]
        ),
        module(
            "TangemEmulator",
            in: "Devices/Tangem/Emulator",
            uses: ["TangemConstants", "SmartCard", "CardConnection", "Cryptography", "JSONText"]
        ),

        // Rig: the language, its words, the plan and the run.
        module(
            "Scenario",
            in: "Rig/Scenario",
            uses: [
                "ForeignScript", "Wording", "CYAML", "CPCRE2", "SmartCard", "HostSystem", "Cryptography",
                "JSONText",
            ]
        ),
        module(
            "Bench",
            in: "Rig/Bench",
            uses: [
                "Scenario", "SmartCard", "CardConnection", "DevKit", "DebugProbe", "HostSystem", "JSONText",
                "Cryptography", "Wording",
            ]
        ),
        module("RunRecord", in: "Rig/RunRecord", uses: ["SmartCard", "JSONText"]),
        module(
            "Verbs",
            in: "Rig/Verbs",
            uses: [
                "Scenario", "SmartCard", "CardConnection", "Trace", "Type4Tag", "NBT", "NBTConstants",
                "DevKit", "Cryptography", "Tangem", "TangemConstants", "Wording",
            ]
        ),
        module(
            "Runner",
            in: "Rig/Runner",
            uses: [
                "Scenario", "Verbs", "RunRecord", "CardConnection", "Trace", "SmartCard", "Cryptography",
                "HostSystem", "NBT", "Tangem", "DevKit", "JSONText", "Wording",
            ]
        ),
        module(
            "Routes",
            in: "Rig/Routes",
            uses: [
                "Runner", "Verbs", "Bench", "CardConnection", "SmartCard", "PCSC", "VirtualReader",
                "NBT", "NBTEmulator", "DevKit", "DevKitEmulator", "HostSystem", "Scenario", "TangemEmulator",
            ]
        ),

        // Output: records to reports.
        module(
            "Report",
            in: "Output/Report",
            uses: ["RunRecord", "Trace", "SmartCard", "HostSystem", "JSONText"]
        ),

        // The program.
        module("CommandLineKit", in: "taprig/CommandLineKit", uses: ["Wording"]),
        .executableTarget(
            name: "taprig",
            dependencies: [
                "CommandLineKit", "SmartCard", "CardConnection", "Trace", "PCSC", "VirtualReader",
                "NBTEmulator", "DebugProbe", "DevKitEmulator", "USB",
                "DevKit", "Scenario", "Bench", "Verbs", "RunRecord", "Runner", "Routes", "Report",
                "HostSystem",
                "JSONText",
                "Cryptography", "Wording", "LineEditor", "NBT", "Type4Tag", "ForeignScript", "Tangem",
            ],
            path: "Sources/taprig/Program",
            swiftSettings: settings
        ),

        // What tests of several modules use.
        .target(name: "TestSupport", path: "Tests/Support", swiftSettings: settings),

        tests("SmartCard", fixtures: true),
        tests("CommandLineKit", fixtures: true),
        tests("JSONText"),
        tests("Wording"),
        tests("HostSystem"),
        tests("Cryptography", uses: ["TestSupport"], fixtures: true),
        tests("ForeignScript", uses: ["SmartCard", "JSONText"], fixtures: true),
        tests("CardConnection", uses: ["SmartCard", "JSONText"], fixtures: true),
        tests("Trace", uses: ["SmartCard", "CardConnection", "JSONText", "HostSystem"], fixtures: true),
        tests(
            "PCSC",
            uses: [
                "SmartCard", "CardConnection", "VirtualReader", "Routes", "JSONText", "HostSystem", "taprig",
            ],
            fixtures: true
        ),
        tests("VirtualReader", uses: ["SmartCard", "CardConnection", "HostSystem"]),
        tests("Type4Tag", uses: ["SmartCard", "CardConnection", "JSONText", "Cryptography"], fixtures: true),
        tests(
            "NBT",
            uses: [
                "NBTConstants", "NBTEmulator", "SmartCard", "CardConnection", "Cryptography", "Type4Tag",
                "JSONText", "TestSupport",
            ],
            fixtures: true
        ),
        tests(
            "NBTEmulator",
            uses: ["NBTConstants", "SmartCard", "CardConnection", "Cryptography", "JSONText"],
            fixtures: true
        ),
        tests(
            "Tangem",
            uses: [
                "TangemConstants", "TangemEmulator", "SmartCard", "CardConnection", "Cryptography",
                "JSONText", "HostSystem", "TestSupport",
            ],
            fixtures: true
        ),
        tests(
            "TangemEmulator",
            uses: [
                "TangemConstants", "SmartCard", "CardConnection", "Cryptography", "JSONText", "TestSupport",
            ],
            fixtures: true
        ),
        tests("USB"),
        tests("DebugProbe", uses: ["USB", "HostSystem", "CardConnection", "DevKitEmulator"], fixtures: true),
        tests(
            "DevKit",
            uses: [
                "DebugProbe", "DevKitEmulator", "NBTEmulator", "SmartCard", "CardConnection", "HostSystem",
                "JSONText",
            ],
            fixtures: true
        ),
        tests(
            "DevKitEmulator",
            uses: ["DebugProbe", "DevKit", "NBTEmulator", "SmartCard", "CardConnection", "HostSystem"],
            fixtures: true
        ),
        .testTarget(
            name: "MutationTests",
            dependencies: [
                "Routes", "Runner", "Scenario", "RunRecord", "CardConnection", "SmartCard", "Cryptography",
                "JSONText", "TangemConstants", "TangemEmulator", "NBTConstants", "NBTEmulator", "DevKit",
                "DevKitEmulator",
            ],
            path: "Tests/MutationTests",
            swiftSettings: settings
        ),
        tests("Scenario", uses: ["SmartCard", "JSONText"], fixtures: true),
        tests(
            "Bench",
            uses: [
                "Scenario", "SmartCard", "CardConnection", "DevKit", "DebugProbe", "DevKitEmulator",
                "NBTEmulator", "JSONText", "HostSystem",
            ],
            fixtures: true
        ),
        tests("RunRecord", uses: ["JSONText"]),
        tests("Verbs", uses: ["Scenario", "SmartCard", "CardConnection"]),
        tests(
            "Runner",
            uses: [
                "Scenario", "Verbs", "Routes", "RunRecord", "Trace", "CardConnection", "SmartCard",
                "JSONText",
                "Report", "HostSystem", "NBTEmulator", "DevKit", "Bench", "Cryptography", "TangemConstants",
            ],
            fixtures: true
        ),
        tests(
            "Report",
            uses: ["RunRecord", "JSONText", "HostSystem"],
            fixtures: true
        ),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "taprig", "CommandLineKit", "CardConnection", "PCSC", "LineEditor", "JSONText", "HostSystem",
                "Scenario",
            ],
            path: "Tests/ProgramTests",
            resources: [.copy("Fixtures")],
            swiftSettings: settings
        ),
    ]
)

// The fuzzer brings the main function of a program, so what has one of its own stays out of such a build.
if Context.environment["FUZZ"] != nil {
    package.products = []
    package.targets.removeAll { $0.type == .executable || $0.type == .test || $0.name == "TestSupport" }
    package.targets += [
        .target(
            name: "FuzzInput",
            dependencies: ["CardConnection", "HostSystem"],
            path: "Fuzz/Input",
            swiftSettings: settings
        ),
        fuzz("Text", uses: ["SmartCard"]),
        fuzz("TLV", uses: ["SmartCard"]),
        fuzz("ATR", uses: ["SmartCard"]),
        fuzz("Scenario", uses: ["Scenario", "Routes"]),
        fuzz("Format", uses: ["Scenario", "Routes"]),
        fuzz("Trace", uses: ["Trace", "JSONText"]),
        fuzz("Script", uses: ["ForeignScript"]),
        fuzz("Vpcd", uses: ["VirtualReader", "CardConnection"]),
        fuzz("JSON", uses: ["JSONText", "CardConnection", "RunRecord"]),
        fuzz("Report", uses: ["Report", "RunRecord", "JSONText"]),
        fuzz("Bench", uses: ["Bench", "Scenario"]),
        fuzz("NDEF", uses: ["Type4Tag"]),
        fuzz("Certificate", uses: ["Cryptography", "Type4Tag"]),
        fuzz("NBTAnswers", uses: ["NBT", "NBTConstants", "SmartCard", "Type4Tag"]),
        fuzz("T1Prime", uses: ["NBT", "CardConnection"]),
        fuzz("NBTChip", uses: ["NBTEmulator", "NBTConstants", "CardConnection"]),
        fuzz("NBTBlock", uses: ["NBTEmulator", "CardConnection"]),
        fuzz("NBTState", uses: ["NBTEmulator", "CardConnection"]),
        fuzz("Probe", uses: ["DebugProbe", "CardConnection"]),
        fuzz("ProbeServer", uses: ["DevKitEmulator", "NBTEmulator", "CardConnection"]),
        fuzz("UART", uses: ["DevKit"]),
        fuzz("TangemObjects", uses: ["Tangem", "TangemEmulator", "TangemConstants", "SmartCard"]),
        fuzz("TangemPacket", uses: ["Tangem", "TangemEmulator", "Cryptography"]),
        fuzz("TangemCard", uses: ["TangemEmulator", "TangemConstants", "CardConnection", "JSONText"]),
        fuzz("TangemState", uses: ["TangemEmulator", "TangemConstants", "CardConnection", "JSONText"]),
        fuzz("TangemAnswers", uses: ["Tangem", "TangemConstants", "CardConnection"]),
    ]
}
