/// What became of a thing between the two versions that a diagram compares.
public enum DiagramChange: String, Sendable, Hashable, CaseIterable {
    /// Nothing, or there is only one version.
    case unchanged
    case added
    case removed
    case renamed
    case changed

    /// The sign before a row's name, as `ferry diff` has it; colours alone are not for everybody.
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
