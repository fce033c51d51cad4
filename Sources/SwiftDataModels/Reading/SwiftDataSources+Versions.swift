public import ManagedObjectModels

/// The versions as models.
extension SwiftDataSources {
    /// The versions, those of a migration plan in its order. If there are several plans without a version in common,
    /// each is of a store of its own, as are several lists that are not versions.
    public var modelVersions: ModelVersions {
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        let whole = name.hasSuffix(".swift") ? String(name.dropLast(6)) : name
        let planned = plans.map { plan in schemas.filter { plan.versions.contains($0.name) } }.filter { !$0.isEmpty }
        let areSeparate = planned.count > 1 && planned.joined().count == Set(planned.joined().map(\.name)).count
        var versions: [ModelVersion] = []
        if areSeparate {
            for plan in plans {
                let own = schemas.filter { plan.versions.contains($0.name) }
                versions += modelVersions(own, [plan], ModelFolder(name: plan.name, path: "\(path)#\(plan.name)"))
            }
        }
        let current = currentName(of: schemas, plans)
        if !schemas.contains(where: \.isVersioned) {
            // The models of a container may be in several stores, each with a list: a list never follows another one.
            for list in schemas where schemas.count > 1 && list.name != current {
                versions += modelVersions(
                    [list], [], ModelFolder(name: list.name, path: "\(path)#\(list.name)", isWhole: current == nil))
            }
        }
        let known = Set(versions.map(\.name))
        let others = schemas.filter { !known.contains($0.name) }
        versions += modelVersions(others, areSeparate ? [] : plans, ModelFolder(name: whole, path: path))
        let problems = plans.flatMap(\.problems).map { warning($0, .source($0.message)) }
        return ModelVersions(path: path, versions: versions, warnings: fileWarnings + problems)
    }

    /// What the bundle of some versions is called.
    private struct ModelFolder {
        let name: String
        let path: String
        /// Whether its current version is that of a store.
        var isWhole = true
    }

    private func modelVersions(
        _ schemas: [SwiftDataSchema], _ plans: [SwiftDataMigrationPlan], _ folder: ModelFolder
    ) -> [ModelVersion] {
        let bundle = ModelBundle(
            name: folder.name, path: folder.path,
            currentVersionName: folder.isWhole ? currentName(of: schemas, plans) : nil,
            stages: plans.flatMap { plan in
                plan.stages.map { ModelBundle.Stage(from: $0.from, to: $0.to, isCustom: $0.isCustom) }
            })
        return schemas.map { schema in
            ModelVersion(
                name: schema.name, path: "\(path)#\(schema.name)", bundle: bundle,
                documentPath: declarations.files[schema.place.file].path
            ) { () throws(ModelError) in try document(of: schema) }
        }
    }

    /// The version that the app opens its store with: the only one, the one that it names, or the newest.
    private func currentName(of schemas: [SwiftDataSchema], _ plans: [SwiftDataMigrationPlan]) -> String? {
        if schemas.count == 1 { return schemas[0].name }
        let used = SchemaFinder(declarations: declarations).usedVersions().intersection(schemas.map(\.name))
        if used.count == 1 { return used.first }
        if let last = plans.max(by: { $0.versions.count < $1.versions.count })?.versions.last { return last }
        if schemas.contains(where: \.isVersioned) { return schemas.last?.name }
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
