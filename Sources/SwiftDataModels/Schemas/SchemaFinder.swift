/// Finds the versions that sources declare.
struct SchemaFinder {
    let declarations: SwiftDeclarations

    /// Returns the versions that conform to `VersionedSchema`, in the order of their identifiers.
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

    private func schema(of type: SwiftTypeDeclaration) -> SwiftDataSchema {
        let members = declarations.staticMembers(of: type)
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

    /// Returns `Schema.Version(1, 0, 0)` as `1.0.0`.
    static func identifier(_ text: String) -> String? {
        guard let start = text.firstIndex(of: "("), let end = text[start...].firstIndex(of: ")") else { return nil }
        let parts = SwiftArguments(String(text[text.index(after: start)..<end])).arguments.map {
            SwiftLiteral.integer($0.value)
        }
        guard parts.count == 3, parts.allSatisfy({ $0 != nil }) else { return nil }
        return parts.compactMap { $0.map { String($0) } }.joined(separator: ".")
    }

    func plans() -> [SwiftDataMigrationPlan] {
        types(conformingTo: "SchemaMigrationPlan").map { MigrationPlanReader.plan($0, of: declarations) }
    }
}
