public import ImportMappings
import ManagedObjectModels
public import PersistentStores
import PredicateExpressions
import RecordConversion
import RecordSources
import SQLiteAccess
public import StoreFetching

/// Creates the import mapping for exported files. An export without a mapping inverts this one.
public struct MappingGenerator {
    private let layout: StoreLayout
    private let store: SQLiteStore
    private let format: ExportFormat
    private let dates: ValueStyle.Dates
    /// Whether the values of transformable attributes are written as JSON.
    private let archivesAsJSON: Bool
    /// Whether the mapping will be used for an import, so that all data must be examined.
    private let isThorough: Bool
    private var keys: ObjectKeys
    private var separator: String?
    /// For each slot, the number of exported slots before it; at the end, the number of all exported slots.
    private var exportedBefore: [Int] = []
    /// The objects and properties that the mapping leaves out, with the reasons.
    public private(set) var notes: [ExportProblem] = []
    /// Additional columns that the mapping does not use: relationships to objects without a key, as URIs, by entity.
    public private(set) var extraColumns: [String: [ExportColumn]] = [:]
    /// The relationships of the additional columns.
    private(set) var unfindable: Set<PropertyKey> = []

    private var model: ResolvedModel { layout.model }

    /// Prepares mappings for the objects of a store.
    /// - Parameters:
    ///   - store: an open store.
    ///   - layout: the tables and columns of the store, and its model.
    ///   - format: the format of the files.
    ///   - dates: how dates are written.
    ///   - archivesAsJSON: whether the values of transformable attributes are written as JSON, instead of their bytes.
    ///   - isThorough: false if the mapping is only used for the export, so that keys and defaults do not matter.
    public init(
        store: SQLiteStore, layout: StoreLayout, format: ExportFormat, dates: ValueStyle.Dates = .iso8601,
        isThorough: Bool = true, archivesAsJSON: Bool = false
    ) {
        self.archivesAsJSON = archivesAsJSON
        self.isThorough = isThorough
        self.store = store
        self.layout = layout
        self.format = format
        self.dates = dates
        keys = ObjectKeys(stores: [FetchedStore(store, layout)])
    }

    /// Prepares the export of several stores together, whose keys must identify the objects of all of them; the mapping
    /// is not used for an import.
    init(stores: [FetchedStore], _ style: ExportPlanner.Style) {
        self.init(
            store: stores[0].store, layout: stores[0].layout, format: style.format, dates: style.dates,
            isThorough: false, archivesAsJSON: style.archives != nil)
        keys = ObjectKeys(stores: stores)
    }

    /// Returns the mapping of some entities, each with a file of its name.
    /// - Throws: `FetchError` for an entity that the model does not have, or whose table the store lacks; `SQLiteError`
    ///   if the store cannot be read.
    public mutating func mapping(of entities: [String], files: [String: String] = [:]) throws -> ImportMapping {
        var slots: [Int] = []
        for name in entities {
            guard let slot = model.slot(named: name) else {
                throw FetchError(.entityUnknown(name, known: model.entities.map(\.name)))
            }
            guard layout.table(ofEntity: slot) != nil else { throw FetchError(.tableMissing(entity: name)) }
            slots.append(slot)
        }
        let exported = Set(slots)
        exportedBefore = model.entities.indices.reduce(into: [0]) { counts, slot in
            counts.append(counts[slot] + (exported.contains(slot) ? 1 : 0))
        }
        separator = format == .csv ? try commonSeparator(slots) : nil
        let sources = try slots.map { try source($0, files[model.entities[$0].name]) }
        var settings = ConversionSettings()
        if dates != .iso8601 { settings.date = dates.rawValue }
        if archivesAsJSON, slots.contains(where: { model.entities[$0].attributes.contains(where: Self.isArchive) }) {
            settings.archive = ArchiveForm.json.rawValue
        }
        if format == .xml {
            settings.emptyAsNull = "never"
            // XML has no quotes that distinguish texts from tokens, and NULL is a missing element.
            settings.nullTokens = []
        }
        return ImportMapping(settings: settings, sources: sources)
    }

    private static func isArchive(_ attribute: ResolvedAttribute) -> Bool {
        attribute.isStored && attribute.type == .transformable
    }

    private mutating func source(_ slot: Int, _ file: String?) throws -> SourceMapping {
        let entity = model.entities[slot]
        var object = ObjectMapping(entity: entity.name, key: isThorough ? try keys.key(of: slot) : [])
        for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
            guard layout.column(.attribute(attribute.key)) != nil, ValueConversion(attributeType: attribute.type) != nil
            else { continue }
            object.attributes.append(try mapped(attribute, entity))
        }
        for relationship in entity.relationships where relationship.isStored {
            guard try isHeld(relationship) else { continue }
            try add(relationship, of: entity, to: &object)
        }
        return SourceMapping(
            name: file ?? "\(entity.name).\(format.rawValue)", files: [file ?? "\(entity.name).\(format.rawValue)"],
            format: SourceFormat(format, record: entity.name), objects: [object])
    }

    /// Paths quote names with periods; names of CSV columns are not quoted.
    private func column(_ name: String) -> String {
        format == .csv ? name : ColumnPath.text(of: name)
    }

    private mutating func mapped(_ attribute: ResolvedAttribute, _ entity: ResolvedEntity) throws -> AttributeMapping {
        var mapped = AttributeMapping(attribute: attribute.name, value: .column(column(attribute.name)))
        guard isThorough, let column = layout.column(.attribute(attribute.key)),
            let table = layout.table(ofEntity: entity.slot)
        else { return mapped }
        let (source, name) = (SQLiteIdentifier.quoted(table.name), SQLiteIdentifier.quoted(column.name))
        func exists(_ condition: String) throws -> Bool {
            try !store.connection.value(
                "SELECT 1 FROM \(source) WHERE Z_ENT = \(layout.entityNumbers[entity.slot]) AND \(name) \(condition) LIMIT 1"
            ).isNull
        }
        if attribute.type == .binaryData || attribute.type == .transformable && !archivesAsJSON,
            try exists(attribute.description.emptyDataCondition)
        {
            mapped.conversion.emptyAsNull = format == .xml ? "never" : "unless-quoted"
        }
        guard StoredValue.defaultValue(of: attribute) != .null else { return mapped }
        // With an empty default that is read as NULL, a NULL stays NULL.
        guard try exists("IS NULL") else { return mapped }
        if attribute.type == .string {
            // No text could stand for NULL.
            mapped.keepsNull = try exists("= ''")
            if mapped.keepsNull { return mapped }
        }
        mapped.conversion.emptyAsNull = "always"
        mapped.defaultValue = ""
        return mapped
    }

    // MARK: Relationships

    /// Returns whether this side of a relationship is exported; the import sets the other side.
    private mutating func isHeld(_ relationship: ResolvedRelationship) throws -> Bool {
        guard let inverse = relationship.inverse, !relationship.isSelfInverse, !inverse.isTransient,
            isExported(model.entities[inverse.owner].subtree),
            let other = model.inverse(of: relationship)
        else { return true }
        let isPreferred: Bool
        if relationship.isOrdered != inverse.isOrdered {
            // Only the ordered side of a relationship has the order.
            isPreferred = relationship.isOrdered
        } else if relationship.isToMany != inverse.isToMany {
            isPreferred = !relationship.isToMany
        } else {
            isPreferred = (relationship.owner, relationship.name) < (inverse.owner, inverse.name)
        }
        let (canHold, otherCan) = (try canBeFound(relationship), try canBeFound(other))
        return isPreferred ? canHold || !otherCan : canHold && !otherCan
    }

    private func isExported(_ slots: Range<Int>) -> Bool {
        exportedBefore[slots.upperBound] > exportedBefore[slots.lowerBound]
    }

    /// Returns whether the objects to which a relationship leads have a key that fits into a column or a list.
    private mutating func canBeFound(_ relationship: ResolvedRelationship) throws -> Bool {
        let key = try keys.key(of: relationship.destination)
        return relationship.isToMany ? key.count == 1 : !key.isEmpty
    }

    private mutating func add(
        _ relationship: ResolvedRelationship, of entity: ResolvedEntity, to object: inout ObjectMapping
    ) throws {
        let place = "\(entity.name).\(relationship.name)"
        if isThorough, relationship.inverse?.isOrdered == true, !relationship.isSelfInverse {
            notes.append(ExportProblem(place, "its inverse is ordered, and that order is not in the files"))
        }
        let destination = model.entities[relationship.destination]
        let key = try keys.key(of: relationship.destination)
        let isList = relationship.isToMany
        // If the inverse relationship is exported, it has the same information.
        if key.isEmpty, !isThorough, isList, relationship.inverse?.isToMany == false { return }
        guard !key.isEmpty, !isList || key.count == 1 else {
            let reason =
                key.isEmpty
                ? "no attribute tells the objects of \(destination.name) apart"
                : "the key of \(destination.name) has several parts"
            unfindable.insert(relationship.key)
            notes.append(
                ExportProblem(
                    place,
                    "\(reason), so that the import cannot find them; the files have their URIs"
                        + (try needs(of: relationship, entity, destination.name))))
            extraColumns[entity.name, default: []].append(
                ExportColumn(path: [relationship.name], value: .keyPath(relationship.name)))
            return
        }
        guard !isList || format != .csv || separator != nil else {
            notes.append(ExportProblem(place, "the keys contain every separator; export JSON"))
            return
        }
        var parts = key.map { name in
            let column = column(key.count == 1 ? relationship.name : "\(relationship.name).\(name)")
            return RelationshipMapping.KeyPart(
                attribute: name, value: .column(isList && format != .csv ? column + "[*]" : column))
        }
        // The elements of a list are not quoted.
        if isThorough, isList, format == .csv,
            try keys.hasValue(RecordField.commonNullToken, of: relationship.destination, key[0])
        {
            parts[0].conversion.nullTokens = []
        }
        object.relationships.append(
            RelationshipMapping(
                relationship: relationship.name,
                target: .key(.init(parts: parts, separator: isList && format == .csv ? separator : nil))))
    }

    /// Returns the consequence for objects that require a relationship whose destination the import cannot find.
    private func needs(
        of relationship: ResolvedRelationship, _ entity: ResolvedEntity, _ destination: String
    ) throws -> String {
        guard isThorough else { return "" }
        let inverse = model.inverse(of: relationship).map { (model.entities[$0.owner], $0) }
        let required = try [(entity, relationship), inverse].compactMap { $0 }.filter { owner, relationship in
            guard !relationship.isOptional, CountRule(relationship)?.minimum ?? 0 > 0,
                let table = layout.table(ofEntity: owner.slot)
            else { return false }
            let numbers = owner.subtree.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
            return try !store.connection.value(
                "SELECT 1 FROM \(SQLiteIdentifier.quoted(table.name)) WHERE Z_ENT IN (\(numbers)) LIMIT 1"
            ).isNull
        }
        guard !required.isEmpty else { return "" }
        return required.map { "; \($0.name).\($1.name) is required: the import rejects the objects of \($0.name)" }
            .joined()
            + "; give \(destination) an attribute of which each object has a value of its own, or copy the objects with "
            + "ferry merge-into"
    }

    /// Returns a separator that occurs in no key of a list.
    private mutating func commonSeparator(_ slots: [Int]) throws -> String? {
        var found: String?
        for slot in slots {
            let relationships = model.entities[slot].relationships
            for relationship in relationships where relationship.isStored && relationship.isToMany {
                guard try isHeld(relationship) else { continue }
                let key = try keys.key(of: relationship.destination)
                guard key.count == 1, let own = try keys.separator(of: relationship.destination, key[0])
                else { continue }
                // All lists have the same separator, so a rarer one is used if any list requires it.
                if found.map({ Self.rarity($0) < Self.rarity(own) }) ?? true { found = own }
            }
        }
        return found
    }

    private static func rarity(_ separator: String) -> Int { ["|", ";", "/", "~", "^"].firstIndex(of: separator) ?? 0 }
}

extension AttributeDescription {
    /// The SQL condition, following the column name, for binary data without bytes. Values that allow external storage
    /// have a tag.
    var emptyDataCondition: String { hasExternalData ? "IN (X'', X'01')" : "= X''" }
}
