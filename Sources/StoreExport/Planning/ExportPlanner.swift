public import ImportMappings
import ManagedObjectModels
public import PersistentStores
import PredicateExpressions
import RecordConversion
import RecordSources
import SQLiteAccess
import StoreFetching
public import ValueTransformers

/// Inverts an import mapping: an import with this mapping recreates the objects from the files that the export writes.
///
/// It examines the data if necessary, for example to find out whether an object lacks a value for which the import has
/// a default.
public struct ExportPlanner {
    let mapping: ImportMapping
    let store: SQLiteStore
    let layout: StoreLayout
    let format: ExportFormat?
    /// Whether the files will be imported again, so that the data are examined.
    let isThorough: Bool
    /// Converts the values of transformable attributes to JSON if the mapping specifies this.
    let transformers: ValueTransformerRegistry
    /// Writes binary data to separate files.
    let files = BinaryFiles()
    var problems: [ExportProblem] = []
    var notes: [ExportProblem] = []
    var placements: [ObjectPlacement] = []
    private let objects: MappedObjects
    /// Relationships for which there already is a note that they cannot be imported again.
    private var unfindable: Set<PropertyKey> = []

    var model: ResolvedModel { layout.model }

    /// Plans the files from which an import mapping recreates the objects.
    /// - Parameters:
    ///   - mapping: the import mapping, which the export inverts.
    ///   - store: an open store.
    ///   - layout: the tables and columns of the store, and its model.
    ///   - format: the format of sources for which the mapping specifies none.
    ///   - isThorough: false if the files will not be imported, so that the data need not be examined.
    ///   - transformers: convert the bytes of transformable attributes to values if the mapping has `archive`.
    /// - Throws: `ExportError` if parts of the mapping have no inverse; `SQLiteError` if the store cannot be read.
    public static func plan(
        inverting mapping: ImportMapping, store: SQLiteStore, layout: StoreLayout, format: ExportFormat?,
        isThorough: Bool = true, transformers: ValueTransformerRegistry = ValueTransformerRegistry()
    ) throws -> ExportPlan {
        try plan(
            inverting: mapping, store: store, layout: layout, format: format, isThorough: isThorough,
            transformers: transformers, without: [])
    }

    static func plan(
        inverting mapping: ImportMapping, store: SQLiteStore, layout: StoreLayout, format: ExportFormat?,
        isThorough: Bool, transformers: ValueTransformerRegistry, without unfindable: Set<PropertyKey>
    ) throws -> ExportPlan {
        var planner = ExportPlanner(
            mapping: mapping, store: store, layout: layout, format: format, isThorough: isThorough,
            transformers: transformers)
        planner.unfindable = unfindable
        var files: [ExportFile] = []
        for (index, source) in mapping.sources.enumerated() {
            if let file = try planner.file(source, at: index) { files.append(file) }
        }
        planner.checkEntities(files)
        planner.separate(&files)
        var plan = ExportPlan(files: planner.united(files))
        guard planner.problems.isEmpty else { throw ExportError(problems: planner.problems) }
        plan.notes = planner.notes
        return plan
    }

    private init(
        mapping: ImportMapping, store: SQLiteStore, layout: StoreLayout, format: ExportFormat?, isThorough: Bool,
        transformers: ValueTransformerRegistry
    ) {
        self.transformers = transformers
        self.isThorough = isThorough
        self.mapping = mapping
        self.store = store
        self.layout = layout
        self.format = format
        objects = MappedObjects(of: mapping, in: layout.model)
    }

    /// Checks that no two files contain all objects of the same entity, because the second one would repeat the first.
    /// Files that only add links or values to the objects are allowed.
    private mutating func checkEntities(_ files: [ExportFile]) {
        var seen: Set<String> = []
        for file in files where !file.isAddition && !seen.insert(file.entity).inserted {
            problems.append(
                ExportProblem(file.name, "an earlier source makes objects of \(file.entity) too; leave one out"))
        }
    }

    // MARK: Sources

    private mutating func file(_ source: SourceMapping, at index: Int) throws -> ExportFile? {
        guard let format = SourceMapping.writtenFormat(of: source, else: format) else {
            problems.append(
                ExportProblem(
                    source.name,
                    "it is for databases, which are not written; with --write-mapping FILE they "
                        + "become CSV, and FILE a mapping for it"))
            return nil
        }
        guard let record = recordObjects(of: source) else { return nil }
        let root = record.objects[0]
        noteMissing(source, record, isMade: objects.areMade(of: root.mapping.entity, before: index))
        let settings = source.settings.inheriting(mapping.settings)
        var columns = ColumnList(format: format)
        for object in record.objects {
            for attribute in object.mapping.attributes {
                try add(attribute, of: object, settings, source, to: &columns)
            }
            for link in object.mapping.relationships { try add(link, of: object, settings, source, to: &columns) }
            if isThorough { note(missingFrom: object.mapping, object.entity, source) }
        }
        let parts = try parts(of: root.mapping, root.entity, settings, source, to: &columns)
        checkUnplaced(source, placed: parts, whole: record.objects.count)
        resolveDeferred(in: &columns)
        if let filter = source.filter { add(filter, at: source.name, to: &columns) }
        problems += columns.problems.map { ExportProblem(source.name, $0) }
        var result = file(source, root.entity, format, columns)
        result.unwoundRelationship = record.unwound
        result.isAddition = record.unwound != nil || root.mapping.onMissing != .create
        result.isKeyed = isKeyed(root.mapping, root.entity)
        for object in record.objects {
            guard let relationship = object.relationship else { continue }
            place(object.mapping, object.entity, relationship, at: source.name)
        }
        result.parts = parts
        result.binaryFiles = files
        result.trial = trial(of: record.objects, filter: source.filter, settings, columns)
        return result
    }

    func trial(
        of objects: [RecordObject], filter: RecordFilter?, _ settings: ConversionSettings, _ columns: ColumnList
    ) -> ExportTrial {
        var trial = ExportTrial(
            objects: objects.map { object in
                ExportTrial.Object(
                    mapping: object.mapping, values: object.mapping.attributes.map { object.content($0.attribute) },
                    presence: object.presence)
            }, filter: filter, settings: settings)
        trial.isNeeded = isThorough && columns.needsTrial
        trial.transformers = transformers
        return trial
    }

    /// Notes the values that an import into an empty store only gets from other sources.
    ///
    /// - Parameter isMade: whether an earlier source creates objects of the entity.
    private mutating func noteMissing(
        _ source: SourceMapping, _ record: (objects: [RecordObject], unwound: String?), isMade: Bool
    ) {
        let root = record.objects[0].mapping
        if root.onMissing != .create, !isMade {
            notes.append(
                ExportProblem(
                    source.name,
                    "onMissing is \(root.onMissing.rawValue), and no earlier source makes objects of "
                        + "\(root.entity): nothing comes into an empty store"))
        }
        guard isThorough, let unwound = record.unwound, root.onMissing == .create, !isMade,
            let alone = try? number(of: record.objects[0].entity, where: "\(Self.path(unwound)).@count = 0"), alone > 0
        else { return }
        notes.append(
            ExportProblem(
                source.name,
                "\(Quantity.count(Int64(alone), "object")) of \(root.entity) without \(unwound), and not exported"))
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
        if let escape = described.escape, !escape.isEmpty { file.dialect.escape = byte(escape, "escape", source) }
        if described.hasHeader == false { file.dialect.hasHeader = false }
        file.dialect.listSeparator = columns.separator
        file.dialect.isValidated = isThorough
        file.dialect.nullTokens = columns.nullTokens
        for (isSet, what) in [
            (described.comment != nil, "comment"),
            (described.skippedLines > 0, "skipLines"),
            (described.encoding.map { $0.uppercased() != "UTF-8" } == true, "encoding"),
            (described.newline == .carriageReturn, "newline"), (described.layout == .concatenated, "layout"),
        ] where isSet {
            problems.append(ExportProblem(source.name, "files with this \(what) are not written; leave it out"))
        }
        if let columns = described.columns, format == .csv {
            file.columns = columns.map { column in
                file.columns.first { $0.path == [.name(column)] }
                    ?? ExportColumn(path: [column], value: .constant(.null))
            }
        }
        if let records = described.records { place(records, source, in: &file) }
        file.elements.namespaces = described.namespaces
        if format != .csv { file.columns = ColumnList.grouped(file.columns) }
        return file
    }

    private mutating func place(_ records: String, _ source: SourceMapping, in file: inout ExportFile) {
        if file.format == .xml {
            let names = records.split(separator: "/").map(String.init)
            file.elements.record = names.last ?? file.elements.record
            if records.hasPrefix("/"), names.count > 1 { file.elements.around = names.dropLast() }
        } else if file.format == .json, let path = ColumnPath(records), !path.isList, let names = path.names {
            file.recordPath = names
        } else {
            problems.append(ExportProblem(source.name, "records at \(records) are not written"))
        }
    }

    private mutating func byte(_ text: String, _ what: String, _ source: SourceMapping) -> UInt8 {
        if let byte = text.utf8.first, text.utf8.count == 1 { return byte }
        problems.append(
            ExportProblem(
                source.name, "the \(what) \(text.debugDescription) is not one character of ASCII, as written files have"
            ))
        return UInt8(ascii: ",")
    }

    // MARK: Data that the files do not contain

    mutating func note(missingFrom object: ObjectMapping, _ entity: ResolvedEntity, _ source: SourceMapping) {
        // If several sources create one object, the note about missing properties is added once.
        let same = objects.objects(of: object.entity)
        guard object == same.first else { return }
        let attributes = Set(same.flatMap(\.attributes).map(\.attribute))
        let relationships = Set(same.flatMap(\.relationships).map(\.relationship))
        let missing = entity.attributes.filter {
            $0.isStored && !$0.isDerived && !attributes.contains($0.name) && hasValues($0, entity)
        }
        let unlinked = entity.relationships.filter { relationship in
            guard relationship.isStored, !relationships.contains(relationship.name),
                !unfindable.contains(relationship.key), hasLinks(relationship, entity)
            else { return false }
            return !(relationship.inverse.map { objects.isMapped($0.key) || unfindable.contains($0.key) } ?? false)
        }
        guard !missing.isEmpty || !unlinked.isEmpty else { return }
        let required =
            missing.filter { !$0.isOptional && StoredValue.defaultValue(of: $0) == .null }.map(\.name)
            + unlinked.filter { !$0.isOptional && CountRule($0)?.minimum ?? 0 > 0 }.map(\.name)
        notes.append(
            ExportProblem(
                "\(source.name): \(entity.name)",
                "not in the mapping, and so not exported: "
                    + (missing.map(\.name) + unlinked.map(\.name)).joined(separator: ", ")
                    + (required.isEmpty
                        ? ""
                        : "; required, so that the import rejects the objects: \(required.joined(separator: ", "))")))
    }
}
