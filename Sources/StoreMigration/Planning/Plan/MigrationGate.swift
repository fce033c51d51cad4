/// A condition with which a dry run fails although the migration would succeed.
public enum MigrationGate: Sendable, Hashable {
    /// Objects or values have no place in the destination.
    case dropped
    /// There is a finding with a code such as `indexes-dropped`.
    case code(String)

    /// Creates a gate from its name, `dropped` or a code of `MigrationFinding.codes`; nil for other names.
    public init?(name: String) {
        guard Self.names.contains(name) else { return nil }
        self = name == "dropped" ? .dropped : .code(name)
    }

    /// The names of all gates.
    public static var names: [String] { ["dropped"] + MigrationFinding.codes }

    /// The name on the command line: `dropped`, or a code.
    public var name: String {
        switch self {
        case .dropped: "dropped"
        case .code(let code): code
        }
    }

    /// Returns whether a finding makes a dry run fail.
    public func stops(_ finding: MigrationFinding) -> Bool {
        switch self {
        case .dropped: ["objects-dropped", "values-dropped"].contains(finding.code)
        case .code(let code): finding.code == code
        }
    }
}
