import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreMigration

/// Relationships that all mappings copy come to the same links as those that are selected for each mapping.
@Suite struct CopiedRelationshipTests {
    /// All rows of a store's tables, with the ranks of order keys instead of these.
    static func rows(_ path: String, _ model: ResolvedModel) throws -> [String: [[SQLiteValue]]] {
        let layout = LayoutPrediction.layout(of: model)
        let connection = try Connection(path: path, access: .readOnly)
        defer { try? connection.close() }
        var result: [String: [[SQLiteValue]]] = [:]
        func add(_ table: String, _ columns: [String], orders: [(order: String, owner: String, other: String)]) throws {
            let values = columns.map { column in
                guard let found = orders.first(where: { $0.order == column }) else { return column }
                return "CASE WHEN \(found.owner) IS NOT NULL THEN row_number() OVER (PARTITION BY \(found.owner) "
                    + "ORDER BY \(column) IS NULL, \(column), \(found.other)) END"
            }
            result[table] = try connection.rows("SELECT \(values.joined(separator: ", ")) FROM \(table) ORDER BY 1, 2")
        }
        for table in layout.tables {
            let orders = table.columns.compactMap { column in
                switch column.role {
                case .toOneOrder(let key): table.column(.toOne(key)).map { (column.name, $0.name, "Z_PK") }
                case .unidirectionalOrder(let key):
                    table.column(.unidirectional(key)).map { (column.name, $0.name, "Z_PK") }
                default: nil
                }
            }
            try add(table.name, table.columns.map(\.name), orders: orders)
        }
        for table in layout.joinTables {
            try add(
                table.name, table.columnNames,
                orders: [
                    table.orderColumn.map { ($0, table.ownerColumn, table.destinationColumn) },
                    table.inverseOrderColumn.map { ($0, table.destinationColumn, table.ownerColumn) },
                ].compactMap(\.self))
        }
        return result
    }

    /// Computes one attribute of an entity that has texts, so that the objects cannot be copied; false if there is none.
    private static func compute(in mapping: inout MappingModel, _ model: ManagedObjectModel) -> Bool {
        for (place, entity) in mapping.entityMappings.enumerated() {
            guard let source = entity.sourceEntityName.flatMap({ name in model.entities.first { $0.name == name } })
            else { continue }
            let texts = Set(source.attributes.filter { $0.type == .string }.map(\.name))
            for (index, attribute) in entity.attributeMappings.enumerated() where texts.contains(attribute.name) {
                let path = "$source.valueForKey:(\"\(attribute.name)\")"
                guard attribute.valueExpression == path else { continue }
                mapping.entityMappings[place].attributeMappings[index].valueExpression = "lowercase:(\(path))"
                return true
            }
        }
        return false
    }

    /// The same mapping, which makes no object.
    static func never(_ mapping: EntityMapping) -> EntityMapping {
        var mapping = mapping
        mapping.name += " never"
        mapping.sourceFilter = "1 == 0"
        return mapping
    }

    @Test(.long, arguments: RandomNumbers.seeds(80))
    func theyAreThoseOfEachMapping(seed: Int) throws {
        let seed = UInt64(seed)
        var random = RandomNumbers(seed: seed)
        var models = RandomModel(seed: seed)
        let old = models.model()
        let new = models.laterVersion(of: old)
        let store = try TestStore(from: old, to: new, writer: StoreWriter(), content: seed &* 17 &+ 3, upTo: 14)
        var mapping = store.inferred.editableModel
        guard Self.compute(in: &mapping, old) else { return }
        // Links may lead to objects that are nowhere, or to some that have no mapping.
        if random.next() % 3 == 0 {
            let connection = try Connection(path: store.path, access: .readWrite)
            try registerCoreDataFunctions(connection)
            for table in LayoutPrediction.layout(of: store.source.model).tables where random.next() % 2 == 0 {
                try connection.execute("DELETE FROM \(table.name) WHERE Z_PK % 4 = \(random.next() % 4)")
            }
            try connection.close()
        }
        if random.next() % 3 == 0, let left = mapping.entityMappings.indices.randomElement(using: &random) {
            let name = mapping.entityMappings[left].name
            let others = mapping.entityMappings.flatMap(\.relationshipMappings).compactMap(\.valueExpression)
            if !others.contains(where: { $0.contains("\"\(name)\"") }) { mapping.entityMappings.remove(at: left) }
        }
        if random.next() % 3 == 0 {
            for index in mapping.entityMappings.indices where random.next() % 2 == 0 {
                let source = old.entities.first { $0.name == mapping.entityMappings[index].sourceEntityName }
                guard mapping.entityMappings[index].type != .remove,
                    let text = source?.attributes.first(where: { $0.type == .string && !$0.isTransient })
                else { continue }
                mapping.entityMappings[index].sourceFilter = "\(text.name) == NULL OR \(text.name) < \"m\""
            }
        }
        var selected = mapping
        // Where each object could be made by two mappings, the links are selected for each of them.
        selected.entityMappings += mapping.entityMappings.filter { $0.type != .remove && $0.sourceEntityName != nil }
            .map(Self.never)
        let copied = store.directory.file("Copied.sqlite")
        let reference = store.directory.file("Selected.sqlite")
        let plan = try store.plan(by: mapping, .report, at: .output(copied))
        let expected = try store.plan(by: selected, .report, at: .output(reference))
        try #require(plan.isRefused == expected.isRefused, "seed \(seed)")
        guard !plan.isRefused else { return }
        // Computed values may not be unique.
        let isDone = (try? store.migrate(by: mapping, .report, at: .output(copied))) != nil
        try #require(
            isDone == ((try? store.migrate(by: selected, .report, at: .output(reference))) != nil), "seed \(seed)")
        guard isDone else { return }
        let (found, wanted) = try (
            Self.rows(copied, store.destination.model), Self.rows(reference, store.destination.model)
        )
        for (table, rows) in wanted { try #require(found[table] == rows, "seed \(seed), \(table)") }
    }

    // MARK: - What is built

    private static let model = ManagedObjectModel(entities: [
        entity(
            "City", [attribute("name")],
            [
                relationship("people", to: "Person", inverse: "city", many: true, ordered: true),
                relationship("visits", to: "Person", many: true),
            ]),
        entity(
            "Person", [attribute("name")],
            [
                relationship("city", to: "City", inverse: "people"),
                relationship("teams", to: "Team", inverse: "members", many: true, ordered: true),
            ]),
        entity(
            "Team", [attribute("name")], [relationship("members", to: "Person", inverse: "teams", many: true)]),
    ])

    private static func mapping(leavingOut unsaid: Set<String> = [], twice: Bool = false) -> MappingModel {
        func entity(_ name: String, _ relationships: [String]) -> EntityMapping {
            EntityMapping(
                name: name, type: .undefined, sourceEntityName: name, destinationEntityName: name,
                attributeMappings: [PropertyMapping(name: "name", valueExpression: "uppercase:($source.name)")],
                relationshipMappings: relationships.filter { !unsaid.contains($0) }.map {
                    PropertyMapping(name: $0, isExpressionGenerated: true)
                })
        }
        let mappings = [
            entity("City", ["people", "visits"]), entity("Person", ["city", "teams"]), entity("Team", ["members"]),
        ]
        return MappingModel(entityMappings: mappings + (twice ? mappings.map(Self.never) : []))
    }

    private static func store() throws -> TestStore {
        var later = model
        later.entities[0].attributes.append(attribute("note"))
        return try TestStore(from: model, to: later, writer: StoreWriter(), content: 5, upTo: 12)
    }

    @Test(arguments: [[], ["city"], ["members"]] as [Set<String>])
    func theRowsHaveTheirLinksWhenTheyAreWritten(leavingOut unsaid: Set<String>) throws {
        let store = try Self.store()
        let program = try #require(
            try store.plan(by: Self.mapping(leavingOut: unsaid), .refuse).program)
        #expect(program.steps.allSatisfy { $0.phase != .relationships || $0.additions != nil })
        let built = BuildableSteps(program)
        #expect(Set(built.fills.map { program.steps[$0].table }) == ["ZCITY", "ZPERSON", "ZTEAM", "Z_2TEAMS"])
    }

    /// A link that only one of the two objects has is completed, so that all links are selected then.
    @Test(arguments: RandomNumbers.seeds(12), [true, false])
    func linksOfRelationshipsThatAreTheirOwnInverseAreCopiedIfBothObjectsHaveThem(seed: Int, isOrdered: Bool) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let old = ManagedObjectModel(entities: [
            entity(
                "Person", [attribute("name")],
                [
                    relationship("friends", to: "Person", inverse: "friends", many: true, ordered: isOrdered),
                    relationship("partner", to: "Person", inverse: "partner"),
                ])
        ])
        var new = old
        new.entities[0].attributes.append(attribute("note"))
        let store = try TestStore(from: old, to: new, writer: StoreWriter(), content: UInt64(seed) &* 31, upTo: 14)
        let connection = try Connection(path: store.path, access: .readWrite)
        let join = try #require(LayoutPrediction.layout(of: store.source.model).joinTables.first)
        switch seed % 3 {
        case 0: try connection.execute("DELETE FROM \(join.name) WHERE rowid % 4 = \(random.next() % 4)")
        case 1: try connection.execute("DELETE FROM ZPERSON WHERE Z_PK % 5 = \(random.next() % 5)")
        default: break
        }
        let (owner, destination) = (join.ownerColumn, join.destinationColumn)
        let lost = try connection.value(
            "SELECT count(*) FROM \(join.name) l WHERE NOT EXISTS (SELECT 1 FROM \(join.name) m WHERE m.\(owner) = "
                + "l.\(destination) AND m.\(destination) = l.\(owner)) OR l.\(owner) NOT IN (SELECT Z_PK FROM ZPERSON) "
                + "OR l.\(destination) NOT IN (SELECT Z_PK FROM ZPERSON)")
        // A link has both objects, or is lost.
        let kept = try connection.value(
            "SELECT count(*) FROM \(join.name) WHERE \(owner) IN (SELECT Z_PK FROM ZPERSON) "
                + "AND \(destination) IN (SELECT Z_PK FROM ZPERSON)")
        try connection.close()
        let mapping = EntityMapping(
            name: "Person", type: .undefined, sourceEntityName: "Person", destinationEntityName: "Person",
            attributeMappings: [PropertyMapping(name: "name", valueExpression: "uppercase:($source.name)")],
            relationshipMappings: ["friends", "partner"].map { PropertyMapping(name: $0, isExpressionGenerated: true) })
        let (copied, reference) = (store.directory.file("Copied.sqlite"), store.directory.file("Selected.sqlite"))
        let model = MappingModel(entityMappings: [mapping])
        let program = try #require(try store.plan(by: model, .refuse, at: .output(copied)).program)
        let summaries = program.steps.filter { $0.table == join.name }.map(\.summary)
        #expect(summaries.contains("copy the rows of \(join.name)") == (lost == 0), "\(summaries)")
        _ = try store.migrate(by: model, .refuse, at: .output(copied))
        _ = try store.migrate(
            by: MappingModel(entityMappings: [mapping, Self.never(mapping)]), .refuse, at: .output(reference))
        let found = try Self.rows(copied, store.destination.model)
        #expect(try found == Self.rows(reference, store.destination.model))
        #expect(found[join.name]?.isEmpty == (kept == .integer(0)))
    }

    @Test func linksThatAreSelectedForEachMappingAreBuiltToo() throws {
        let store = try Self.store()
        let program = try #require(try store.plan(by: Self.mapping(twice: true), .refuse).program)
        let built = BuildableSteps(program)
        #expect(Set(built.fills.map { program.steps[$0].table }).contains("Z_2TEAMS"))
    }
}
