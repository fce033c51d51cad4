import ManagedObjectModels
public import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching
public import StoreImport

/// Inverts an import mapping: what the export writes, the import with this mapping makes into the same objects.
///
/// It looks at the data where only they tell: whether an object lacks a value for which the import takes a default.
public struct ExportPlanner {
    let mapping: ImportMapping
    let store: SQLiteStore
    let layout: StoreLayout
    let format: ExportFormat?
    /// Whether the files are to be imported again, and the data are looked at.
    let isThorough: Bool
    var problems: [ExportProblem] = []
    var notes: [ExportProblem] = []

    var model: ResolvedModel { layout.model }

    /// - Parameters:
    ///   - format: the format of sources whose mapping says none.
    ///   - isThorough: false where nobody will import the files: then the data are not looked at.
    /// Throws `ExportError` with all that has no inverse.
    public static func plan(
        inverting mapping: ImportMapping, store: SQLiteStore, layout: StoreLayout, format: ExportFormat?,
        isThorough: Bool = true
    ) throws -> ExportPlan {
        var planner = ExportPlanner(
            mapping: mapping, store: store, layout: layout, format: format, isThorough: isThorough)
        var plan = ExportPlan()
        for source in mapping.sources {
            if let file = try planner.file(source) { plan.files.append(file) }
        }
        planner.checkNames(plan.files)
        guard planner.problems.isEmpty else { throw ExportError(problems: planner.problems) }
        plan.notes = planner.notes
        return plan
    }

    private init(
        mapping: ImportMapping, store: SQLiteStore, layout: StoreLayout, format: ExportFormat?, isThorough: Bool
    ) {
        self.isThorough = isThorough
        self.mapping = mapping
        self.store = store
        self.layout = layout
        self.format = format
    }

    private mutating func checkNames(_ files: [ExportFile]) {
        for (index, file) in files.enumerated() {
            let earlier = files[..<index]
            if earlier.contains(where: { $0.name == file.name }) {
                problems.append(
                    ExportProblem(file.name, "several sources are for it, and which object is of which does not show"))
            }
            if earlier.contains(where: { $0.entity == file.entity }) {
                problems.append(
                    ExportProblem(file.name, "an earlier source makes objects of \(file.entity) too; leave one out"))
            }
        }
    }

    // MARK: Sources

    private mutating func file(_ source: SourceMapping) throws -> ExportFile? {
        guard let object = source.objects.first, object.records == nil, object.parent == nil else {
            problems.append(ExportProblem(source.name, "no object is that of the whole record; put one first"))
            return nil
        }
        guard let entity = model.entity(named: object.entity), !entity.isAbstract else {
            problems.append(ExportProblem(source.name, "the model has no entity \(object.entity) that has objects"))
            return nil
        }
        guard let format = fileFormat(of: source) else {
            problems.append(
                ExportProblem(source.name, "it is for databases, which are not written; use CSV, JSON or XML"))
            return nil
        }
        if object.onMissing != .create {
            problems.append(
                ExportProblem(
                    source.name, "onMissing is \(object.onMissing.rawValue): nothing would come into an empty store"))
        }
        let settings = source.settings.inheriting(mapping.settings)
        var columns = ColumnList(format: format)
        for attribute in object.attributes {
            try add(attribute, of: entity, settings, source, to: &columns)
        }
        for relationship in object.relationships {
            try add(relationship, of: entity, settings, source, to: &columns)
        }
        let parts = try parts(of: object, entity, settings, source, to: &columns)
        checkUnplaced(source, placed: parts)
        if let filter = source.filter { add(filter, source, to: &columns) }
        if isThorough { note(missingFrom: object, entity, source) }
        problems += columns.problems.map { ExportProblem(source.name, $0) }
        var result = file(source, entity, format, columns)
        result.parts = parts
        return result
    }

    private func fileFormat(of source: SourceMapping) -> ExportFormat? {
        switch source.format.kind {
        case .csv: return .csv
        case .xml: return .xml
        case .json:
            switch source.format.layout {
            case .lines?: return .ndjson
            case .array?: return .json
            default: return format ?? .json
            }
        case .sqlite: return nil
        case nil:
            if let format { return format }
            let name = source.files.first ?? ""
            let ending = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
            return ["jsonl": .ndjson, "tsv": .csv][ending] ?? ExportFormat(rawValue: ending) ?? .csv
        }
    }

    private mutating func file(
        _ source: SourceMapping, _ entity: ResolvedEntity, _ format: ExportFormat, _ columns: ColumnList
    ) -> ExportFile {
        var name = (source.files.first ?? "").filter { $0 != "*" && $0 != "?" }
        if name.isEmpty || name.hasPrefix(".") { name = entity.name + (name.isEmpty ? "." + format.rawValue : name) }
        var file = ExportFile(
            name: name.split(separator: "/").last.map(String.init) ?? name, entity: entity.name, format: format,
            columns: columns.columns)
        let described = source.format
        if let delimiter = described.delimiter { file.dialect.delimiter = byte(delimiter, "delimiter", source) }
        if let quote = described.quote { file.dialect.quote = byte(quote, "quote", source) }
        if described.hasHeader == false { file.dialect.hasHeader = false }
        file.dialect.listSeparator = columns.separator
        file.dialect.nullTokens = columns.nullTokens
        for (isSet, what) in [
            (described.comment != nil, "comment"), (described.escape?.isEmpty == false, "escape"),
            (described.skippedLines > 0, "skipLines"),
            (described.encoding.map { $0.uppercased() != "UTF-8" } == true, "encoding"),
            (described.newline == .carriageReturn, "newline"), (described.layout == .concatenated, "layout"),
        ] where isSet {
            problems.append(ExportProblem(source.name, "files with this \(what) are not written; leave it out"))
        }
        if let columns = described.columns, format == .csv {
            file.columns = columns.map { column in
                file.columns.first { $0.path == [column] } ?? ExportColumn(path: [column], value: .constant(.null))
            }
        }
        if let records = described.records { place(records, source, in: &file) }
        file.elements.namespaces = described.namespaces
        if format == .json || format == .ndjson { file.columns = ColumnList.grouped(file.columns) }
        return file
    }

    private mutating func place(_ records: String, _ source: SourceMapping, in file: inout ExportFile) {
        if file.format == .xml {
            let names = records.split(separator: "/").map(String.init)
            file.elements.record = names.last ?? file.elements.record
            if records.hasPrefix("/"), names.count > 1 { file.elements.around = names.dropLast() }
        } else if file.format == .json, let path = ColumnPath(records), !path.isList {
            file.recordPath = path.names
        } else {
            problems.append(ExportProblem(source.name, "records at \(records) are not written"))
        }
    }

    private mutating func byte(_ text: String, _ what: String, _ source: SourceMapping) -> UInt8 {
        if let byte = text.utf8.first, text.utf8.count == 1 { return byte }
        problems.append(
            ExportProblem(
                source.name, "the \(what) \(text.debugDescription) is not one character of ASCII, as written files have"))
        return UInt8(ascii: ",")
    }

    // MARK: What is not in the files

    mutating func note(missingFrom object: ObjectMapping, _ entity: ResolvedEntity, _ source: SourceMapping) {
        let attributes = Set(object.attributes.map(\.attribute))
        let relationships = Set(object.relationships.map(\.relationship))
        let missing = entity.attributes.filter { $0.isStored && !$0.isDerived && !attributes.contains($0.name) }
            .map(\.name)
        let unlinked = entity.relationships.filter { relationship in
            guard relationship.isStored, !relationships.contains(relationship.name) else { return false }
            return !mapping.sources.flatMap(\.objects).contains { other in
                guard let inverse = relationship.inverse, let slot = model.entity(named: other.entity)?.slot
                else { return false }
                return model.isKind(slot, of: inverse.owner)
                    && other.relationships.contains { $0.relationship == inverse.name }
            }
        }.map(\.name)
        guard !missing.isEmpty || !unlinked.isEmpty else { return }
        notes.append(
            ExportProblem(
                "\(source.name): \(entity.name)", "not in the mapping, and so not exported: "
                    + (missing + unlinked).joined(separator: ", ")))
    }
}
