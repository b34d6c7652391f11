// SPDX-License-Identifier: MIT

/// The ways to cards that a run has, one worker for each: on none of them are two cases at a time.
public struct RouteSet: Sendable {
    /// A way, and what it is for.
    public struct Member: Sendable {
        /// The way.
        public let route: any Route
        /// The roles that its device has, as suites name them in `target`; nil takes any case.
        public let roles: Set<String>?

        /// Makes a member.
        public init(_ route: any Route, roles: Set<String>? = nil) {
            self.route = route
            self.roles = roles
        }

        /// Whether a case for this role may run here.
        func serves(_ role: String) -> Bool { roles?.contains(role) ?? true }
    }

    /// The ways, in the order of the command line.
    public let members: [Member]

    /// Makes a set of ways that each take any case.
    public init(_ routes: [any Route]) {
        members = routes.map { Member($0) }
    }

    /// Makes a set of ways that have roles.
    public init(members: [Member]) {
        self.members = members
    }

    /// True when time is modelled on every way.
    public var isVirtualTime: Bool { !members.isEmpty && members.allSatisfy { $0.route.isVirtualTime } }

    /// True when no card is real.
    public var isEmulated: Bool { members.allSatisfy { $0.route.isEmulated } }

    /// The words that chose the ways, each once.
    public var spec: String {
        members.reduce(into: [String]()) { specs, member in
            if !specs.contains(member.route.spec) { specs.append(member.route.spec) }
        }.joined(separator: ", ")
    }

    /// True when what one way refuses for want of a capability, all refuse.
    var isUniform: Bool { isEmulated }

    /// Lets go of everything.
    public func close() {
        for member in members { member.route.close() }
    }
}
