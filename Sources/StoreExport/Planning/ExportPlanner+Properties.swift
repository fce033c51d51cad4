import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching
import StoreImport

extension ExportPlanner {
    // MARK: Attributes

    mutating func add(
        _ mapped: AttributeMapping, of entity: ResolvedEntity, _ outer: ConversionSettings, _ source: SourceMapping,
        to columns: inout ColumnList
    ) throws {
        let place = "\(source.name): \(entity.name).\(mapped.attribute)"
        guard let attribute = entity.attribute(named: mapped.attribute), attribute.isStored else {
            return problems.append(ExportProblem(place, "the store has no such attribute"))
        }
        let settings = mapped.conversion.inheriting(outer)
        guard let style = style(settings, of: attribute, at: place) else { return }
        if case .constant(let text) = mapped.value {
            return try checkConstant(text, attribute, entity, style, at: place)
        }
        guard let names = columnNames(mapped.value, at: place) else { return }
        if isThorough { try checkData(mapped, attribute, entity, settings, columns.format, at: place) }
        columns.nullTokens = Array(Set(columns.nullTokens + (settings.nullTokens ?? []))).sorted()
        columns.add(names[0], .keyPath(attribute.name), style)
        for name in names.dropFirst() { columns.add(name, .constant(.null), style) }
    }

    /// A constant needs no column where all objects have it; other values would not come back.
    private mutating func checkConstant(
        _ text: String, _ attribute: ResolvedAttribute, _ entity: ResolvedEntity, _ style: ValueStyle, at place: String
    ) throws {
        guard [.string, .integer16, .integer32, .integer64].contains(attribute.type) else {
            return problems.append(ExportProblem(place, "it is a constant, whatever the object has"))
        }
        guard isThorough else { return }
        let value = SQLiteValue.string(text).literal
        let others = try count(entity, where: { "IFNULL(CAST(\($0) AS TEXT) <> \(value), 1)" }, attribute)
        guard others > 0 else { return }
        problems.append(
            ExportProblem(
                place, "it is the constant \(text.debugDescription), and \(others) objects have another value"))
    }

    private mutating func checkData(
        _ mapped: AttributeMapping, _ attribute: ResolvedAttribute, _ entity: ResolvedEntity,
        _ settings: ConversionSettings, _ format: ExportFormat, at place: String
    ) throws {
        try checkNulls(mapped, attribute, entity, settings, at: place)
        try noteRefused(attribute, entity, at: place)
        if attribute.type == .string || attribute.type == .uri {
            try checkTexts(attribute, entity, settings, format, at: place)
        }
        guard attribute.type == .binaryData || attribute.type == .transformable else { return }
        try checkEmptyData(attribute, entity, settings, format, at: place)
    }

    private mutating func checkEmptyData(
        _ attribute: ResolvedAttribute, _ entity: ResolvedEntity, _ settings: ConversionSettings,
        _ format: ExportFormat, at place: String
    ) throws {
        let emptyAsNull = settings.emptyAsNull ?? "always"
        guard emptyAsNull == "always" || format == .xml && emptyAsNull != "never" else { return }
        let count = try count(entity, where: { "\($0) \(attribute.description.emptyDataCondition)" }, attribute)
        guard count > 0 else { return }
        let remedy = format == .xml ? "never" : "unless-quoted"
        problems.append(
            ExportProblem(
                place, "\(count) objects have data of no bytes, which would be NULL; set emptyAsNull: \(remedy)"))
    }

    /// The column that gets the value, and others that stay empty.
    private mutating func columnNames(_ origin: ValueOrigin, at place: String) -> [String]? {
        switch origin {
        case .column(let name): return [name]
        case .firstOf(let names) where !names.isEmpty: return names
        case .firstOf: return nil
        case .constant: problems.append(ExportProblem(place, "it is a constant, whatever the object has"))
        case .template:
            problems.append(ExportProblem(place, "it is a text made of columns, which does not tell its parts"))
        case .expression: problems.append(ExportProblem(place, "it is computed, and what from does not show"))
        }
        return nil
    }

    mutating func style(
        _ settings: ConversionSettings, of attribute: ResolvedAttribute, at place: String
    ) -> ValueStyle? {
        var style = ValueStyle()
        switch attribute.type {
        case .date:
            switch settings.date ?? "iso8601" {
            case "iso8601": style.dates = .iso8601
            case "seconds2001": style.dates = .seconds2001
            case "seconds1970": style.dates = .seconds1970
            case let other:
                problems.append(
                    ExportProblem(place, "dates as \(other) lose digits; use iso8601, seconds1970 or seconds2001"))
                return nil
            }
        case .binaryData, .transformable:
            switch settings.binary ?? (settings.folder == nil ? "base64" : "file") {
            case "base64": style.binary = .base64
            case "hex": style.binary = .hexadecimal
            case let other:
                problems.append(ExportProblem(place, "binary data as \(other) are not written; use base64 or hex"))
                return nil
            }
        case .boolean:
            style.yes = settings.yes?.first ?? "1"
            style.no = settings.no?.first ?? "0"
        case .decimal, .double, .float:
            if let separator = settings.decimalSeparator?.utf8.first { style.decimalSeparator = separator }
        default: break
        }
        return style
    }

    // MARK: What the data tell

    private func count(
        _ entity: ResolvedEntity, where condition: (String) -> String, _ attribute: ResolvedAttribute
    ) throws -> Int64 {
        guard let table = layout.table(ofEntity: entity.slot), let column = layout.column(.attribute(attribute.key))
        else { return 0 }
        let source = SQLiteIdentifier.quoted(table.name)
        return try store.connection.value(
            "SELECT count(*) FROM \(source) WHERE Z_ENT = \(layout.entityNumbers[entity.slot]) AND "
                + condition(SQLiteIdentifier.quoted(column.name))
        ).integer ?? 0
    }

    /// A NULL would become the default that the mapping or the model has.
    private mutating func checkNulls(
        _ mapped: AttributeMapping, _ attribute: ResolvedAttribute, _ entity: ResolvedEntity,
        _ settings: ConversionSettings, at place: String
    ) throws {
        let hasDefault = mapped.defaultValue != nil || StoredValue.defaultValue(of: attribute) != .null
        // An empty default that counts as NULL is how a mapping keeps NULL.
        let emptyAsNull = settings.emptyAsNull ?? (attribute.type == .string ? "unless-quoted" : "always")
        if mapped.defaultValue == "", emptyAsNull == "always" { return }
        guard hasDefault else { return }
        let count = try count(entity, where: { $0 + " IS NULL" }, attribute)
        guard count > 0 else { return }
        problems.append(
            ExportProblem(
                place,
                "\(count) objects have NULL, for which the import takes the default"
                    + (attribute.type == .string ? "" : "; with default: '' it would not")))
    }

    /// Values that are written, and that no import takes.
    private mutating func noteRefused(
        _ attribute: ResolvedAttribute, _ entity: ResolvedEntity, at place: String
    ) throws {
        // From ! to ~ are the characters that a URI may have.
        guard attribute.type == .uri else { return }
        let (condition, what) = ("GLOB '*[^!-~]*'", "a URI with characters that must be percent-encoded")
        let count = try count(entity, where: { "\($0) \(condition)" }, attribute)
        guard count > 0 else { return }
        notes.append(ExportProblem(place, "\(count) objects have \(what): the import will reject them"))
    }

    /// Texts that the settings would change.
    private mutating func checkTexts(
        _ attribute: ResolvedAttribute, _ entity: ResolvedEntity, _ settings: ConversionSettings,
        _ format: ExportFormat, at place: String
    ) throws {
        let isString = attribute.type == .string
        let emptyAsNull = settings.emptyAsNull ?? (isString ? "unless-quoted" : "always")
        if emptyAsNull == "always" || format == .xml && emptyAsNull != "never",
            case let count = try count(entity, where: { $0 + " = ''" }, attribute), count > 0
        {
            problems.append(
                ExportProblem(place, "\(count) objects have an empty text, which would be NULL; set emptyAsNull: never")
            )
        }
        // White space as the import trims it: what is at an end and no higher than a space.
        if settings.trims ?? !isString,
            case let count = try count(
                entity, where: { "(unicode(\($0)) <= 32 OR unicode(substr(\($0), -1)) <= 32)" }, attribute), count > 0
        {
            problems.append(ExportProblem(place, "\(count) objects have white space at an end, which would be trimmed"))
        }
    }

    // MARK: Relationships

    mutating func add(
        _ mapped: RelationshipMapping, of entity: ResolvedEntity, _ outer: ConversionSettings, _ source: SourceMapping,
        to columns: inout ColumnList
    ) throws {
        let place = "\(source.name): \(entity.name).\(mapped.relationship)"
        guard let relationship = entity.relationship(named: mapped.relationship), relationship.isStored else {
            return problems.append(ExportProblem(place, "the store has no such relationship"))
        }
        // Objects in the record are its parts.
        guard case .key(let target) = mapped.target else { return }
        guard !mapped.adds else {
            return problems.append(
                ExportProblem(place, "each record adds one object: a record here is an object with all of them"))
        }
        guard target.parts.count == 1 || !relationship.isToMany else {
            return problems.append(ExportProblem(place, "a list of keys of several parts is not written"))
        }
        let slot = target.entity.flatMap { model.slot(named: $0) } ?? relationship.destination
        for part in target.parts {
            guard let name = part.attribute ?? mapping.keyAttribute(of: model.entities[slot], in: model) else {
                return problems.append(ExportProblem(place, "the objects that it leads to have no key"))
            }
            guard let names = columnNames(part.value, at: place) else { return }
            let attribute = self.attribute(name, of: model.entities[slot])
            guard let attribute, let style = style(part.conversion.inheriting(outer), of: attribute, at: place) else {
                return problems.append(
                    ExportProblem(place, "\(name) is no stored attribute of \(model.entities[slot].name)"))
            }
            if isThorough { try checkKey(name, attribute, of: relationship, entity, at: place) }
            if let separator = target.separator, relationship.isToMany { columns.join(by: separator) }
            let isList = relationship.isToMany && columns.format != .csv
            columns.add(names[0], .keyPath("\(relationship.name).\(name)"), style, isList: isList)
            for name in names.dropFirst() { columns.add(name, .constant(.null), style) }
        }
        if relationship.isToMany, target.separator == nil, columns.format == .csv {
            problems.append(ExportProblem(place, "a field holds one key without a separator; give it one"))
        }
    }

    /// An attribute, or one behind to-one relationships.
    private func attribute(_ path: String, of entity: ResolvedEntity) -> ResolvedAttribute? {
        var entity = entity
        var rest = path[...]
        while true {
            if let attribute = entity.attribute(named: String(rest)) { return attribute.isStored ? attribute : nil }
            guard let dot = rest.firstIndex(of: "."), let next = entity.relationship(named: String(rest[..<dot])),
                !next.isToMany
            else { return nil }
            entity = model.entities[next.destination]
            rest = rest[rest.index(after: dot)...]
        }
    }

    /// An object whose key is NULL would not be found.
    private mutating func checkKey(
        _ name: String, _ attribute: ResolvedAttribute, of relationship: ResolvedRelationship, _ entity: ResolvedEntity,
        at place: String
    ) throws {
        let question =
            relationship.isToMany
            ? "SUBQUERY(\(relationship.name), $d, $d.\(name) = NULL).@count > 0"
            : "\(relationship.name) != NULL AND \(relationship.name).\(name) = NULL"
        var request = FetchRequest(entityName: entity.name, predicate: try? FormatPredicate(format: question))
        request.includesSubentities = false
        request.resultType = .count
        guard request.predicate != nil else { return }
        let plan = try FetchCompiler.plan(request, layout: layout, storeUUID: "", now: 0)
        let cursor = try FetchCursor(plan, store: store, layout: layout)
        guard try cursor.next(), cursor.statement.integer(0) > 0 else { return }
        problems.append(
            ExportProblem(place, "\(cursor.statement.integer(0)) objects lead to some whose key \(name) is NULL"))
    }

    // MARK: Filters

    /// A filter that records of one kind pass: the export writes the text that passes.
    mutating func add(_ filter: RecordFilter, _ source: SourceMapping, to columns: inout ColumnList) {
        switch filter {
        case .isIn(let column, let texts) where !texts.isEmpty && !columns.columns.contains { $0.path == [column] }:
            columns.add(column, .constant(.string(texts[0])), ValueStyle())
        case .all(let parts): parts.forEach { add($0, source, to: &columns) }
        default:
            problems.append(
                ExportProblem(
                    source.name,
                    "its filter may leave out objects; a filter can be inverted where a column that is no "
                        + "attribute must have a text"))
        }
    }
}
