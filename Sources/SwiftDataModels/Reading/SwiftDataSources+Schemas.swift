import ManagedObjectModels

/// The versions in the sources, and their order.
extension SwiftDataSources {
    static func schemas(
        _ finder: SchemaFinder, _ plans: [SwiftDataMigrationPlan], _ selection: SwiftDataSelection, path: String
    ) throws(ModelError) -> [SwiftDataSchema] {
        if !selection.modelTypes.isEmpty { return [try named(selection.modelTypes, finder.declarations, path: path)] }
        var versions = finder.versionedSchemas()
        // The order in migration plans takes precedence over that of the version numbers.
        var order: [String] = []
        for name in plans.flatMap(\.versions) where !order.contains(name) { order.append(name) }
        let places = versions.indices.filter { order.contains(versions[$0].name) }
        let named = places.map { versions[$0] }.sorted { left, right in
            (order.firstIndex(of: left.name) ?? 0) < (order.firstIndex(of: right.name) ?? 0)
        }
        for (place, version) in zip(places, named) { versions[place] = version }
        if versions.isEmpty { versions = numbered(finder.lists()) }
        if let schema = selection.schema {
            let found = versions.filter { $0.name == schema || $0.name.hasSuffix("." + schema) }
            guard !found.isEmpty else {
                throw ModelError(.unknownVersion(schema, known: versions.map(\.name)), path: path)
            }
            return found
        }
        guard !versions.isEmpty else {
            let names = finder.declarations.types.filter(\.isModel).map(\.qualifiedName)
            throw ModelError(
                .source(
                    "nothing here lists the models of a version (VersionedSchema, Schema([...]), ModelContainer(for:)); "
                        + "name them with --model-types, as in --model-types \(names.prefix(5).joined(separator: ","))"),
                path: path)
        }
        return versions
    }

    private static func numbered(_ lists: [SwiftDataSchema]) -> [SwiftDataSchema] {
        guard lists.count > 1 else { return lists }
        return lists.enumerated().map { index, list in
            SwiftDataSchema(
                name: index == 0 ? list.name : "\(list.name) \(index + 1)", identifier: list.identifier,
                models: list.models, place: list.place, problems: list.problems)
        }
    }

    private static func named(
        _ names: [String], _ declarations: SwiftDeclarations, path: String
    ) throws(ModelError) -> SwiftDataSchema {
        var models: [Int] = []
        for name in names {
            let found = declarations.types.indices.filter { index in
                let type = declarations.types[index]
                return type.isModel && (type.qualifiedName == name || type.name == name)
            }
            let exact = found.filter { declarations.types[$0].qualifiedName == name }
            guard let index = exact.count == 1 ? exact.first : found.first, exact.count == 1 || found.count == 1 else {
                let known = found.isEmpty ? declarations.types.indices.filter { declarations.types[$0].isModel } : found
                throw ModelError(
                    .source(
                        "\(name) is \(found.isEmpty ? "no @Model class of the sources" : "the name of several classes"); "
                            + "known: \(known.prefix(20).map { declarations.types[$0].qualifiedName }.joined(separator: ", "))"
                    ),
                    path: path)
            }
            models.append(index)
        }
        return SwiftDataSchema(
            name: "Schema", identifier: "1.0.0", models: models,
            place: models.first.map { declarations.types[$0].place } ?? SwiftPlace(file: 0, line: 1, column: 1),
            problems: [])
    }
}
