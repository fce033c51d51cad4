/// Another name of a type.
struct SwiftTypeAlias: Sendable, Hashable {
    /// The names of the types around it and its own.
    let path: [String]
    let type: String
    let isActive: SwiftCondition
    let place: SwiftPlace
}
