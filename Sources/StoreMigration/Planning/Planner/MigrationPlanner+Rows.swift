import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

extension MigrationPlanner {
    struct RowCounts {
        /// By source slot.
        var byEntity: [Int: Int64] = [:]
        /// Rows that go into a destination table.
        var byTable: [String: Int64] = [:]
        /// Rows of a source table with several entities that belong to no entity, by the root's slot.
        var strangers: [Int: Int64] = [:]
    }

    /// Counts the rows of tables that are read anyway; of all in a thorough plan.
    func countRows(
        _ layout: StoreLayout, _ correspondence: ModelCorrespondence, _ program: MigrationProgram?
    ) throws(SQLiteError) -> RowCounts {
        var counts = RowCounts()
        let isRead = program.map { $0.arena == .newFile } ?? false
        guard options.isThorough || isRead else { return counts }
        for table in layout.tables {
            let quoted = SQLiteIdentifier.quoted(table.name)
            let entities = source.model.entities[table.root].subtree
            if entities.count == 1 {
                // Without a condition SQLite counts the smallest index.
                counts.byEntity[table.root] = try store.connection.value("SELECT count(*) FROM \(quoted)").integer ?? 0
            } else {
                for slot in entities { counts.byEntity[slot] = 0 }
                // Of the numbers that are the table's only: there may be very many others.
                let numbers = entities.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
                for row in try store.connection.rows(
                    "SELECT Z_ENT, count(*) FROM \(quoted) WHERE Z_ENT IN (\(numbers)) GROUP BY Z_ENT")
                {
                    guard let number = row[0].integer, let slot = layout.slot(ofEntityNumber: Int(number)) else {
                        continue
                    }
                    counts.byEntity[slot] = row[1].integer ?? 0
                }
                let known = entities.reduce(0) { $0 + (counts.byEntity[$1] ?? 0) }
                let all = try store.connection.value("SELECT count(*) FROM \(quoted)").integer ?? 0
                if all > known { counts.strangers[table.root] = all - known }
            }
        }
        for (slot, count) in counts.byEntity {
            guard let target = correspondence.destinationSlot[slot] else { continue }
            let root = destination.model.entities[destination.model.entities[target].root]
            counts.byTable[LayoutPrediction.tableName(ofRoot: root), default: 0] += count
        }
        return counts
    }

    func entityPlans(
        _ mapping: MappingModel, _ program: MigrationProgram?, _ layout: StoreLayout, _ rows: RowCounts
    ) -> [MigrationPlan.EntityPlan] {
        mapping.entityMappings.map { entity in
            let sourceSlot = entity.sourceEntityName.flatMap { source.model.slot(named: $0) }
            let table = entity.destinationEntityName.flatMap { destination.model.slot(named: $0) }
                .flatMap { layout.table(ofEntity: $0) }
            let tier = table.flatMap { program?.tiers[$0.name] }
            let reason =
                switch (entity.sourceEntityName, entity.destinationEntityName) {
                case (_, nil): "its objects are dropped"
                case (nil, _): "a new entity, without objects"
                default: tier?.reason ?? ""
                }
            return MigrationPlan.EntityPlan(
                mapping: entity.name, source: entity.sourceEntityName, destination: entity.destinationEntityName,
                tier: entity.sourceEntityName == nil ? .none : tier?.tier ?? .none, reason: reason,
                rows: options.isSketch ? nil : sourceSlot.flatMap { rows.byEntity[$0] }, table: table?.name)
        }
    }
}
