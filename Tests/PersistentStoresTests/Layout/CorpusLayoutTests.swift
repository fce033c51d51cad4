import ManagedObjectModels
import PersistentStores
import TestSupport
import Testing

/// Holds what is predicted for a model against the real stores of the corpus.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not on this machine"))
struct CorpusLayoutTests {
    private static func stores() -> [SQLiteStore] {
        let paths = ["3_stores", "8_swiftdata"].flatMap { folder in
            Corpus.files(under: folder) { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        }
        return paths.compactMap { try? SQLiteStore(path: $0) }
    }

    /// The stores that carry the model that their hashes are of.
    private static func modelled() throws -> [(store: SQLiteStore, layout: StoreLayout)] {
        try stores().compactMap { store in
            guard let document = try store.cachedModel() else { return nil }
            let model = try ResolvedModel(document.model)
            guard Set(model.entities.map(\.name)) == Set(store.metadata.versionHashes.keys) else { return nil }
            return (store, LayoutPrediction.layout(of: model))
        }
    }

    /// Every distinct Z_PRIMARYKEY list is what its names and parents give.
    @Test func entitiesAreNumberedAsCoreDataNumbersThem() throws {
        var lists: Set<[EntityRecord]> = []
        for store in Self.stores() {
            lists.insert(
                store.entityRecords.filter { !$0.isSystem }.map {
                    EntityRecord(
                        number: $0.number, name: $0.name, superentityNumber: $0.superentityNumber, maximumKey: 0)
                })
        }
        #expect(lists.count == 57)
        for list in lists {
            let names = Dictionary(uniqueKeysWithValues: list.map { ($0.number, $0.name) })
            let entities = list.map {
                EntityDescription(
                    name: $0.name, superentityName: names[$0.superentityNumber], attributes: [], relationships: [])
            }
            let model = try ResolvedModel(ManagedObjectModel(entities: entities))
            // An in-place migration leaves the old name of a renamed entity under the number of the new one.
            let isRenamed = list.contains { $0.name == "ExpensiveSportCar" }
            #expect(isRenamed || model.entities.map(\.name) == list.map(\.name))
        }
    }

    /// A CREATE statement but for its quotes, which a table has that was renamed, and double spaces.
    private func plain(_ sql: String) -> String { sql.filter { $0 != "\"" }.replacing("  ", with: " ") }

    @Test(.long) func tablesAreThoseOfRealStores() throws {
        var counts = (exact: 0, appended: 0, ordered: 0, constrained: 0, joins: 0, otherJoins: 0)
        for (store, layout) in try Self.modelled() {
            for table in layout.tables {
                let there = try #require(store.schema.table(named: table.name))
                if plain(there.sql) == plain(table.createStatement) {
                    counts.exact += 1
                } else if there.sql.contains("CONSTRAINT") {
                    counts.constrained += 1
                } else {
                    #expect(Set(there.columns.map(\.name)) == Set(table.columns.map(\.name)), "\(store.files.path)")
                    // An in-place migration appends its columns; the order of several order keys is not established.
                    let isAppended = there.sql.contains(" , ")
                    #expect(isAppended || there.columns.filter { $0.name.hasPrefix("Z_FOK_") }.count > 1)
                    if isAppended { counts.appended += 1 } else { counts.ordered += 1 }
                }
            }
            for join in layout.joinTables {
                if let there = store.schema.table(named: join.name), plain(there.sql) == plain(join.createStatement) {
                    counts.joins += 1
                } else {
                    // Either name of a reflexive pair occurs.
                    #expect(join.name.hasSuffix("EDCLIENTS"), "\(store.files.path): \(join.name)")
                    counts.otherJoins += 1
                }
            }
        }
        #expect(counts == (exact: 444, appended: 47, ordered: 11, constrained: 6, joins: 231, otherJoins: 7))
    }

    @Test(.long) func indexesAreThoseOfRealStores() throws {
        // Names of stores from before 2017 follow other rules.
        var counts = (there: 0, partial: 0, missing: 0)
        for (store, layout) in try Self.modelled() where (store.metadata.frameworkVersion ?? 0) >= 847 {
            let there = Set(store.schema.objects.compactMap { $0.sql.map(plain) })
            let (wanted, unsupported) = layout.indexes()
            #expect(unsupported.isEmpty)
            for index in wanted {
                if there.contains(plain(index.createStatement)) {
                    counts.there += 1
                    if index.condition != nil { counts.partial += 1 }
                } else {
                    // Of a table that has the other name of its pair.
                    #expect(index.name.hasSuffix("TRUSTEDCLIENTS_INDEX"), "\(store.files.path): \(index.name)")
                    counts.missing += 1
                }
            }
        }
        #expect(counts == (there: 1326, partial: 21, missing: 5))
    }
}
