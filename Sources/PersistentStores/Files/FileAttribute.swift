/// What a file has beside its bytes, and what a new one in its place should have too.
public enum FileAttribute: String, Sendable, CaseIterable {
    case owner, group, permissions
}
