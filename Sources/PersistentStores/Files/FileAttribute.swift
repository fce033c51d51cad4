/// What a file has beside its bytes, and what a new one in its place should have too.
public enum FileAttribute: String, Sendable, CaseIterable {
    /// Who owns it, its group, and who may do what with it.
    case owner, group, permissions
}
