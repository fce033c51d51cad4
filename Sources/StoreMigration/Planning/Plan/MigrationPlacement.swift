/// The place of a migration's result.
public enum MigrationPlacement: Sendable, Hashable {
    /// A staged file replaces the source at the end; `backup` is a folder to which the old files are copied first.
    case replace(backup: String?)

    /// A new store; the source is not changed.
    case output(String)

    /// The source itself is changed in one transaction.
    case inPlace(backup: String?)

    var backup: String? {
        switch self {
        case .replace(let backup), .inPlace(let backup): backup
        case .output: nil
        }
    }

    /// The path of the new store; nil if the source itself becomes the result.
    var output: String? {
        if case .output(let path) = self { path } else { nil }
    }

    /// Whether the source's file is removed, without a copy in a backup.
    var removesSource: Bool { output == nil && backup == nil }

    var isInPlace: Bool {
        if case .inPlace = self { true } else { false }
    }
}
