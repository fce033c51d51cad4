/// A type alias.
struct SwiftTypeAlias: Sendable, Hashable {
    /// The names of the enclosing types, and its own.
    let path: [String]
    let type: String
    let isActive: SwiftCondition
    let place: SwiftPlace
}
