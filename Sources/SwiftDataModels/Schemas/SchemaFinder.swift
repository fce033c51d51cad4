/// Finds the versions that sources declare.
struct SchemaFinder {
    let declarations: SwiftDeclarations

    /// The versions that conform to `VersionedSchema`, in the order of their identifiers.
    func versionedSchemas() -> [SwiftDataSchema] {
        types(conformingTo: "VersionedSchema").map { schema(of: $0) }.sorted { left, right in
            let (first, second) = (Self.numbers(left.identifier), Self.numbers(right.identifier))
            return first == second ? left.name < right.name : first.lexicographicallyPrecedes(second)
        }
    }

    static func numbers(_ identifier: String) -> [Int] {
        identifier.split(separator: ".").map { Int($0) ?? 0 }
    }

    private func types(conformingTo name: String) -> [SwiftTypeDeclaration] {
        declarations.types.filter { type in
            type.kind != .extension && type.kind != .protocol && declarations.conforms(type, to: [name])
        }
    }

    private func members(of type: SwiftTypeDeclaration) -> [(property: SwiftProperty, scope: SwiftDeclarations.Scope)] {
        ([type] + declarations.extensions(of: type)).flatMap { part in
            part.properties.filter(\.isStatic).map { ($0, declarations.scope(of: part)) }
        }
    }

    private func schema(of type: SwiftTypeDeclaration) -> SwiftDataSchema {
        let members = members(of: type)
        var reader = ModelListReader(declarations)
        var problems: [SwiftDataProblem] = []
        if let condition = type.isActive.unknownText {
            problems.append(
                SwiftDataProblem(
                    message: "the version is declared only if \(condition); decide it with --define", place: type.place)
            )
        }
        if let models = members.first(where: { $0.property.name == "models" }),
            let text = models.property.body ?? models.property.initialValue
        {
            reader.read(text, in: models.scope, at: models.property.place)
        } else {
            problems.append(
                SwiftDataProblem(message: "the version \(type.qualifiedName) has no list of models", place: type.place))
        }
        let version = members.first { $0.property.name == "versionIdentifier" }?.property
        let identifier = (version?.initialValue ?? version?.body).flatMap(Self.identifier)
        if identifier == nil {
            problems.append(
                SwiftDataProblem(
                    message: "the version identifier of \(type.qualifiedName) is not a Schema.Version of three numbers",
                    place: version?.place ?? type.place))
        }
        return SwiftDataSchema(
            name: type.qualifiedName, identifier: identifier ?? "0.0.0", models: reader.models, place: type.place,
            problems: problems + reader.problems)
    }

    /// `Schema.Version(1, 0, 0)` as `1.0.0`
    static func identifier(_ text: String) -> String? {
        guard let start = text.firstIndex(of: "("), let end = text[start...].firstIndex(of: ")") else { return nil }
        let parts = SwiftArguments(String(text[text.index(after: start)..<end])).arguments.map {
            SwiftLiteral.integer($0.value)
        }
        guard parts.count == 3, parts.allSatisfy({ $0 != nil }) else { return nil }
        return parts.compactMap { $0.map { String($0) } }.joined(separator: ".")
    }

    // MARK: Lists

    /// The lists of models in calls of `Schema`, `ModelContainer` and `modelContainer`, each once; those of previews and
    /// of containers in memory only where there are no others.
    func lists() -> [SwiftDataSchema] {
        var result: [(schema: SwiftDataSchema, isAside: Bool)] = []
        for call in declarations.calls {
            guard let schema = list(of: call) else { continue }
            let isAside =
                call.isPreview || call.arguments.contains("inMemory: true")
                || call.arguments.contains("isStoredInMemoryOnly: true") || isInPreview(call)
            if let place = result.firstIndex(where: { Set($0.schema.models) == Set(schema.models) }) {
                if result[place].isAside, !isAside { result[place] = (schema, false) }
                continue
            }
            result.append((schema, isAside))
        }
        let main = result.filter { !$0.isAside }
        return (main.isEmpty ? result : main).map(\.schema)
    }

    private func isInPreview(_ call: SwiftSchemaCall) -> Bool {
        let place = SwiftDeclarations.Scope(path: [], module: declarations.module(of: call.place))
        guard !call.scope.isEmpty, case .declared(let index)? = declarations.meaning(of: call.scope, in: place) else {
            return false
        }
        return declarations.types[index].inherited.contains("PreviewProvider")
    }

    private func list(of call: SwiftSchemaCall) -> SwiftDataSchema? {
        let arguments = SwiftArguments(call.arguments).arguments
        let scope = SwiftDeclarations.Scope(path: call.scope, module: declarations.module(of: call.place))
        var reader = ModelListReader(declarations)
        var isList = false
        var identifier = "1.0.0"
        for (index, argument) in arguments.enumerated() {
            switch argument.label {
            // `ModelContainer(for: A.self, B.self)`
            case "for", nil:
                guard argument.label == "for" || index == 0 || isList else { continue }
                // A call in the argument is noted by itself; a variable names no types.
                guard argument.value.contains(".self") else { continue }
                isList = true
                let inner =
                    argument.value.hasPrefix("Schema(")
                    ? String(argument.value.dropFirst(7).dropLast()) : argument.value
                guard !inner.contains("versionedSchema:") else { return nil }
                for part in inner == argument.value ? [inner] : SwiftArguments(inner).unlabelled {
                    reader.read(part, in: scope, at: call.place)
                }
            case "version": identifier = Self.identifier(argument.value) ?? identifier
            default: continue
            }
        }
        guard isList, !reader.models.isEmpty || !reader.problems.isEmpty else { return nil }
        return SwiftDataSchema(
            name: "Schema", identifier: identifier, models: reader.models, place: call.place, problems: reader.problems)
    }

    /// The versions that `Schema(versionedSchema:)` names, outside of previews.
    func usedVersions() -> Set<String> {
        var names: Set<String> = []
        for call in declarations.calls where !call.isPreview {
            let scope = SwiftDeclarations.Scope(path: call.scope, module: declarations.module(of: call.place))
            guard let text = Self.value(of: "versionedSchema", in: call.arguments), text.hasSuffix(".self"),
                case .named(let path) = declarations.resolved(
                    SwiftTypeParser.type(String(text.dropLast(5))), in: scope
                ).type, case .declared(let index)? = declarations.meaning(of: path, in: scope)
            else { continue }
            names.insert(declarations.types[index].qualifiedName)
        }
        return names
    }

    /// The value behind a label, in arguments or in those of a call among them.
    private static func value(of label: String, in arguments: String) -> String? {
        let arguments = SwiftArguments(arguments)
        if let value = arguments.value(label) { return value }
        for argument in arguments.arguments where argument.value.hasPrefix("Schema(") {
            return SwiftArguments(String(argument.value.dropFirst(7).dropLast())).value(label)
        }
        return nil
    }

    // MARK: Migration plans

    func plans() -> [SwiftDataMigrationPlan] {
        types(conformingTo: "SchemaMigrationPlan").map { type in
            let members = members(of: type)
            var problems: [SwiftDataProblem] = []
            func text(_ name: String) -> (text: String, scope: SwiftDeclarations.Scope, place: SwiftPlace)? {
                guard let member = members.first(where: { $0.property.name == name }),
                    let text = member.property.body ?? member.property.initialValue
                else { return nil }
                return (text, member.scope, member.property.place)
            }
            let versions = text("schemas").map { typeNames(in: $0.text, $0.scope) } ?? []
            if versions.isEmpty {
                problems.append(
                    SwiftDataProblem(message: "the plan \(type.qualifiedName) lists no versions", place: type.place))
            }
            var stages: [SwiftDataMigrationPlan.Stage] = []
            if let list = text("stages") {
                stages += self.stages(in: list.text, list.scope)
                for name in Self.names(in: list.text) {
                    guard let member = members.first(where: { $0.property.name == name }),
                        let text = member.property.initialValue ?? member.property.body
                    else { continue }
                    stages += self.stages(in: text, member.scope)
                }
            }
            return SwiftDataMigrationPlan(
                name: type.qualifiedName, versions: versions, stages: stages, place: type.place, problems: problems)
        }
    }

    private func typeNames(in text: String, _ scope: SwiftDeclarations.Scope) -> [String] {
        var lexer = SwiftLexer(Array(text.utf8))
        var names: [String] = []
        var result: [String] = []
        var token = lexer.next()
        while token.kind != .end {
            if token.kind == .identifier || token.kind == .escapedIdentifier {
                let name = lexer.text(token.range)
                if name == "self", !names.isEmpty {
                    result.append(qualifiedName(names, scope))
                    names = []
                } else {
                    names.append(name)
                }
            } else if !token.isPunctuation(".") {
                names = []
            }
            token = lexer.next()
        }
        return result
    }

    private func qualifiedName(_ names: [String], _ scope: SwiftDeclarations.Scope) -> String {
        if case .named(let path) = declarations.resolved(.named(names), in: scope).type,
            case .declared(let index)? = declarations.meaning(of: path, in: scope)
        {
            return declarations.types[index].qualifiedName
        }
        return names.joined(separator: ".")
    }

    /// The names that stand for themselves in a list.
    private static func names(in text: String) -> [String] {
        var lexer = SwiftLexer(Array(text.utf8))
        var result: [String] = []
        var isMember = false
        var token = lexer.next()
        while token.kind != .end {
            if token.kind == .identifier, !isMember || result.last == "Self" {
                if result.last == "Self" { result.removeLast() }
                result.append(lexer.text(token.range))
            }
            isMember = token.isPunctuation(".")
            token = lexer.next()
        }
        return result
    }

    /// `.lightweight(fromVersion: A.self, toVersion: B.self)` and `.custom(...)`
    private func stages(in text: String, _ scope: SwiftDeclarations.Scope) -> [SwiftDataMigrationPlan.Stage] {
        var lexer = SwiftLexer(Array(text.utf8))
        var result: [SwiftDataMigrationPlan.Stage] = []
        var token = lexer.next()
        while token.kind != .end {
            let word = token.kind == .identifier ? lexer.text(token.range) : ""
            token = lexer.next()
            guard word == "lightweight" || word == "custom", token.isPunctuation("(") else { continue }
            let start = token.range.upperBound
            var (end, depth) = (start, 0)
            while token.kind != .end {
                if token.kind == .open { depth += 1 }
                if token.kind == .close { depth -= 1 }
                end = token.range.lowerBound
                token = lexer.next()
                if depth == 0 { break }
            }
            let arguments = SwiftArguments(lexer.text(start..<max(start, end)))
            func version(_ label: String) -> String? {
                arguments.value(label).flatMap { typeNames(in: $0, scope).first }
            }
            guard let from = version("fromVersion"), let to = version("toVersion") else { continue }
            result.append(.init(from: from, to: to, isCustom: word == "custom"))
        }
        return result
    }
}
