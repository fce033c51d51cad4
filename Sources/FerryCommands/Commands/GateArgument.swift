public import CommandLineParsing
public import ModelLinting
public import StoreMigration

/// A gate, which determines the findings with which a command fails, as an argument.
public protocol GateArgument: ArgumentValue {
    /// Creates a gate from its name; nil if there is no such gate.
    init?(name: String)
    /// The name of the gate.
    var name: String { get }
    /// The names of all gates.
    static var names: [String] { get }
}

extension GateArgument {
    /// Creates a gate from the word on the command line; nil if there is no such gate.
    public init?(argument: String) { self.init(name: argument) }

    /// The word on the command line: the name of the gate.
    public var argument: String { name }

    /// The allowed values in error messages: one of the names.
    public static var expectation: String { "one of " + names.joined(separator: ", ") }

    /// The names, for completion by a shell.
    public static var completion: ValueCompletion { .words(names) }
}

extension LintGate: GateArgument {}

extension MigrationGate: GateArgument {}
