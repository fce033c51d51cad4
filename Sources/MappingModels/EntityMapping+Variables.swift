public import PredicateExpressions

extension EntityMapping {
    /// Returns an expression of this mapping, with values substituted for the variables about the mapping itself. These
    /// are `$entityMapping.name` and `.userInfo.KEY`, the same of `$propertyMapping`, and `$source.entity.name`. Values
    /// that do not exist become NULL.
    public func replacingVariables(in expression: Expression, of property: PropertyMapping?) -> Expression {
        expression.replacing { part, locals in
            guard let (variable, path) = Self.path(part), !locals.contains(variable) else { return nil }
            let text: String?
            switch (variable, path) {
            case ("entityMapping", "name"): text = name
            case ("entityMapping", "sourceEntityName"), ("source", "entity.name"): text = sourceEntityName
            case ("entityMapping", "destinationEntityName"), ("destination", "entity.name"):
                text = destinationEntityName
            case ("entityMapping", "entityMigrationPolicyClassName"): text = migrationPolicyClassName
            case ("entityMapping", _):
                guard let key = Self.userInfoKey(path) else { return nil }
                text = userInfo[key]
            case ("propertyMapping", "name"): text = property?.name
            case ("propertyMapping", _):
                guard let key = Self.userInfoKey(path) else { return nil }
                text = property?.userInfo[key]
            default: return nil
            }
            return .constant(text.map { .string($0) } ?? .null)
        }
    }

    /// Returns a path that begins at a variable, including the argument of a method.
    private static func path(_ expression: Expression) -> (variable: String, path: String)? {
        switch expression {
        case .keyPath(.variable(let variable), let path): (variable, path)
        case .invocation(.variable(let variable), "valueForKey:", let arguments),
            .invocation(.variable(let variable), "valueForKeyPath:", let arguments):
            if case .constant(.string(let path))? = arguments.first { (variable, path) } else { nil }
        case .invocation(.variable(let variable), let key, let arguments) where arguments.isEmpty: (variable, key)
        case .invocation(.keyPath(.variable(let variable), let path), let key, let arguments) where arguments.isEmpty:
            (variable, path + "." + key)
        default: nil
        }
    }

    private static func userInfoKey(_ path: String) -> String? {
        path.hasPrefix("userInfo.") ? String(path.dropFirst("userInfo.".count)) : nil
    }
}
