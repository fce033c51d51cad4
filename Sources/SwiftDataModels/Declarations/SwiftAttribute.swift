/// An attribute such as `@Attribute(.unique)`, or a macro such as `#Unique<Item>([\.name])`.
struct SwiftAttribute: Sendable, Hashable {
    /// The name without `@` or `#`.
    let name: String

    /// The text between the parentheses; empty if there are none.
    let arguments: String

    let place: SwiftPlace
}
