import ImportMappings
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import RecordConversion
import RecordSources
import SQLiteAccess
import StoreFetching

extension ExportPlanner {
    // MARK: Checks of the data

    /// Checks a constant, which has no column, so that objects with another value cannot be imported again.
    mutating func checkConstant(
        _ text: String, _ attribute: ResolvedAttribute, _ entity: ResolvedEntity, _ columns: inout ColumnList,
        at place: String
    ) throws {
        guard isThorough else { return }
        let value = SQLiteValue.string(text).literal
        let others = try count(entity, where: { "IFNULL(CAST(\($0) AS TEXT) <> \(value), 1)" }, attribute)
        try leaveOut(
            others, of: entity, have: "a value other than the constant \(text.debugDescription)", in: &columns,
            at: place)
    }

    mutating func checkData(
        _ mapped: AttributeMapping, _ attribute: ResolvedAttribute, _ entity: ResolvedEntity,
        _ settings: ConversionSettings, _ columns: inout ColumnList, at place: String
    ) throws {
        try checkNulls(mapped, attribute, entity, settings, &columns, at: place)
        try leaveOutRefused(attribute, entity, &columns, at: place)
        if attribute.type == .string || attribute.type == .uri {
            try checkTexts(attribute, entity, settings, &columns, at: place)
        }
        let isFile = settings.binary == "file" || (settings.binary == nil && settings.folder != nil)
        guard attribute.type == .binaryData || attribute.type == .transformable && settings.archive == nil, !isFile
        else { return }
        try checkEmptyData(attribute, entity, settings, &columns, at: place)
    }

    /// Records an error or a note about objects that cannot be imported again. The trial of each record leaves them
    /// out; if all objects are affected, the mapping is not suitable.
    private mutating func leaveOut(
        _ count: Int64, of entity: ResolvedEntity, have what: String, in columns: inout ColumnList, at place: String
    ) throws {
        guard count > 0 else { return }
        columns.needsTrial = true
        if try count < number(of: entity, where: "TRUEPREDICATE") {
            let objects = count == 1 ? "1 object is left out: it has" : "\(count) objects are left out: they have"
            notes.append(ExportProblem(place, "\(objects) \(what)"))
        } else {
            problems.append(ExportProblem(place, "all \(count) objects have \(what)"))
        }
    }

    private mutating func checkEmptyData(
        _ attribute: ResolvedAttribute, _ entity: ResolvedEntity, _ settings: ConversionSettings,
        _ columns: inout ColumnList, at place: String
    ) throws {
        guard Self.losesEmpty(attribute, settings, columns.format) else { return }
        let count = try count(entity, where: { "\($0) \(attribute.description.emptyDataCondition)" }, attribute)
        let remedy = columns.format == .xml ? "never" : "unless-quoted"
        try leaveOut(
            count, of: entity, have: "data of no bytes, which would be NULL (set emptyAsNull: \(remedy))", in: &columns,
            at: place)
    }

    /// Returns whether objects have values other than those that an import sets by default.
    func hasValues(_ attribute: ResolvedAttribute, _ entity: ResolvedEntity) -> Bool {
        let standard = StoredValue.defaultValue(of: attribute).literal
        return (try? count(entity, where: { "\($0) IS NOT \(standard)" }, attribute)) != 0
    }

    func hasLinks(_ relationship: ResolvedRelationship, _ entity: ResolvedEntity) -> Bool {
        let path = Self.path(relationship.name)
        let question = relationship.isToMany ? "\(path).@count > 0" : "\(path) != NULL"
        return (try? number(of: entity, where: question)) != 0
    }

    func count(
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

    /// Checks whether NULL would become the default value of the mapping or the model.
    private mutating func checkNulls(
        _ mapped: AttributeMapping, _ attribute: ResolvedAttribute, _ entity: ResolvedEntity,
        _ settings: ConversionSettings, _ columns: inout ColumnList, at place: String
    ) throws {
        let hasDefault = mapped.defaultValue != nil || StoredValue.defaultValue(of: attribute) != .null
        // An empty default that is read as NULL is how a mapping preserves NULL.
        if mapped.defaultValue == "", Self.emptyAsNull(attribute, settings) == "always" { return }
        guard hasDefault, !mapped.keepsNull else { return }
        let count = try count(entity, where: { $0 + " IS NULL" }, attribute)
        let remedy = " (with default: \(attribute.type == .string ? "null" : "''") it would not)"
        try leaveOut(
            count, of: entity, have: "NULL, for which the import takes the default" + remedy, in: &columns, at: place)
    }

    /// Checks for values that no import accepts, whatever its settings.
    private mutating func leaveOutRefused(
        _ attribute: ResolvedAttribute, _ entity: ResolvedEntity, _ columns: inout ColumnList, at place: String
    ) throws {
        guard attribute.type == .uri, let table = layout.table(ofEntity: entity.slot),
            let column = layout.column(.attribute(attribute.key))
        else { return }
        let name = SQLiteIdentifier.quoted(column.name)
        let statement = try store.connection.prepare(
            "SELECT \(name) FROM \(SQLiteIdentifier.quoted(table.name)) WHERE Z_ENT = "
                + "\(layout.entityNumbers[entity.slot]) AND \(name) NOT NULL")
        var count: Int64 = 0
        while try statement.step() {
            if let text = statement.value(0).string, !ValueConversion.isURI(text) { count += 1 }
        }
        guard count > 0 else { return }
        columns.needsTrial = true
        let objects = count == 1 ? "1 object is left out: it has" : "\(count) objects are left out: they have"
        notes.append(
            ExportProblem(
                place,
                "\(objects) a URI that is empty, or has characters that must be percent-encoded: no import takes it"
            ))
    }

    /// Checks for texts that the settings would change.
    private mutating func checkTexts(
        _ attribute: ResolvedAttribute, _ entity: ResolvedEntity, _ settings: ConversionSettings,
        _ columns: inout ColumnList, at place: String
    ) throws {
        // URIs that are empty or contain white space have been left out already.
        if attribute.type == .string, Self.losesEmpty(attribute, settings, columns.format) {
            try leaveOut(
                count(entity, where: { $0 + " = ''" }, attribute), of: entity,
                have: "an empty text, which would be NULL (set emptyAsNull: never)", in: &columns, at: place)
        }
        let tokens = Self.nullTokens(settings)
        if columns.format == .xml, !tokens.isEmpty {
            let list = tokens.map { SQLiteValue.string($0).literal }.joined(separator: ", ")
            try leaveOut(
                count(entity, where: { "\($0) IN (\(list))" }, attribute), of: entity,
                have: "a text that means NULL in the mapping (set nullTokens: [])", in: &columns, at: place)
        }
        // White space as the import trims it: characters at the ends that are not above a space.
        if attribute.type == .string, settings.trims ?? false {
            try leaveOut(
                count(
                    entity, where: { "(unicode(\($0)) <= 32 OR unicode(substr(\($0), -1)) <= 32)" }, attribute),
                of: entity, have: "white space at an end, which would be trimmed (set trim: false)", in: &columns,
                at: place)
        }
    }

    // MARK: Tokens for NULL

    /// Returns the texts that the import reads as NULL if they are not quoted.
    static func nullTokens(_ settings: ConversionSettings) -> [String] {
        (settings.nullTokens ?? [RecordField.commonNullToken]).filter { !$0.isEmpty }
    }

    // MARK: Empty values

    /// Returns when the import reads an empty value as NULL: as the settings specify, or as the type requires.
    private static func emptyAsNull(_ attribute: ResolvedAttribute, _ settings: ConversionSettings) -> String {
        settings.emptyAsNull ?? (attribute.type == .string ? "unless-quoted" : "always")
    }

    /// Returns whether an empty value would be imported as NULL. XML has no quotes that distinguish them.
    private static func losesEmpty(
        _ attribute: ResolvedAttribute, _ settings: ConversionSettings, _ format: ExportFormat
    ) -> Bool {
        let rule = emptyAsNull(attribute, settings)
        return rule == "always" || format == .xml && rule != "never"
    }
}
