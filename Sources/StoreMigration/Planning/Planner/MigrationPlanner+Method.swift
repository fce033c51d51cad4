import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

extension MigrationPlanner {
    /// - Parameter programs: the builder of the program; nil if there is nothing to execute.
    func chooseMethod(
        _ programs: ProgramBuilder?, isRefused: Bool
    ) throws(SQLiteError) -> (MigrationPlan.Method, String) {
        guard let programs, !isRefused else { return (.nothing, "the migration is refused") }
        if programs.transfer.recreatesObjects { return (.newFile, "a mapping model recreates all objects") }
        if case .inPlace = options.placement { return (.original, "asked for with --in-place") }
        if let reason = programs.kept.needsCopy { return (.copy, reason) }
        var expensive: [String] = []
        for (transfer, change) in programs.changes() {
            guard let change, let source = transfer.source else { continue }
            if !change.isIndependentOfRows, try isPopulated(source.name) { expensive.append(source.name) }
        }
        let used = Set(programs.transfer.tables.compactMap { $0.source?.name })
        for table in programs.transfer.source.tables where !used.contains(table.name) {
            if try isPopulated(table.name) { expensive.append(table.name) }
        }
        let joins = programs.transfer.joins
        let keptJoins = Set(joins.compactMap { $0.renamedFrom?.name })
        for table in programs.transfer.source.joinTables where !keptJoins.contains(table.name) {
            if try isPopulated(table.name) { expensive.append(table.name) }
        }
        if expensive.isEmpty { return (.copy, "no row has to change: ALTER TABLE does all of it") }
        return (.newFile, "rows change in \(Set(expensive).sorted().joined(separator: ", "))")
    }

    func isPopulated(_ table: String) throws(SQLiteError) -> Bool {
        // A sketch represents a store that presumably has rows.
        if options.isSketch { return true }
        return try store.connection.value("SELECT 1 FROM \(SQLiteIdentifier.quoted(table)) LIMIT 1") != .null
    }

    /// Returns whether no row is read or written, so that neither time nor space depends on the number of rows.
    func isIndependentOfRows(_ programs: ProgramBuilder) -> Bool {
        !programs.transfer.recreatesObjects && programs.references.isEmpty && !programs.makesIndexes
            && programs.changes().allSatisfy { $0.change?.isIndependentOfRows ?? true }
    }
}
