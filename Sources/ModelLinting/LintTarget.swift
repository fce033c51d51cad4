/// A target of a model, with additional rules.
public enum LintTarget: String, Sendable, CaseIterable {
    /// Classes of SwiftData (`@Model`).
    case swiftData = "swiftdata"
}
