/// Static properties, and what their names stand for.
extension SwiftDeclarations {
    /// A property with the scope that its expression is read in.
    typealias Member = (property: SwiftProperty, scope: Scope)

    /// The static properties of a type and its extensions.
    func staticMembers(of type: SwiftTypeDeclaration) -> [Member] {
        ([type] + extensions(of: type)).flatMap { part in
            part.properties.filter(\.isStatic).map { ($0, scope(of: part)) }
        }
    }

    /// The static or global property that a name stands for in a scope: `models`, `Self.models`, `SchemaV1.models`.
    func staticMember(_ names: [String], in scope: Scope) -> Member? {
        guard let last = names.last else { return nil }
        var owners = Array(names.dropLast())
        if owners == ["Self"] { owners = [] }
        var candidates: [Int] = []
        if owners.isEmpty {
            // The types around it, the innermost first.
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
