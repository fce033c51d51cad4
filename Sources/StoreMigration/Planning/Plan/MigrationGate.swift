/// What a dry run is to fail on although the migration would succeed.
public enum MigrationGate: Sendable, Hashable {
    /// Objects or values that have no place in the destination.
    case dropped
    /// Findings of a code such as `indexes-dropped`.
    case code(String)

    /// `dropped`, or a code of `MigrationFinding.codes`; nil for anything else.
    public init?(name: String) {
        guard Self.names.contains(name) else { return nil }
        self = name == "dropped" ? .dropped : .code(name)
    }

    /// The names of all gates.
    public static var names: [String] { ["dropped"] + MigrationFinding.codes }

    /// The gate as one types it: `dropped`, or a code.
    public var name: String {
        switch self {
        case .dropped: "dropped"
        case .code(let code): code
        }
    }

    /// Whether a finding makes a dry run fail.
    public func stops(_ finding: MigrationFinding) -> Bool {
        switch self {
        case .dropped: ["objects-dropped", "values-dropped"].contains(finding.code)
        case .code(let code): finding.code == code
        }
    }
}
