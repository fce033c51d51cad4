import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// The tables that name objects by entity number and key: persistent history and the mirror of CloudKit. They are
/// updated when objects are migrated (docs/format/sqlite-store.md#persistent-history, #cloudkit-mirroring).
///
/// Objects that are kept also keep their keys, and only the numbers of their entities change. A mapping that creates
/// new objects gives each the key of its source plus a number. A row then names the object that was created from the
/// one it named before, if that object exists. Rows about deleted objects are kept if only one mapping leads from their
/// entity. Other rows are removed.
struct EntityReferences {
    /// The destination of a source entity's objects.
    struct Target {
        let number: Int
        let offset: Int64
        /// The mapping that creates the objects; nil if objects are kept.
        let creation: Creation?
    }

    /// Returns SQL that finds the objects which a mapping has created.
    struct Creation {
        /// Returns the key of the object that was created from several sources, given the key of one of them; NULL if
        /// there is none. It is nil if each object has one source, whose key plus a number is its own.
        let unitedKey: ((String) -> String)?
        /// Returns whether an object has a source's key plus the number, given the source's key.
        let isThere: (String) -> String
    }

    struct Entity {
        let number: Int
        /// The name of the source's table on the migrating connection.
        let table: String
        let targets: [Target]
        /// Whether the old and the new entity have the same properties.
        let isSame: Bool

        var isRenumbered: Bool { targets.contains { $0.number != number || $0.offset != 0 } }
    }

    let schema: StoreSchema

    /// Whether objects are recreated, so that an object that is named may not exist any more.
    let recreatesObjects: Bool

    /// The entities that are kept.
    let entities: [Entity]

    /// Whether every kept entity keeps its number, and no other entity gets the number of a removed one.
    let meanTheSame: Bool

    /// Creates the references for objects that are kept.
    init(following builder: TransferBuilder, schema: StoreSchema) {
        self.init(from: builder.source, to: builder.destination, naming: builder.naming, schema, recreates: false) {
            slot in
            builder.correspondence.destinationSlot[slot].map { [(slot: $0, offset: Int64(0), creation: nil)] } ?? []
        }
    }

    /// Creates the references for objects that a mapping model creates.
    init(following builder: MappedTransferBuilder, schema: StoreSchema) {
        self.init(
            from: builder.source, to: builder.destination, naming: builder.expressions.naming, schema, recreates: true
        ) { slot in
            builder.mappings.filter { $0.source == slot }.map { mapping in
                (mapping.destination, mapping.offset, Self.creation(of: mapping, builder))
            }
        }
    }

    private static func creation(of mapping: ResolvedEntityMapping, _ builder: MappedTransferBuilder) -> Creation {
        let plus = MappedTransferBuilder.plus(mapping.offset)
        func key(_ source: String) -> String {
            (try? builder.destinationKey(mapping, of: source, kind: mapping.destination)) ?? "NULL"
        }
        switch mapping.keys {
        case .offset: return Creation(unitedKey: nil) { "\(key($0)) IS NOT NULL" }
        case .identity(let table, _):
            return Creation(unitedKey: key) { source in
                "EXISTS (SELECT 1 FROM \(table) d WHERE d.destination = \(source)\(plus))"
            }
        case .associated:
            // Only the result shows which objects a policy has created.
            let table = builder.destination.table(ofEntity: mapping.destination)?.name ?? ""
            let number = builder.destination.entityNumbers[mapping.destination]
            return Creation(unitedKey: nil) { source in
                "EXISTS (SELECT 1 FROM main.\(SQLiteIdentifier.quoted(table)) d WHERE d.Z_PK = \(source)\(plus) "
                    + "AND d.Z_ENT = \(number))"
            }
        }
    }

    private typealias Destination = (slot: Int, offset: Int64, creation: Creation?)

    /// - Parameter targets: the slots of the entities that a source entity becomes, the numbers that are added to the
    ///   keys, and the way to find keys for which this is not sufficient.
    private init(
        from source: StoreLayout, to destination: StoreLayout, naming: SourceNaming, _ schema: StoreSchema,
        recreates: Bool, _ targets: (Int) -> [Destination]
    ) {
        self.schema = schema
        recreatesObjects = recreates
        entities = source.model.entities.compactMap { entity in
            let found = targets(entity.slot)
            guard let table = source.table(ofEntity: entity.slot), !found.isEmpty else { return nil }
            let properties = Self.signatures(of: entity)
            return Entity(
                number: source.entityNumbers[entity.slot], table: naming.name(table.name),
                targets: found.map { slot, offset, creation in
                    Target(number: destination.entityNumbers[slot], offset: offset, creation: creation)
                },
                isSame: found.allSatisfy { Self.signatures(of: destination.model.entities[$0.slot]) == properties })
        }
        let used = Set(destination.entityNumbers)
        let kept = Set(entities.map(\.number))
        meanTheSame =
            !recreates && !entities.contains(where: \.isRenumbered)
            && source.entityNumbers.allSatisfy { kept.contains($0) || !used.contains($0) }
    }

    /// What must be the same in a property for the bits of ZCOLUMNS to keep their meaning.
    private enum PropertySignature: Equatable {
        case attribute(String, AttributeType, isStored: Bool)
        case relationship(String, ResolvedRelationship.Storage, isStored: Bool)
    }

    private static func signatures(of entity: ResolvedEntity) -> [PropertySignature] {
        entity.attributes.map { .attribute($0.name, $0.type, isStored: $0.isStored) }
            + entity.relationships.map { .relationship($0.name, $0.storage, isStored: $0.isStored) }
    }

    // MARK: - Tables

    static let changes = "ACHANGE"

    var hasHistory: Bool { schema.table(named: "ATRANSACTION") != nil }

    var hasChanges: Bool { schema.table(named: Self.changes)?.hasColumn("ZENTITY") ?? false }

    /// The tables of CloudKit's mirror.
    var mirrors: [String] { schema.tables.filter(\.isCloudKitMirror).map(\.name) }

    /// The mirror's tables in which the column with entity numbers is known.
    var numberedMirrors: [String] {
        mirrors.filter { schema.table(named: $0)?.hasColumn("ZENTITYID") ?? false }
    }

    /// The mirror's tables in which no column with entity numbers is known.
    var unknownMirrors: [String] {
        mirrors.filter { !(schema.table(named: $0)?.hasColumn("ZENTITYID") ?? false) }
    }

    // MARK: - Conditions

    static func list(_ numbers: [Int]) -> String {
        numbers.sorted().map(String.init).joined(separator: ", ")
    }

    /// Returns a condition for rows of entities that were removed or that were never in the model. Core Data's own
    /// entities have numbers beyond those of any model.
    func isGone(_ column: String) -> String {
        "\(column) <= \(EntityRecord.firstSystemNumber) AND \(column) NOT IN (\(Self.list(entities.map(\.number))))"
    }

    func isRenumbered(_ column: String) -> String? {
        let numbers = entities.filter(\.isRenumbered).map(\.number)
        return numbers.isEmpty ? nil : "\(column) IN (\(Self.list(numbers)))"
    }

    /// A condition for changes whose ZCOLUMNS refer to properties of an entity that has other properties now; nil if
    /// there are none.
    var forgetsColumns: String? {
        let numbers = entities.filter { !$0.isSame }.map(\.number)
        guard !numbers.isEmpty, schema.table(named: Self.changes)?.hasColumn("ZCOLUMNS") ?? false else { return nil }
        return "ZENTITY IN (\(Self.list(numbers))) AND ZCOLUMNS IS NOT NULL"
    }

    // MARK: - Counts

    struct Counts {
        var removed: Int64 = 0
        var forgotten: Int64 = 0
        var renumbered: Int64 = 0
        /// The rows of the mirror whose entities were removed.
        var unmirrored: Int64 = 0
    }

    /// Counts the rows that are affected according to the models alone; rows of objects that a mapping model drops are
    /// not included.
    func counts(on connection: Connection) throws(SQLiteError) -> Counts {
        func count(_ table: String, _ condition: String?) throws(SQLiteError) -> Int64 {
            guard let condition else { return 0 }
            let name = SQLiteIdentifier.quoted(table)
            return try connection.value("SELECT count(*) FROM main.\(name) WHERE \(condition)").integer ?? 0
        }
        var result = Counts()
        if hasChanges {
            result.removed = try count(Self.changes, isGone("ZENTITY"))
            result.forgotten = try count(Self.changes, forgetsColumns)
            result.renumbered = try count(Self.changes, isRenumbered("ZENTITY"))
        }
        for table in numberedMirrors {
            result.unmirrored += try count(table, isGone("ZENTITYID"))
        }
        return result
    }
}
