import ManagedObjectModels
import PersistentStores

/// What is read, in which order, and by which mapping.
extension ImportRun {
    struct Input {
        let path: String
        let mapping: SourceMapping
        /// The index of the mapping's source; nil where there is no mapping.
        var index: Int?
    }

    /// The sources with their mappings, in the order of the mapping: what others refer to comes first.
    func inputs(_ opening: SourceOpening, _ findings: inout [String]) throws -> [Input] {
        switch plan {
        case .entity(let request):
            return try sources.flatMap { try inputs(of: $0, request, opening, &findings) }
        case .mapping(let mapping):
            let assignment = try SourceAssignment(paths: sources, mapping: mapping)
            for unused in assignment.unusedSources {
                findings.append("no file is for the source \"\(mapping.sources[unused].name)\" of the mapping")
            }
            return assignment.readings.map { reading in
                var source = mapping.sources[reading.source]
                source.format.kind = reading.kind
                if reading.kind == .csv, source.needsHeader { source.format.hasHeader = true }
                return Input(path: reading.path, mapping: source, index: reading.source)
            }
        }
    }

    /// What tells the records of an input from others of the same file; nil where all of the file is read once.
    func part(of input: Input, in inputs: [Input]) -> String? {
        let format = input.mapping.format
        if case .entity = plan {
            return format.table ?? format.records ?? (format.query == nil ? nil : input.mapping.name)
        }
        guard inputs.filter({ $0.path == input.path }).count > 1 else { return nil }
        // A source without a name of its own is called as the file.
        let isNamed = !input.mapping.files.contains(input.mapping.name)
        return isNamed ? input.mapping.name : input.mapping.objects.first?.entity
    }

    private func inputs(
        of path: String, _ request: EntityRequest, _ opening: SourceOpening, _ findings: inout [String]
    ) throws -> [Input] {
        let matching: ColumnMatching
        switch try SourceOpening.kind(of: path, SourceFormat()) {
        case .sqlite: return try tables(of: path, request)
        case .csv:
            let columns = try opening.columns(of: path, SourceFormat()) ?? []
            matching = try ColumnMatching(source: path, columns: columns, request: request, model: target.model)
        case .json, .xml:
            matching = try ColumnMatching(nested: path, request: request, model: target.model)
        }
        if !matching.surplusColumns.isEmpty {
            findings.append(
                "\(StandardInput.title(of: path)): no attribute of \(request.entity) has the name of these columns: "
                    + matching.surplusColumns.joined(separator: ", "))
        }
        return [Input(path: path, mapping: matching.mapping)]
    }

    /// The tables of a database whose rows are objects of an entity, with foreign keys as relationships, and those
    /// whose rows are pairs with such an object.
    private func tables(of path: String, _ request: EntityRequest) throws -> [Input] {
        let drafted = try MappingDrafter(model: target.model).draft(of: [path]).mapping.sources
        var inputs: [Input] = []
        var pairs: [Input] = []
        for var source in drafted {
            guard let object = source.objects.first else { continue }
            guard object.onMissing == .create else {
                if isPair(object, with: request.entity) {
                    // The other objects may be there already, or come with another import.
                    pairs.append(Input(path: path, mapping: source.leavingOutWhatIsMissing()))
                }
                continue
            }
            guard object.entity == request.entity else { continue }
            for index in source.objects.indices where source.objects[index].entity == request.entity {
                if !request.key.isEmpty { source.objects[index].key = request.key }
                source.objects[index].onMatch = request.onMatch
                source.objects[index].onMissing = request.onMissing
            }
            inputs.append(Input(path: path, mapping: source))
        }
        guard !inputs.isEmpty else {
            throw ImportPlanError(.noTableMatches, source: path, entity: request.entity)
        }
        return inputs + pairs
    }

    /// Whether a row relates an object of the entity: one has the relationship, or is its destination.
    private func isPair(_ object: ObjectMapping, with name: String) -> Bool {
        guard object.entity != name else { return true }
        guard let entity = target.model.entity(named: object.entity), let slot = target.model.slot(named: name) else {
            return false
        }
        return object.relationships.contains { mapped in
            entity.relationship(named: mapped.relationship).map { target.model.isKind(slot, of: $0.destination) }
                ?? false
        }
    }
}

extension SourceMapping {
    /// The rows of pairs whose objects are there; all others are passed over.
    fileprivate func leavingOutWhatIsMissing() -> SourceMapping {
        var source = self
        for object in source.objects.indices {
            source.objects[object].onMissing = .skip
            for (place, relationship) in source.objects[object].relationships.enumerated() {
                guard case .key(var key) = relationship.target else { continue }
                key.missing = .find
                source.objects[object].relationships[place].target = .key(key)
            }
        }
        return source
    }
}
