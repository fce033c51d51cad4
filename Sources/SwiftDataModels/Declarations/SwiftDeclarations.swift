/// The declarations of all files of one or several modules, and the meanings of names in them.
struct SwiftDeclarations: Sendable {
    /// A file and its module.
    struct File: Sendable, Hashable {
        let path: String
        let module: String
    }

    /// The meaning of a name.
    enum Meaning {
        /// The index of a type in `types`.
        case declared(Int)
        /// The type of an alias, in the scope of the alias.
        case alias(SwiftType, scope: Scope)
        /// Several modules declare the name, or one does under several conditions.
        case ambiguous([SwiftPlace])
    }

    /// The scope for looking up a name: the enclosing types, and the module.
    struct Scope: Hashable {
        var path: [String]
        var module: String
    }

    private(set) var files: [File] = []
    private(set) var types: [SwiftTypeDeclaration] = []
    private(set) var calls: [SwiftSchemaCall] = []
    private(set) var aliases: [SwiftTypeAlias] = []
    private(set) var globals: [SwiftProperty] = []

    /// The indexes in `types` by qualified name, without extensions.
    private var typesByName: [String: [Int]] = [:]
    private var extensionsByName: [String: [Int]] = [:]
    private var aliasesByName: [String: [Int]] = [:]

    /// - Parameter parts: each file with its declarations, in the order of their numbers.
    init(_ parts: [(file: File, declarations: SwiftFileDeclarations)]) {
        files = parts.map(\.file)
        aliases = parts.flatMap(\.declarations.aliases)
        calls = parts.flatMap(\.declarations.calls)
        globals = parts.flatMap(\.declarations.globals)
        let declared = parts.flatMap(\.declarations.types)
        let roots = Set(declared.lazy.filter { $0.kind != .extension }.map { $0.path[...0] })
        let renamed = Dictionary(
            aliases.lazy.filter { $0.path.count == 1 }.map { ($0.path[0], $0.type) },
            uniquingKeysWith: { first, _ in first })
        for type in declared {
            var type = type
            // An extension of an alias extends the alias's type.
            if let first = type.path.first, !roots.contains(type.path[...0]), let alias = renamed[first],
                case .named(let names) = SwiftTypeParser.type(alias)
            {
                type.path.replaceSubrange(0...0, with: names)
            }
            if type.kind == .extension {
                extensionsByName[type.qualifiedName, default: []].append(types.count)
            } else {
                typesByName[type.qualifiedName, default: []].append(types.count)
            }
            types.append(type)
        }
        for (index, alias) in aliases.enumerated() {
            aliasesByName[alias.path.joined(separator: "."), default: []].append(index)
        }
    }

    /// Returns the locations of duplicate declarations, for a message.
    func text(of places: [SwiftPlace]) -> String {
        let shown = places.prefix(3).map { "\(files[$0.file].path):\($0.line)" }.joined(separator: ", ")
        return "\(places.count) times (\(shown)); leave out what another target declares (--exclude PATH)"
    }

    /// Groups of files that declare the same type: those with models first.
    ///
    /// Types in several modules, or in one file under several conditions, are not included.
    var rivalFiles: [[Int]] {
        var found: [[Int]] = []
        var modelCount = 0
        for (_, places) in typesByName.sorted(by: { $0.key < $1.key }) where places.count > 1 {
            let byModule = Dictionary(grouping: places) { module(of: types[$0].place) }
            for (_, rivals) in byModule.sorted(by: { $0.key < $1.key }) {
                let numbers = Set(rivals.map { types[$0].place.file }).sorted()
                guard numbers.count > 1, !found.contains(numbers) else { continue }
                let isModel = rivals.contains { types[$0].isModel }
                found.insert(numbers, at: isModel ? modelCount : found.count)
                if isModel { modelCount += 1 }
            }
        }
        return found
    }

    func module(of place: SwiftPlace) -> String { files[place.file].module }

    func scope(of type: SwiftTypeDeclaration) -> Scope {
        Scope(path: type.path, module: module(of: type.place))
    }

    func extensions(of type: SwiftTypeDeclaration) -> [SwiftTypeDeclaration] {
        (extensionsByName[type.qualifiedName] ?? []).map { types[$0] }
    }

    /// Returns the meaning of a name in a scope: the innermost enclosing declaration, otherwise one at file level.
    ///
    /// nil for a name that is not declared in the sources.
    func meaning(of names: [String], in scope: Scope) -> Meaning? {
        meaning(of: names, in: scope, depth: 0)
    }

    /// The maximum depth of aliases in names of other aliases; a deeper chain is circular.
    private static let maximumAliasDepth = 16

    private func meaning(of names: [String], in scope: Scope, depth: Int) -> Meaning? {
        guard depth < Self.maximumAliasDepth else { return nil }
        if names.first == "Self" { return meaning(at: scope.path + names.dropFirst(), in: scope) }
        var path = scope.path[...]
        while true {
            if let found = meaning(at: Array(path) + names, in: scope) { return found }
            // The first name may be an alias of the type that contains the rest.
            if names.count > 1, case .alias(.named(let others), let place)? = meaning(at: path + [names[0]], in: scope)
            {
                return meaning(of: others + names[1...], in: place, depth: depth + 1)
            }
            guard path.popLast() != nil else { break }
        }
        // `Module.Type`
        guard names.count > 1, files.contains(where: { $0.module == names[0] }) else { return nil }
        return meaning(of: Array(names[1...]), in: Scope(path: [], module: names[0]), depth: depth + 1)
    }

    private func meaning(at path: [String], in scope: Scope) -> Meaning? {
        let name = path.joined(separator: ".")
        if let found = typesByName[name] {
            let active = chosen(found, in: scope) { types[$0].place }
            if active.count == 1 { return .declared(active[0]) }
            return .ambiguous(active.map { types[$0].place })
        }
        guard let found = aliasesByName[name] else { return nil }
        let active = chosen(found, in: scope) { aliases[$0].place }
        let first = aliases[active[0]]
        guard active.allSatisfy({ aliases[$0].type == first.type }) else {
            return .ambiguous(active.map { aliases[$0].place })
        }
        let place = Scope(path: Array(first.path.dropLast()), module: module(of: first.place))
        return .alias(SwiftTypeParser.type(first.type), scope: place)
    }

    /// Returns the declarations of the module itself, if it has any.
    private func chosen(_ found: [Int], in scope: Scope, _ place: (Int) -> SwiftPlace) -> [Int] {
        let own = found.filter { module(of: place($0)) == scope.module }
        return own.isEmpty ? found : own
    }

    /// Returns a type with its aliases resolved, and the scope of its declaration.
    func resolved(_ type: SwiftType, in scope: Scope) -> (type: SwiftType, scope: Scope) {
        var (type, scope, isOptional) = (type, scope, false)
        // Aliases of aliases; a longer chain is circular.
        for _ in 0..<32 {
            let (inner, optional) = type.unwrapped
            isOptional = isOptional || optional
            guard case .named(let names) = inner else { return (isOptional ? .optional(inner) : inner, scope) }
            if case .alias(let other, let place)? = meaning(of: names, in: scope) {
                (type, scope) = (other, place)
            } else if let raw = rawType(names, in: scope) {
                (type, scope) = raw
            } else {
                return (isOptional ? .optional(inner) : inner, scope)
            }
        }
        return (.other("\(type)"), scope)
    }

    /// Returns the type for `Enumeration.RawValue`: the type after the enumeration's colon. nil for other names.
    private func rawType(_ names: [String], in scope: Scope) -> (SwiftType, Scope)? {
        guard names.count > 1, names.last == "RawValue",
            case .named(let path) = resolved(.named(names.dropLast()), in: scope).type,
            case .declared(let index)? = meaning(of: path, in: scope), types[index].kind == .enum,
            let type = types[index].inherited.first
        else { return nil }
        return (SwiftTypeParser.type(type), self.scope(of: types[index]))
    }

    /// Returns whether a type or an extension of it conforms to a protocol, directly or through a protocol in the
    /// sources.
    func conforms(_ type: SwiftTypeDeclaration, to names: Set<String>) -> Bool {
        var open = [type]
        var seen: Set<String> = []
        while let next = open.popLast() {
            guard seen.insert(next.qualifiedName).inserted else { continue }
            let inherited = next.inherited + extensions(of: next).flatMap(\.inherited)
            for text in inherited.flatMap({ $0.split(separator: "&") }) {
                let parsed = SwiftTypeParser.type(String(text).trimmingBlanks)
                guard case .named(let path) = resolved(parsed, in: scope(of: next)).type else { continue }
                if let last = path.last, names.contains(last) { return true }
                if case .declared(let index)? = meaning(of: path, in: scope(of: next)), types[index].kind == .protocol {
                    open.append(types[index])
                }
            }
        }
        return false
    }
}
