import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

extension MigrationPlanner {
    /// Counts the rows of tables that are read in any case; in a thorough plan, the rows of all tables.
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
                // Without a condition, SQLite counts the entries of the smallest index.
                counts.byEntity[table.root] = try store.connection.value("SELECT count(*) FROM \(quoted)").integer ?? 0
            } else {
                for slot in entities { counts.byEntity[slot] = 0 }
                // Only numbers that belong to the table are counted, because there may be very many others.
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

    /// Returns the plan of each entity, in the order of the mapping model, followed by entities that it does not name.
    func entityPlans(
        _ mapping: MappingModel, _ transfer: StoreTransfer?, _ program: MigrationProgram?, _ rows: RowCounts
    ) -> [MigrationPlan.EntityPlan] {
        let layout = LayoutPrediction.layout(of: destination.model)
        let mapped = mapping.entityMappings.map { entity in
            let sourceSlot = entity.sourceEntityName.flatMap { source.model.slot(named: $0) }
            let table = entity.destinationEntityName.flatMap { destination.model.slot(named: $0) }
                .flatMap { layout.table(ofEntity: $0) }
            let tier = transfer?.table(madeBy: entity.name)?.tier ?? table.flatMap { program?.tiers[$0.name] }
            let reason =
                switch (entity.sourceEntityName, entity.destinationEntityName) {
                case (_, nil): "its objects are dropped"
                case (nil, _): "a new entity, without objects"
                default: tier?.reason ?? ""
                }
            return MigrationPlan.EntityPlan(
                mapping: entity.name, source: entity.sourceEntityName, destination: entity.destinationEntityName,
                tier: entity.sourceEntityName == nil ? .none : tier?.tier ?? .none, reason: reason,
                rows: options.isSketch
                    ? nil : rows.byMapping[entity.name] ?? sourceSlot.flatMap { rows.byEntity[$0] },
                table: table?.name)
        }
        let named = Set(mapping.entityMappings.compactMap(\.sourceEntityName))
        let left = source.model.entities.filter { !named.contains($0.name) && rows.byEntity[$0.slot, default: 0] > 0 }
        return mapped
            + left.sorted { $0.name < $1.name }.map { entity in
                MigrationPlan.EntityPlan(
                    mapping: "no mapping for \(entity.name)", source: entity.name, destination: nil, tier: .none,
                    reason: "its objects are dropped", rows: options.isSketch ? nil : rows.byEntity[entity.slot],
                    table: nil)
            }
    }
}
