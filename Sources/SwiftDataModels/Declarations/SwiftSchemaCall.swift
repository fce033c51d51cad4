/// A call that names models: `Schema(...)`, `ModelContainer(...)` or `modelContainer(...)`.
struct SwiftSchemaCall: Sendable, Hashable {
    let function: String
    /// The text between the parentheses.
    let arguments: String
    /// The names of the enclosing types.
    let scope: [String]
    /// Whether it is in a `#Preview`.
    let isPreview: Bool
    let place: SwiftPlace
}
