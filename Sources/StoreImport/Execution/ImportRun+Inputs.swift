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

    /// Whether somebody wrote what the records become.
    var isMapped: Bool { if case .mapping = plan { true } else { false } }

    /// The paths of the mapping that no record of any file of their source has, as findings.
    func missingPaths(_ report: ImportReport, _ inputs: [Input]) -> [String] {
        var missing: [Int: [ImportReport.MissingPath]] = [:]
        for (input, source) in zip(inputs, report.sources) where source.records > 0 {
            guard let index = input.index else { continue }
            let found = source.missingPaths ?? []
            let paths = Set(found.map(\.path))
            missing[index] = missing[index].map { $0.filter { paths.contains($0.path) } } ?? found
        }
        return missing.sorted { $0.key < $1.key }.flatMap { index, paths in
            let files = inputs.filter { $0.index == index }
            let first = files.first.map { StandardInput.title(of: $0.path) } ?? ""
            let name = files.count > 1 ? "\(first) and \(files.count - 1) more" : first
            return paths.map { "\(name), \($0.entity): no record has the path \"\($0.path)\"\($0.hint)" }
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
        case .sqlite: return try tables(of: path, request, &findings)
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
    ///
    /// Only what the model and the database declare counts: columns that are called as attributes, foreign keys, and the
    /// model's uniqueness constraint. What a draft guesses from values is for somebody to look through.
    private func tables(
        of path: String, _ request: EntityRequest, _ findings: inout [String]
    ) throws -> [Input] {
        let draft = try MappingDrafter(model: target.model, basis: .declarations).draft(of: [path])
        var inputs: [Input] = []
        var pairs: [Input] = []
        for (index, var source) in draft.mapping.sources.enumerated() {
            guard let object = source.objects.first else { continue }
            guard object.onMissing == .create else {
                if isPair(object, with: request.entity) {
                    // The other objects may be there already, or come with another import.
                    pairs.append(Input(path: path, mapping: source.leavingOutWhatIsMissing()))
                }
                continue
            }
            guard object.entity == request.entity else { continue }
            if object.attributes.isEmpty && object.relationships.isEmpty { continue }
            for index in source.objects.indices where source.objects[index].entity == request.entity {
                source.objects[index].key = request.key
                source.objects[index].onMatch = request.onMatch
                source.objects[index].onMissing = request.onMissing
            }
            if !draft.unmatched[index].isEmpty {
                findings.append(
                    "\(path), \(source.name): no attribute of \(request.entity) has the name of these columns: "
                        + draft.unmatched[index].joined(separator: ", "))
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
