public import CommandLineParsing
public import ModelLinting

extension LintGate: ArgumentValue {
    public static let expectation = "note, warning, error, destructive, or a code such as FM603"

    public init?(argument: String) { self.init(name: argument) }

    public var argument: String { name }
}
