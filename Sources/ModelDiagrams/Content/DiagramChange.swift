/// The change of an element between the two versions that a diagram compares.
public enum DiagramChange: String, Sendable, Hashable, CaseIterable {
    /// It is unchanged, or there is only one version.
    case unchanged
    /// Only the later version has it.
    case added
    /// Only the earlier version has it.
    case removed
    /// Both versions have it, under different names.
    case renamed
    /// Both versions have it, with differences other than its name.
    case changed

    /// The sign before a row's name, as in `ferry diff`, since not everyone can distinguish colors.
    var sign: String {
        switch self {
        case .unchanged: ""
        case .added: "+ "
        case .removed: "− "
        case .renamed: "> "
        case .changed: "~ "
        }
    }
}
