/// What a model is to become, with rules of its own that only matter there.
public enum LintTarget: String, Sendable, CaseIterable {
    /// Classes of SwiftData (`@Model`).
    case swiftData = "swiftdata"
}
