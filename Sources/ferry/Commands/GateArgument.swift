public import CommandLineParsing
public import ModelLinting
public import StoreMigration

/// What findings make a command fail, as an argument: by its name.
public protocol GateArgument: ArgumentValue {
    init?(name: String)
    var name: String { get }
    static var names: [String] { get }
}

extension GateArgument {
    public init?(argument: String) { self.init(name: argument) }

    public var argument: String { name }

    public static var expectation: String { "one of " + names.joined(separator: ", ") }

    public static var completion: ValueCompletion { .words(names) }
}

extension LintGate: GateArgument {}

extension MigrationGate: GateArgument {}
