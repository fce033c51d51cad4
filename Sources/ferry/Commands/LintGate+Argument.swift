import CommandLineParsing
import ModelLinting

extension LintGate: ArgumentValue {
    static let expectation = "note, warning, error, destructive, or a code such as FM603"

    init?(argument: String) { self.init(name: argument) }

    var argument: String { name }
}
