public import CommandLineParsing
public import StoreMigration

extension MigrationGate: ArgumentValue {
    public static let expectation = "dropped, or the code of a finding such as indexes-dropped"

    public init?(argument: String) { self.init(name: argument) }

    public var argument: String { name }
}
