// SPDX-License-Identifier: MIT

import CardConnection
import PCSC
public import Runner

extension RouteSpec {
    /// Number of cards that the virtual reader takes at a time.
    public static let virtualSlots = 2

    /// Makes the ways to cards that the words name, one for each worker.
    ///
    /// - Parameters:
    ///   - texts: The values of `--via`, in order; none names the emulator. More than one for real readers only.
    ///   - jobs: How many workers; nil takes one for each reader.
    ///   - vpcd: Host and port of the virtual reader's first slot, for `virtual`.
    ///   - access: How long to wait for real readers, and who takes them.
    /// - Returns: The ways; no card is connected yet.
    /// - Throws: ``RouteError`` when the words name no ways, or one reader twice.
    public static func routes(
        _ texts: [String],
        jobs: Int? = nil,
        vpcd: VPCDAddress = VPCDAddress(),
        access: ReaderAccess = ReaderAccess()
    ) throws(RouteError) -> RouteSet {
        let texts = texts.isEmpty ? ["emulator"] : texts
        for (index, text) in texts.enumerated() where texts[..<index].contains(text) {
            throw RouteError(
                text.hasPrefix("pcsc:")
                    ? "'\(text)' is named twice; two cases at a time on one reader would disturb each other"
                    : "'\(text)' is named twice; for more workers write it once, with --jobs N"
            )
        }
        guard texts.count == 1 else { return try readers(texts, jobs: jobs, access: access) }
        let count = jobs ?? 1
        switch texts[0] {
        case "emulator": return RouteSet((0..<count).map { _ in EmulatorRoute() })
        case "virtual": return try RouteSet(virtualSlots(count, first: vpcd))
        default:
            let route = try route(texts[0], vpcd: vpcd, access: access)
            guard count == 1 else {
                throw RouteError(
                    "'\(texts[0])' is one reader, and --jobs \(count) needs \(count); name each with a --via of its own"
                )
            }
            return RouteSet([route])
        }
    }

    private static func virtualSlots(_ count: Int, first: VPCDAddress) throws(RouteError) -> [VirtualRoute] {
        guard count <= virtualSlots else {
            throw RouteError(
                "'virtual' takes \(virtualSlots) cards at a time, and --jobs \(count) needs \(count); "
                    + "write --jobs \(virtualSlots), or run on --via emulator"
            )
        }
        let last = Int(first.port) + count - 1
        let isSecondSlot = first.port == VPCDAddress().port + 1
        guard let port = UInt16(exactly: last), count == 1 || !isSecondSlot else {
            throw RouteError(
                "'virtual' with --jobs \(count) needs port \(last) too; give --vpcd the port of the first slot"
            )
        }
        return (first.port...port).map { port in
            VirtualRoute(address: VPCDAddress(host: first.host, port: port), isAlone: count == 1)
        }
    }

    // MARK: Real readers

    private static func readers(
        _ texts: [String],
        jobs: Int?,
        access: ReaderAccess
    ) throws(RouteError) -> RouteSet {
        if let other = texts.first(where: { !$0.hasPrefix("pcsc:") }) {
            throw RouteError(
                "'\(other)' cannot be one of several ways; a run has several real readers (pcsc:...), or one other way"
            )
        }
        guard jobs == nil || jobs == texts.count else {
            throw RouteError(
                "\(texts.count) readers and --jobs \(jobs ?? 0) do not fit: each reader has one worker; leave --jobs out"
            )
        }
        let claims = ReaderClaims()
        var routes: [PCSCRoute] = []
        for text in texts {
            routes.append(try PCSCRoute(spec: text, bench: nil, access: access, claims: claims))
        }
        try checkDistinct(routes)
        return RouteSet(routes)
    }

    /// Refuses two names of one reader, as far as it can be told before a card is connected.
    static func checkDistinct(_ routes: [PCSCRoute]) throws(RouteError) {
        let needsDetails = routes.contains { $0.selector.needsDetails }
        // Readers that are not there yet, or no service: the connection tells, and claims the reader.
        guard let readers = try? ReaderList.current(withDetails: needsDetails) else { return }
        var specs: [String: String] = [:]
        for route in routes {
            let fitting = route.selector.candidates(in: readers)
            guard fitting.count == 1, let reader = fitting.first else { continue }
            if let other = specs.updateValue(route.spec, forKey: reader.name.text) {
                throw RouteError("'\(other)' and '\(route.spec)' are one reader: '\(reader.name.text)'")
            }
        }
    }
}
