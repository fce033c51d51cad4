/// Static properties, and the meanings of their names.
extension SwiftDeclarations {
    /// A property with the scope in which its expression is read.
    typealias Member = (property: SwiftProperty, scope: Scope)

    /// Returns the static properties of a type and its extensions.
    func staticMembers(of type: SwiftTypeDeclaration) -> [Member] {
        ([type] + extensions(of: type)).flatMap { part in
            part.properties.filter(\.isStatic).map { ($0, scope(of: part)) }
        }
    }

    /// Returns the static or global property with a name in a scope: `models`, `Self.models`, `SchemaV1.models`.
    func staticMember(_ names: [String], in scope: Scope) -> Member? {
        guard let last = names.last else { return nil }
        var owners = Array(names.dropLast())
        if owners == ["Self"] { owners = [] }
        var candidates: [Int] = []
        if owners.isEmpty {
            // The enclosing types, the innermost one first.
            for count in stride(from: scope.path.count, to: 0, by: -1) {
                let place = Scope(path: [], module: scope.module)
                if case .declared(let index)? = meaning(of: Array(scope.path[..<count]), in: place) {
                    candidates.append(index)
                }
            }
        } else if case .named(let path) = resolved(.named(owners), in: scope).type,
            case .declared(let index)? = meaning(of: path, in: scope)
        {
            candidates = [index]
        }
        for index in candidates {
            if let found = staticMembers(of: types[index]).first(where: { $0.property.name == last }) { return found }
        }
        let global = owners.isEmpty ? globals.first { $0.name == last } : nil
        return global.map { ($0, Scope(path: [], module: module(of: $0.place))) }
    }
}
