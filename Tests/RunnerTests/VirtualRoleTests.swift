// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Runner
import Testing

@testable import Routes

/// Which roles the virtual reader has room for; nothing is connected here.
@Suite struct VirtualRoleTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    private func roles(_ route: VirtualRoute, _ target: String) -> [String] {
        let words = route.capabilities(target: target, options: [:])?.map(\.rawValue) ?? []
        return words.filter { $0.hasPrefix("role ") }.sorted()
    }

    @Test func `The second slot is for a target's second card, and for nothing else`() {
        #expect(roles(VirtualRoute(), "tangem") == ["role backup"])
        #expect(roles(VirtualRoute(), "nbt") == [])
        #expect(roles(VirtualRoute(address: VPCDAddress(port: 40_000)), "tangem") == ["role backup"])
        #expect(roles(VirtualRoute(address: VPCDAddress(port: 35_964)), "tangem") == [])
        #expect(roles(VirtualRoute(address: VPCDAddress(port: .max)), "tangem") == [])
    }

    @Test func `Two workers have a slot each, and no second card`() throws {
        for (jobs, expected) in [(1, ["role backup"]), (2, [])] {
            let set = try RouteSpec.routes(["virtual"], jobs: jobs)
            let routes = try set.members.map { try #require($0.route as? VirtualRoute) }
            #expect(routes.count == jobs)
            for route in routes { #expect(roles(route, "tangem") == expected) }
        }
    }

    private func message(_ target: String, on role: String, _ route: any Route) throws -> String? {
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: \(target)
            cases:
              - name: c
                steps:
                  - send: 00A40400
                    on: \(role)
            """,
            route: route
        )
        #expect(outcome.verdict == .skipped)
        #expect(outcome.attempts.isEmpty)
        return outcome.problem?.message
    }

    @Test func `What has no slot is skipped with the reason`() throws {
        #expect(
            try message("tangem", on: "second-backup", VirtualRoute())
                == "needs role second-backup; it is a third card, and the virtual reader has two slots, "
                + "for the card under test and 'backup'; run it with --via emulator"
        )
        let last = VirtualRoute(address: VPCDAddress(port: 35_964))
        #expect(
            try message("tangem", on: "backup", last)
                == "needs role backup; the card under test is in the virtual reader's last slot; "
                + "give --vpcd the port of the first"
        )
        let shared = VirtualRoute(address: VPCDAddress(), isAlone: false)
        #expect(
            try message("tangem", on: "backup", shared)
                == "needs role backup; the virtual reader has two slots, and each has a worker; run it with --jobs 1"
        )
        #expect(
            try message("nbt", on: "i2c", VirtualRoute())
                == "needs role i2c; I2C is the chip's side towards its micro-controller and has no equivalent in "
                + "PC/SC; run it with --via emulator"
        )
        #expect(
            try message("nbt", on: "uart", VirtualRoute())
                == "needs role uart; nbt@virtual has no such connection"
        )
    }

    @Test func `A real reader has no I2C side either`() throws {
        let route = try PCSCRoute(spec: "pcsc:any")
        #expect(
            route.absence(ofRole: "i2c", target: "nbt")
                == VirtualRoute().absence(ofRole: "i2c", target: "nbt")
        )
        #expect(route.absence(ofRole: "backup", target: "tangem") == nil)
        #expect(EmulatorRoute().absence(ofRole: "i2c", target: "nbt") == nil)
    }
}
