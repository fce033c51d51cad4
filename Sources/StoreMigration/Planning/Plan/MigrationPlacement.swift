/// Where the result of a migration goes.
public enum MigrationPlacement: Sendable, Hashable {
    /// A staged file takes the source's place at the end; `backup` is a folder that gets the old files first.
    case replace(backup: String?)

    /// A new store; the source stays as it is.
    case output(String)

    /// The source itself changes, in one transaction.
    case inPlace(backup: String?)

    var backup: String? {
        switch self {
        case .replace(let backup), .inPlace(let backup): backup
        case .output: nil
        }
    }

    /// The new store; nil if the source itself becomes the result.
    var output: String? {
        if case .output(let path) = self { path } else { nil }
    }

    var isInPlace: Bool {
        if case .inPlace = self { true } else { false }
    }
}
