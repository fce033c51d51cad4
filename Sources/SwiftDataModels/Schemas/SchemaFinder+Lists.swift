/// Versions that are listed in calls of initializers.
extension SchemaFinder {
    /// Returns the lists of models in calls of `Schema`, `ModelContainer` and `modelContainer`, without duplicates;
    /// those in previews and of in-memory containers only if there are no others.
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
                // A call in the argument is recorded separately.
                guard argument.value.contains(".self") || isListName(argument.value, in: scope) else { continue }
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

    /// Returns whether a value is the name of a static or global property that lists types, as in
    /// `Schema(AppSchema.models)`, or that is such a name itself.
    private func isListName(_ value: String, in scope: SwiftDeclarations.Scope, depth: Int = 0) -> Bool {
        guard depth < ModelListReader.maximumDepth, case .named(let names) = SwiftTypeParser.type(value),
            let found = declarations.staticMember(names, in: scope),
            let text = found.property.body ?? found.property.initialValue
        else { return false }
        return text.contains(".self") && !text.contains("(") || isListName(text, in: found.scope, depth: depth + 1)
    }

    /// Returns the versions in `Schema(versionedSchema:)`, except in previews.
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

    /// Returns the value with a label, in arguments or in those of a call among them.
    private static func value(of label: String, in arguments: String) -> String? {
        let arguments = SwiftArguments(arguments)
        if let value = arguments.value(label) { return value }
        for argument in arguments.arguments where argument.value.hasPrefix("Schema(") {
            return SwiftArguments(String(argument.value.dropFirst(7).dropLast())).value(label)
        }
        return nil
    }
}
