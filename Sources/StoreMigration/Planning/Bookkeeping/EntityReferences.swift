import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// What names objects by entity number and key outside their tables, persistent history and the mirror of CloudKit, and
/// how it follows the objects (docs/format/sqlite-store.md#persistent-history, #cloudkit-mirroring).
///
/// Objects that stay what they are keep their keys, and only the numbers of their entities change. A mapping that makes
/// new objects gives each the key of its source plus a number: a row follows the object that was made of what it names,
/// if that object is there, and it follows what was deleted before, if only one mapping leads from its entity. Other
/// rows go.
struct EntityReferences {
    /// What the objects of a source entity become.
    struct Target {
        let number: Int
        let offset: Int64
        /// The table in the result, in quotes.
        let table: String
        /// SQL of the object's key in the result, of SQL of the source's key; nil if it is that plus `offset`.
        var key: ((String) -> String?)?
    }

    struct Entity {
        let number: Int
        /// The source's table as the migrating connection knows it.
        let table: String
        let targets: [Target]
        /// Whether old and new have the same properties.
        let isSame: Bool

        var isRenumbered: Bool { targets.contains { $0.number != number || $0.offset != 0 } }
    }

    let schema: StoreSchema

    /// Whether objects are recreated, so that one that is named need not be there.
    let recreatesObjects: Bool

    /// The entities that go on.
    let entities: [Entity]

    /// Whether every entity that goes on keeps its number, and no other entity gets the number of one that goes.
    let meanTheSame: Bool

    /// Where objects stay what they are.
    init(following builder: TransferBuilder, schema: StoreSchema) {
        self.init(from: builder.source, to: builder.destination, naming: builder.naming, schema, recreates: false) {
            slot in
            builder.correspondence.destinationSlot[slot].map { [(slot: $0, offset: Int64(0), key: nil)] } ?? []
        }
    }

    /// Where a mapping model makes the objects.
    init(following builder: MappedTransferBuilder, schema: StoreSchema) {
        self.init(
            from: builder.source, to: builder.destination, naming: builder.expressions.naming, schema, recreates: true
        ) { slot in
            builder.mappings.filter { $0.source == slot }.map { mapping in
                let key = { (key: String) in try? builder.destinationKey(mapping, of: key, kind: mapping.destination) }
                return (mapping.destination, mapping.offset, mapping.mapping.identity == nil ? nil : key)
            }
        }
    }

    private typealias Destination = (slot: Int, offset: Int64, key: ((String) -> String?)?)

    /// - Parameter targets: the slots of the entities that a source entity becomes, what is added to the keys, and how
    ///   they are found where that is not all.
    private init(
        from source: StoreLayout, to destination: StoreLayout, naming: SourceNaming, _ schema: StoreSchema,
        recreates: Bool, _ targets: (Int) -> [Destination]
    ) {
        self.schema = schema
        recreatesObjects = recreates
        entities = source.model.entities.compactMap { entity in
            let found = targets(entity.slot)
            guard let table = source.table(ofEntity: entity.slot), !found.isEmpty else { return nil }
            let properties = Self.properties(of: entity)
            return Entity(
                number: source.entityNumbers[entity.slot], table: naming.name(table.name),
                targets: found.compactMap { slot, offset, key in
                    destination.table(ofEntity: slot).map {
                        Target(
                            number: destination.entityNumbers[slot], offset: offset,
                            table: "main.\(SQLiteIdentifier.quoted($0.name))", key: key)
                    }
                },
                isSame: found.allSatisfy { Self.properties(of: destination.model.entities[$0.slot]) == properties })
        }
        let used = Set(destination.entityNumbers)
        let kept = Set(entities.map(\.number))
        meanTheSame =
            !recreates && !entities.contains(where: \.isRenumbered)
            && source.entityNumbers.allSatisfy { kept.contains($0) || !used.contains($0) }
    }

    private static func properties(of entity: ResolvedEntity) -> [String] {
        entity.attributes.map { "\($0.name) \($0.type.rawValue) \($0.isStored)" }
            + entity.relationships.map { "\($0.name) \($0.storage) \($0.isStored)" }
    }

    // MARK: - Tables

    static let changes = "ACHANGE"

    var hasHistory: Bool { schema.table(named: "ATRANSACTION") != nil }

    var hasChanges: Bool { schema.table(named: Self.changes)?.hasColumn("ZENTITY") ?? false }

    /// The tables of CloudKit's mirror.
    var mirrors: [String] { schema.tables.filter(\.isCloudKitMirror).map(\.name) }

    /// Those that name entities in the one column whose meaning is known.
    var numberedMirrors: [String] {
        mirrors.filter { schema.table(named: $0)?.hasColumn("ZENTITYID") ?? false }
    }

    /// The mirror's tables of which no column is known to name entities.
    var unknownMirrors: [String] {
        mirrors.filter { !(schema.table(named: $0)?.hasColumn("ZENTITYID") ?? false) }
    }

    // MARK: - Conditions

    private static func list(_ numbers: [Int]) -> String {
        numbers.sorted().map(String.init).joined(separator: ", ")
    }

    /// Rows of entities that are gone, or that the model never had; Core Data's own have numbers beyond all of a model.
    func isGone(_ column: String) -> String {
        "\(column) <= \(EntityRecord.firstSystemNumber) AND \(column) NOT IN (\(Self.list(entities.map(\.number))))"
    }

    func isRenumbered(_ column: String) -> String? {
        let numbers = entities.filter(\.isRenumbered).map(\.number)
        return numbers.isEmpty ? nil : "\(column) IN (\(Self.list(numbers)))"
    }

    /// Changes whose ZCOLUMNS say which of other properties changed.
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
        /// Rows of the mirror whose entities are gone.
        var unmirrored: Int64 = 0
    }

    /// How many rows the models alone say something of; those of objects that a mapping model drops come on top.
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
