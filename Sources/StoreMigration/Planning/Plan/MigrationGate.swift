/// What a dry run is to fail on although the migration would succeed.
public enum MigrationGate: Sendable, Hashable {
    /// Objects or values that have no place in the destination.
    case dropped
    /// Findings of a code such as `indexes-dropped`.
    case code(String)

    /// nil for what is not a code: lower case letters, digits and hyphens.
    public init?(name: String) {
        guard !name.isEmpty,
            name.utf8.allSatisfy({ $0 == 0x2D || (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
        else { return nil }
        self = name == "dropped" ? .dropped : .code(name)
    }

    public var name: String {
        switch self {
        case .dropped: "dropped"
        case .code(let code): code
        }
    }

    public func stops(_ finding: MigrationFinding) -> Bool {
        switch self {
        case .dropped: ["objects-dropped", "values-dropped"].contains(finding.code)
        case .code(let code): finding.code == code
        }
    }
}
