public import CommandLineParsing
public import ModelLinting
public import StoreMigration

/// What findings make a command fail, as an argument: by its name.
public protocol GateArgument: ArgumentValue {
    init?(name: String)
    var name: String { get }
}

extension GateArgument {
    public init?(argument: String) { self.init(name: argument) }

    public var argument: String { name }
}

extension LintGate: GateArgument {
    public static let expectation = "note, warning, error, destructive, or a code such as FM603"
}

extension MigrationGate: GateArgument {
    public static let expectation = "dropped, or the code of a finding such as indexes-dropped"
}
