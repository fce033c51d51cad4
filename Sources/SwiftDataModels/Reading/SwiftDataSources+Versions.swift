public import ManagedObjectModels

/// The versions as models.
extension SwiftDataSources {
    /// The versions, those of a migration plan in its order. If several plans have no version in common, each belongs
    /// to a different store, as do several lists that are not versions.
    public var modelVersions: ModelVersions {
        let versions = stores.flatMap { store in
            let bundle = ModelBundle(
                name: store.name, path: store.path, currentVersionName: store.current,
                stages: store.plans.flatMap { plan in
                    plan.stages.map { ModelBundle.Stage(from: $0.from, to: $0.to, isCustom: $0.isCustom) }
                })
            return store.schemas.map { schema in
                ModelVersion(
                    name: schema.name, path: "\(path)#\(schema.name)", bundle: bundle,
                    documentPath: declarations.files[schema.place.file].path
                ) { () throws(ModelError) in try document(of: schema) }
            }
        }
        let problems = plans.flatMap(\.problems).map { warning($0, .source($0.message)) }
        return ModelVersions(path: path, versions: versions, warnings: fileWarnings + problems)
    }

    /// The versions of one store, like those of a bundle.
    private struct StoreVersions {
        let name: String
        let path: String
        let schemas: [SwiftDataSchema]
        let plans: [SwiftDataMigrationPlan]
        let current: String?
    }

    private var stores: [StoreVersions] {
        let used = SchemaFinder(declarations: declarations).usedVersions()
        func part(_ name: String, _ own: [SwiftDataSchema], _ plans: [SwiftDataMigrationPlan], current: String?)
            -> StoreVersions
        {
            StoreVersions(name: name, path: "\(path)#\(name)", schemas: own, plans: plans, current: current)
        }
        var stores: [StoreVersions] = []
        var (rest, others) = (schemas, plans)
        let planned = plans.map { plan in (plan, schemas.filter { plan.versions.contains($0.name) }) }
            .filter { !$0.1.isEmpty }
        let names = planned.flatMap { $0.1.map(\.name) }
        if planned.count > 1, names.count == Set(names).count {
            stores = planned.map { plan, own in
                part(plan.name, own, [plan], current: currentName(of: own, [plan], used))
            }
            rest = schemas.filter { !names.contains($0.name) }
            others = []
        } else if schemas.count > 1, !schemas.contains(where: \.isVersioned) {
            // The models of a container may be in several stores, each with its own list: a list is never the successor
            // of another one.
            let whole = currentName(of: schemas, plans, used)
            stores = schemas.filter { $0.name != whole }.map { list in
                part(list.name, [list], [], current: whole == nil ? list.name : nil)
            }
            rest = schemas.filter { $0.name == whole }
        }
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        let last = StoreVersions(
            name: name.hasSuffix(".swift") ? String(name.dropLast(6)) : name, path: path, schemas: rest, plans: others,
            current: currentName(of: rest, others, used))
        return stores + [last]
    }

    /// Returns the version with which the app opens its store: the only one, the one that it names, or the newest.
    private func currentName(
        of schemas: [SwiftDataSchema], _ plans: [SwiftDataMigrationPlan], _ used: Set<String>
    ) -> String? {
        if schemas.count == 1 { return schemas[0].name }
        let named = used.intersection(schemas.map(\.name))
        if named.count == 1 { return named.first }
        if let last = plans.max(by: { $0.versions.count < $1.versions.count })?.versions.last { return last }
        if schemas.contains(where: \.isVersioned) { return schemas.last?.name }
        // Of several lists, the one that contains all others.
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
