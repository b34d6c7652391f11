// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import Runner
import Synchronization

extension PCSCRoute {
    /// The roles of the bench besides this one.
    var otherRoles: [String] {
        guard let bench else { return [] }
        return bench.bench.roles.map(\.name).filter { $0 != bench.role.name }
    }

    /// Why a role that the bench does not have cannot be had.
    public func absence(ofRole role: String, target: String) -> String? {
        EmulatorCatalog.absenceFromReaders(ofRole: role, target: target)
    }

    /// Connects to the device of another role, for the steps that address it.
    ///
    /// Its reader is locked like this one, from here to the end of the run. A reader in use is not waited for, a card is.
    func connect(to role: String, _ setup: DeviceSetup) throws(TransportFault) -> any Connection {
        try other(role).open(setup).connection
    }

    private func other(_ role: String) throws(TransportFault) -> PCSCRoute {
        if let known = others.withLock({ $0[role] }) { return known }
        guard let bench, role != bench.role.name else {
            throw TransportFault(.control, "'\(role)' is the role of the device under test itself")
        }
        let way: BenchRoute
        do throws(UnknownRole) { way = try bench.bench.route(forRole: role) } catch {
            throw TransportFault(.control, "\(error)")
        }
        let made: PCSCRoute
        do throws(RouteError) {
            made = try PCSCRoute(spec: way.via, bench: way, access: access, claims: claims)
        } catch {
            throw TransportFault(.noReader, "\(error)")
        }
        guard made.spec != spec else {
            throw TransportFault(.control, "the roles '\(role)' and '\(bench.role.name)' have one reader")
        }
        others.withLock { $0[role] = made }
        return made
    }
}
