public import ManagedObjectModels
public import PredicateExpressions

/// What a path from `$source` leads to in the source model.
public struct SourcePath: Sendable {
    /// The slot of the entity that the path ends at, or whose attribute it ends at.
    public let entity: Int

    /// The attribute at the end; nil if the path ends at objects.
    public let attribute: ResolvedAttribute?

    /// Whether the path can lead to several values.
    public let isToMany: Bool

    /// What follows the attribute: a key of its value, which no model knows of; nil if nothing does.
    public let valuePath: String?

    /// nil for an expression that is not a path from `$source`, and where a name is unknown.
    public init?(_ expression: Expression, from entity: ResolvedEntity, in model: ResolvedModel) {
        guard let names = Self.names(of: expression) else { return nil }
        var slot = entity.slot
        var isToMany = false
        for (index, name) in names.enumerated() {
            // Collection operators on objects change how many there are, not what they are.
            if name.hasPrefix("@") {
                guard Self.collectingOperators.contains(name) else { return nil }
                continue
            }
            if let relationship = model.entities[slot].relationship(named: name) {
                isToMany = isToMany || relationship.isToMany
                slot = relationship.destination
            } else {
                // An element of a composite is an attribute with a point in its name.
                let rest = names[index...]
                for count in stride(from: rest.count, to: 0, by: -1) {
                    let joined = rest.prefix(count).joined(separator: ".")
                    if let attribute = model.entities[slot].attribute(named: joined) {
                        self.entity = slot
                        self.attribute = attribute
                        self.isToMany = isToMany
                        let value = rest.dropFirst(count).joined(separator: ".")
                        valuePath = value.isEmpty ? nil : value
                        return
                    }
                }
                return nil
            }
        }
        self.entity = slot
        attribute = nil
        self.isToMany = isToMany
        valuePath = nil
    }

    static let collectingOperators: Set<String> = [
        "@distinctUnionOfSets", "@distinctUnionOfObjects", "@unionOfObjects", "@unionOfSets", "@distinctUnionOfArrays",
        "@unionOfArrays",
    ]

    /// The names of a path from `$source`, none for `$source` itself; nil for any other expression.
    public static func names(of expression: Expression) -> [String]? {
        switch expression {
        case .variable("source"): []
        case .keyPath(.variable("source"), let path): path.split(separator: ".").map(String.init)
        case .invocation(.variable("source"), "valueForKey:", let arguments),
            .invocation(.variable("source"), "valueForKeyPath:", let arguments):
            if arguments.count == 1, case .constant(.string(let path)) = arguments[0] {
                path.split(separator: ".").map(String.init)
            } else {
                nil
            }
        default: nil
        }
    }
}
