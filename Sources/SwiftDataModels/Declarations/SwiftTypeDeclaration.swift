/// A class, structure, enumeration, actor, protocol or extension with its members.
struct SwiftTypeDeclaration: Sendable {
    enum Kind: String, Sendable {
        case `class`, `struct`, `enum`, actor, `protocol`, `extension`
    }

    let kind: Kind
    /// The names of the enclosing types, and its own; for an extension, the name of the extended type.
    var path: [String]
    let attributes: [SwiftAttribute]
    /// The types after the colon.
    let inherited: [String]
    let isGeneric: Bool
    let isActive: SwiftCondition
    let place: SwiftPlace

    var properties: [SwiftProperty] = []
    var cases: [SwiftEnumCase] = []
    /// Macros such as `#Unique`.
    var macros: [SwiftAttribute] = []
    /// Whether it declares `encode(to:)` or `init(from:)`.
    var hasCustomCoding = false

    var name: String { path.last ?? "" }
    var qualifiedName: String { path.joined(separator: ".") }

    var isModel: Bool {
        kind == .class && attributes.contains { $0.name == "Model" || $0.name == "SwiftData.Model" }
    }
}
