/// An attribute that a file has besides its bytes, and that a file replacing it should have too.
public enum FileAttribute: String, Sendable, CaseIterable {
    /// The owner, the group, and the permissions.
    case owner, group, permissions
}
