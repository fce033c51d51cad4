import CommandLineParsing
import StoreMigration

extension MigrationGate: ArgumentValue {
    static let expectation = "dropped, or the code of a finding such as indexes-dropped"

    init?(argument: String) { self.init(name: argument) }

    var argument: String { name }
}
