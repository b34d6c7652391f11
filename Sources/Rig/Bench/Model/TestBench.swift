// SPDX-License-Identifier: MIT

public import Scenario

/// A test bench: which reader plays which role, what else stands around it, and what may be done there.
///
/// It is read from a bench file, which holds once per rig what scenarios must not know.
public struct TestBench: Hashable, Sendable {
    /// The bench's name, else the name of its file.
    public var name: String
    /// The file as it was given.
    public var file: String
    /// The folder from which the file's relative paths count.
    public var folder: String
    /// True when the command line named the file: only then do its programs start.
    ///
    /// A bench that a project names by itself could come with any change of that project, programs included.
    public var mayStartPrograms: Bool
    /// The roles in the order of the file.
    public var roles: [BenchRole] = []
    /// Debug probes in the order of the file.
    public var probes: [BenchProbe] = []
    /// Programs that hold for all roles.
    public var programs: [ControlProgram] = []
    /// Serials and UIDs of the samples on which destructive cases may run.
    public var allowed: [String] = []
    /// The file that keeps retry counters, as a whole path; nil takes the user's own.
    public var ledgerPath: String?
    /// Times that hold where a scenario gives none.
    public var limits = Limits()

    /// Makes a bench without anything on it.
    public init(name: String, file: String, folder: String, mayStartPrograms: Bool) {
        self.name = name
        self.file = file
        self.folder = folder
        self.mayStartPrograms = mayStartPrograms
    }

    /// The role of a name; nil when the bench has none.
    public func role(_ name: String) -> BenchRole? {
        roles.first { $0.name == name }
    }

    /// The programs that a role uses: its own, then those of the bench.
    public func programs(of role: BenchRole) -> [ControlProgram] {
        role.programs + programs.filter { program in !role.programs.contains { $0.name == program.name } }
    }

    /// A program of a role by its name; nil when there is none, or when none may start.
    public func program(_ name: ControlProgram.Name, of role: BenchRole) -> ControlProgram? {
        guard mayStartPrograms else { return nil }
        return programs(of: role).first { $0.name == name }
    }
}

/// A debug probe of a bench.
public struct BenchProbe: Hashable, Sendable {
    /// What the bench calls it.
    public var name: String
    /// What kind of probe it is, for example `cmsis-dap`; an open set of words.
    public var kind: String
    /// Its serial number; nil takes the only one there is.
    public var serial: String?
    /// The board that it is wired to.
    public var board: String?
    /// Further settings, which the kind gives a meaning to.
    public var settings: [String: String]
    /// Where it stands in the file.
    public var position: SourcePosition

    /// Makes a probe.
    public init(
        name: String,
        kind: String,
        serial: String? = nil,
        board: String? = nil,
        settings: [String: String] = [:],
        position: SourcePosition
    ) {
        self.name = name
        self.kind = kind
        self.serial = serial
        self.board = board
        self.settings = settings
        self.position = position
    }
}
