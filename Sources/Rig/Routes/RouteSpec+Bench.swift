// SPDX-License-Identifier: MIT

public import Bench
public import Runner

extension RouteSpec {
    /// Makes the ways to the devices of a bench, one for each role that the scenarios need.
    ///
    /// - Parameters:
    ///   - bench: The bench.
    ///   - targets: The targets of the suites; none takes all roles.
    ///   - jobs: How many workers; nil takes one for each way.
    ///   - access: How long to wait for readers, and who takes them.
    /// - Returns: The ways; no card is connected yet.
    /// - Throws: ``RouteError`` when the bench has none of the roles, or two of one reader.
    public static func routes(
        on bench: TestBench,
        targets: [String],
        jobs: Int? = nil,
        access: ReaderAccess = ReaderAccess()
    ) throws(RouteError) -> RouteSet {
        let claims = ReaderClaims()
        var routes: [(route: PCSCRoute, roles: Set<String>)] = []
        for way in try ways(on: bench, targets: targets) {
            let route = try PCSCRoute(spec: way.route.via, bench: way.route, access: access, claims: claims)
            if let other = routes.first(where: { $0.route.spec == route.spec }) {
                let names = (other.roles.union(way.roles)).sorted().joined(separator: ", ")
                throw RouteError(
                    "the roles \(names) of \(bench.file) have one reader; give each a reader of its own"
                )
            }
            routes.append((route, way.roles))
        }
        guard jobs == nil || jobs == routes.count else {
            throw RouteError(
                "\(routes.count == 1 ? "one reader" : "\(routes.count) readers") of \(bench.file) and"
                    + " --jobs \(jobs ?? 0) do not fit: each reader has one worker; leave --jobs out"
            )
        }
        try checkDistinct(routes.map(\.route))
        return RouteSet(members: routes.map { RouteSet.Member($0.route, roles: $0.roles) })
    }

    /// Makes the way to the device of one role.
    ///
    /// - Parameters:
    ///   - bench: The bench.
    ///   - role: The role; nil when none was named, and the bench does not have just one.
    ///   - access: How long to wait for its reader, and who takes it.
    /// - Returns: The way; nothing is connected yet.
    /// - Throws: ``RouteError`` when the bench does not have the role, or several and none is named.
    public static func route(
        on bench: TestBench,
        role: String?,
        access: ReaderAccess = ReaderAccess()
    ) throws(RouteError) -> any Route {
        guard let name = role else {
            let names = bench.roles.map(\.name).joined(separator: ", ")
            throw RouteError(
                names.isEmpty
                    ? "the bench \(bench.file) has no roles"
                    : "the bench \(bench.file) has several roles, \(names); name one with --role"
            )
        }
        let way: BenchRoute
        do throws(UnknownRole) { way = try bench.route(forRole: name) } catch { throw RouteError("\(error)") }
        return try PCSCRoute(spec: way.via, bench: way, access: access)
    }

    /// The target of scenarios for a card of any make.
    private static let anyCard = "iso7816"

    private static func ways(
        on bench: TestBench,
        targets: [String]
    ) throws(RouteError) -> [(route: BenchRoute, roles: Set<String>)] {
        let fitting = bench.routes.filter { targets.isEmpty || targets.contains($0.role.name) }
        var ways = fitting.map { (route: $0, roles: Set([$0.role.name])) }
        if let only = bench.routes.first, bench.roles.count == 1 {
            // A bench for one device need not repeat the word of each target, but a card known by its make is no other.
            let isOpen = !EmulatorCatalog.targets.contains(only.role.name)
            let others = targets.filter { isOpen || $0 == anyCard || $0 == only.role.name }
            if !others.isEmpty { ways = [(only, Set(others))] }
        }
        guard ways.isEmpty else { return ways }
        do throws(UnknownRole) {
            _ = try bench.route(forRole: targets.first ?? "")
        } catch {
            throw RouteError("\(error)")
        }
        return ways
    }
}
