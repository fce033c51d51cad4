public import ManagedObjectModels
public import PredicateExpressions

/// The target of a path from `$source` in the source model.
public struct SourcePath: Sendable {
    /// The slot of the entity at the end of the path, or of the attribute at its end.
    public let entity: Int

    /// The attribute at the end; nil if the path ends at objects.
    public let attribute: ResolvedAttribute?

    /// Whether the path can lead to several values.
    public let isToMany: Bool

    /// The part after the attribute: a key of its value, which models do not describe; nil if there is none.
    public let valuePath: String?

    /// Returns nil if the expression is not a path from `$source`, or a name is unknown.
    public init?(_ expression: Expression, from entity: ResolvedEntity, in model: ResolvedModel) {
        guard let names = Self.names(of: expression) else { return nil }
        var slot = entity.slot
        var isToMany = false
        for (index, name) in names.enumerated() {
            // Collection operators on objects change their number, but not their entity.
            if name.hasPrefix("@") {
                guard Self.collectingOperators.contains(name) else { return nil }
                continue
            }
            if let relationship = model.entities[slot].relationship(named: name) {
                isToMany = isToMany || relationship.isToMany
                slot = relationship.destination
            } else {
                // An element of a composite is an attribute with a dot in its name.
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

    /// Returns the names in a path from `$source`, an empty list for `$source` itself; nil for any other expression.
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
