// SPDX-License-Identifier: MIT

public import Scenario

/// A program that works a relay, looks at a sensor, or asks a person.
public struct ControlProgram: Hashable, Sendable {
    /// What a program is for.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// Presses the button and lets it go.
        case button = "kit.button"
        /// Looks at the LED and prints `lit` or `dark`.
        case led = "kit.led"
        /// Resets the board.
        case reset = "kit.reset"
        /// Switches the field; gets `on` or `off` as its last argument.
        case field
        /// Asks a person; gets the question as its last argument, and succeeds when it was done.
        case `operator`
    }

    /// What it is for.
    public var name: Name
    /// The program's file, as a whole path.
    public var path: String
    /// Its arguments, before those that the rig adds.
    public var arguments: [String]
    /// How long it may take; then it is killed with all that it started.
    public var timeout: Duration
    /// The folder of the bench file, which it finds in its environment.
    public var folder: String
    /// Where it stands in the file.
    public var position: SourcePosition

    /// How long a program may take where the bench does not say.
    public static let defaultTimeout = Duration.seconds(5)
    /// How long a person may take where nobody says.
    public static let defaultPatience = Duration.seconds(60)

    /// Makes a program.
    ///
    /// - Parameters:
    ///   - name: What it is for.
    ///   - path: Its file, as a whole path.
    ///   - arguments: Its arguments.
    ///   - timeout: How long it may take; nil takes the default of its purpose.
    ///   - folder: The folder of the bench file.
    ///   - position: Where it stands in the file.
    public init(
        _ name: Name,
        path: String,
        arguments: [String] = [],
        timeout: Duration? = nil,
        folder: String,
        position: SourcePosition
    ) {
        self.name = name
        self.path = path
        self.arguments = arguments
        self.timeout = timeout ?? (name == .operator ? Self.defaultPatience : Self.defaultTimeout)
        self.folder = folder
        self.position = position
    }

    /// The file's name, for messages.
    var shortName: String { path.split(separator: "/").last.map(String.init) ?? path }
}
