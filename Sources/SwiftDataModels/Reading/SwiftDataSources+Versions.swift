public import ManagedObjectModels

/// The versions as models.
extension SwiftDataSources {
    /// The versions, those of a migration plan in its order.
    public var modelVersions: ModelVersions {
        let current = currentName
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        let bundle = ModelBundle(
            name: name.hasSuffix(".swift") ? String(name.dropLast(6)) : name, path: path, currentVersionName: current,
            stages: plans.flatMap { plan in
                plan.stages.map { ModelBundle.Stage(from: $0.from, to: $0.to, isCustom: $0.isCustom) }
            })
        let versions = schemas.map { schema in
            ModelVersion(
                name: schema.name, path: "\(path)#\(schema.name)", bundle: bundle,
                documentPath: declarations.files[schema.place.file].path
            ) { () throws(ModelError) in try document(of: schema) }
        }
        let problems = plans.flatMap(\.problems).map { warning($0, .source($0.message)) }
        return ModelVersions(path: path, versions: versions, warnings: fileWarnings + problems)
    }

    /// The version that the app opens its store with: the only one, the one that it names, or the newest.
    private var currentName: String? {
        if schemas.count == 1 { return schemas[0].name }
        let used = SchemaFinder(declarations: declarations).usedVersions().intersection(schemas.map(\.name))
        if used.count == 1 { return used.first }
        if let last = plans.max(by: { $0.versions.count < $1.versions.count })?.versions.last { return last }
        let isVersioned = schemas.contains { $0.name != "Schema" && !$0.name.hasPrefix("Schema ") }
        if isVersioned { return schemas.last?.name }
        // Of lists, the one that holds all others.
        let all = schemas.reduce(into: Set<Int>()) { $0.formUnion($1.models) }
        return schemas.first { Set($0.models) == all }?.name
    }

    private func document(of schema: SwiftDataSchema) throws(ModelError) -> ModelDocument {
        let derived = derivedModel(of: schema)
        if let first = derived.problems.first { throw error(first, others: derived.problems.dropFirst()) }
        return document(of: derived)
    }

    func derivedModel(of schema: SwiftDataSchema, rules others: SwiftDataRules? = nil) -> DerivedModel {
        ModelDerivation.derive(schema, from: declarations, rules: others ?? rules, moment: selection.moment)
    }

    func document(of derived: DerivedModel) -> ModelDocument {
        var document = ModelDocument(model: derived.model)
        for (element, place) in derived.places {
            document.lines[element] = place.line
            document.files[element] = declarations.files[place.file].path
        }
        document.warnings = derived.remarks.map { warning($0, .source($0.message)) }
        for question in derived.questions {
            for entity in [question.entity] + subentities(of: question.entity, in: derived.model) {
                let element = ModelElement.property(question.property, entity: question.entity)
                let place = derived.places[element] ?? derived.places[.entity(question.entity)]
                let problem = SwiftDataProblem(
                    message: question.reason, entity: entity,
                    property: question.property.isEmpty ? nil : question.property,
                    place: place ?? SwiftPlace(file: 0, line: 1, column: 1))
                document.warnings.append(
                    warning(
                        problem,
                        .uncertainHash(
                            question.reason + "; a store of this version tells (ferry hashes --fit STORE --save)")))
            }
        }
        return document
    }

    private func subentities(of name: String, in model: ManagedObjectModel) -> [String] {
        var found: [String] = []
        var open = [name]
        while let next = open.popLast() {
            let children = model.entities.filter { $0.superentityName == next && !found.contains($0.name) }.map(\.name)
            found += children
            open += children
        }
        return found.filter { $0 != name }
    }
}
