import ImportMappings
import ManagedObjectModels
import MappingDrafting
import PersistentStores
import RecordSources

/// The files that are read, in their order, each with its mapping.
extension ImportRun {
    /// Returns the files with their mappings, in the order of the mapping file, in which objects that others refer to
    /// come first.
    func inputs(_ opening: SourceOpening, _ findings: inout [String]) throws -> ImportInputs {
        if let spools {
            findings += spools.content.findings
            return spools.content.inputs()
        }
        let streams = sources.filter(StreamInput.isStream)
        if let again = streams.first(where: { path in streams.count { $0 == path } > 1 }) {
            throw SourceError(.alreadyRead, in: again)
        }
        var inputs = ImportInputs()
        switch plan {
        case .entity(let request):
            var surplus = SurplusColumns(entity: request.entity)
            for path in sources { try add(path, request, opening, to: &inputs, &surplus) }
            findings += surplus.findings
        case .mapping(let mapping) where records != nil:
            guard mapping.sources.count == 1 else {
                throw ImportPlanError(
                    .badSetting(
                        "the records of a program go to one source, and the mapping has \(mapping.sources.count)"))
            }
            inputs.append(ProgramRecords.name, by: mapping.sources[0], index: 0)
        case .mapping(let mapping):
            let assignment = try SourceAssignment(paths: sources, mapping: mapping)
            for unused in assignment.unusedSources {
                findings.append("no file is for the source \"\(mapping.sources[unused].name)\" of the mapping")
            }
            for reading in try withRows(assignment.readings, of: mapping, opening) {
                var source = mapping.sources[reading.source]
                // The rejected rows of a workbook are in a file of another format, which begins with its header.
                if !source.format.possibleKinds.contains(reading.kind) { source.format.skippedLines = 0 }
                source.format.kind = reading.kind
                if reading.kind.format.keys.contains("header"), source.needsHeader { source.format.hasHeader = true }
                inputs.append(reading.path, by: source, index: reading.source)
            }
        }
        return inputs
    }

    /// Returns what must be read, without the tables that are missing in a database of rejected rows because all of
    /// their rows were imported.
    private func withRows(
        _ readings: [SourceAssignment.Reading], of mapping: ImportMapping, _ opening: SourceOpening
    ) throws -> [SourceAssignment.Reading] {
        var found: [SourceAssignment.Reading] = []
        var missing: [SourceAssignment.Reading] = []
        for reading in readings {
            var format = mapping.sources[reading.source].format
            format.kind = reading.kind
            let isOfRejects = RejectFileName.stem(ofSourceOf: reading.path) != nil
            if try isOfRejects && !format.hasRejects(in: reading.path, opening) {
                missing.append(reading)
            } else {
                found.append(reading)
            }
        }
        // A database without any of its tables is an error that names the tables that it has.
        return missing.isEmpty
            ? found
            : readings.filter { reading in !missing.contains(reading) || !found.contains { $0.path == reading.path } }
    }

    /// Whether there is a mapping file.
    var isMapped: Bool { if case .mapping = plan { true } else { false } }

    /// Returns findings about the paths of the mapping that no record in any file of their source has.
    func missingPaths(_ importer: ImportSession, _ inputs: ImportInputs) -> [String] {
        var missing: [Int: [ImportReport.MissingPath]] = [:]
        for (file, source) in zip(inputs.files, importer.scope.files) {
            guard let index = inputs.mapping(of: file).index, let found = importer.sources[source].missingPaths?.paths
            else {
                continue
            }
            let paths = Set(found.map(\.path))
            missing[index] = missing[index].map { $0.filter { paths.contains($0.path) } } ?? found
        }
        return missing.sorted { $0.key < $1.key }.flatMap { index, paths in
            let files = inputs.files.filter { inputs.mapping(of: $0).index == index }
            let name = Self.title(of: files.map(\.path))
            return paths.map { "\(name), \($0.entity): no record has the path \"\($0.path)\"\($0.hint)" }
        }
    }

    /// Returns findings about the paths of elements that no file of their source has.
    ///
    /// A JSON file without the keys that lead to its records is an error before.
    func missingElements(_ report: ImportReport, _ inputs: ImportInputs) -> [String] {
        var files: [Int: [String]] = [:]
        var filled = Set<Int>()
        for (file, source) in zip(inputs.files, report.sources) {
            guard let index = inputs.mapping(of: file).index else { continue }
            files[index, default: []].append(file.path)
            if source.records > 0 { filled.insert(index) }
        }
        return files.sorted { $0.key < $1.key }.compactMap { index, paths in
            guard !filled.contains(index), case .mapping(let mapping) = plan,
                let records = mapping.sources[index].format.records, let first = paths.first
            else { return nil }
            let hint =
                if let spools { spools.missingElements[index] } else {
                    Self.elementHint(first, mapping.sources[index].format, records)
                }
            return hint.map { "\(Self.title(of: paths)): no element has the path \"\(records)\"" + $0 }
        }
    }

    /// Returns a hint about the elements that an XML file has in place of its records; nil if it is not an XML file, or
    /// if it is an empty list of such records.
    static func elementHint(_ path: String, _ format: SourceFormat, _ records: String) -> String? {
        guard (try? SourceOpening.kind(of: path, format)) == .xml, let found = try? XMLRecordFinding(path: path),
            !found.isEmptyList(of: records)
        else { return nil }
        return NameList(found.elementPaths).hint(for: records)
    }

    /// Returns the name of several files in messages.
    static func title(of paths: [String]) -> String {
        let first = paths.first.map { StreamInput.title(of: $0) } ?? ""
        return paths.count > 1 ? "\(first) and \(paths.count - 1) more" : first
    }

    /// Returns what distinguishes the records of an input from other records of the same file; nil if the whole file is
    /// read once.
    func part(of file: ImportInputs.File, in inputs: ImportInputs) -> String? {
        let mapping = inputs.mapping(of: file).source
        if case .entity = plan {
            return mapping.format.table ?? mapping.format.records ?? (mapping.format.query == nil ? nil : mapping.name)
        }
        guard inputs.isShared(file) else { return nil }
        // A source without a name of its own is named after the file.
        let isNamed = !mapping.files.contains(mapping.name)
        return isNamed ? mapping.name : mapping.objects.first?.entity
    }

    private func add(
        _ path: String, _ request: EntityRequest, _ opening: SourceOpening, to inputs: inout ImportInputs,
        _ surplus: inout SurplusColumns
    ) throws {
        let matching: ColumnMatching
        let shape: RecordShape = try records != nil ? .flat : SourceOpening.kind(of: path, SourceFormat()).format.shape
        switch shape {
        case .tables: return try addTables(of: path, request, to: &inputs, &surplus)
        case .flat:
            let columns = try opening.columns(of: path, SourceFormat()) ?? []
            matching = try ColumnMatching(source: path, columns: columns, request: request, model: target.model)
        case .nested:
            matching = try ColumnMatching(nested: path, request: request, model: target.model)
        }
        surplus.add(matching.surplusColumns, of: StreamInput.title(of: path))
        inputs.append(path, by: matching.mapping)
    }

    /// Adds the tables of a database whose rows are objects of an entity, with foreign keys as relationships, and the
    /// tables whose rows are pairs with such an object.
    ///
    /// Only declarations of the model and the database are used: columns with the names of attributes, foreign keys,
    /// and the model's uniqueness constraint. What a draft guesses from values must be reviewed by a person.
    private func addTables(
        of path: String, _ request: EntityRequest, to inputs: inout ImportInputs, _ surplus: inout SurplusColumns
    ) throws {
        let draft = try MappingDrafter(model: target.model, basis: .declarations).draft(of: [path])
        var pairs: [SourceMapping] = []
        var isFound = false
        for (index, var source) in draft.mapping.sources.enumerated() {
            guard let object = source.objects.first else { continue }
            guard object.onMissing == .create else {
                if isPair(object, with: request.entity) {
                    // The other objects may exist already, or may come with another import.
                    pairs.append(source.leavingOutWhatIsMissing())
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
            surplus.add(draft.unmatched[index], of: "\(path), \(source.name)")
            inputs.append(path, by: source)
            isFound = true
        }
        guard isFound else { throw ImportPlanError(.noTableMatches, source: path, entity: request.entity) }
        for pair in pairs { inputs.append(path, by: pair) }
    }

    /// Returns whether a row links an object of the entity: the row's object belongs to it, or has a relationship to it.
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
    /// Returns the mapping, changed so that it only links objects that exist, and skips all other rows.
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
