public import CommandLineParsing
public import ModelLinting
public import StoreMigration

/// What findings make a command fail, as an argument: by its name.
public protocol GateArgument: ArgumentValue {
    /// Makes a gate of its name; nil for a name that is not one.
    init?(name: String)
    /// The name of the gate.
    var name: String { get }
    /// The names of all gates.
    static var names: [String] { get }
}

extension GateArgument {
    /// Makes a gate of the word that stands for it; nil for another word.
    public init?(argument: String) { self.init(name: argument) }

    /// The word that stands for the gate: its name.
    public var argument: String { name }

    /// What an error asks for: one of the names.
    public static var expectation: String { "one of " + names.joined(separator: ", ") }

    /// The names, for a shell to complete.
    public static var completion: ValueCompletion { .words(names) }
}

extension LintGate: GateArgument {}

extension MigrationGate: GateArgument {}
