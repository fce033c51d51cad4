import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

extension MigrationPlanner {
    func chooseMethod(
        _ programs: ProgramBuilder, _ kept: KeptTables
    ) throws(SQLiteError) -> (MigrationPlan.Method, String) {
        if case .inPlace = options.placement { return (.original, "asked for with --in-place") }
        if let reason = kept.needsCopy { return (.copy, reason) }
        var expensive: [String] = []
        for (transfer, change) in programs.changes() {
            guard let change, let source = transfer.source else { continue }
            if !change.isIndependentOfRows, try isPopulated(source.name) { expensive.append(source.name) }
        }
        let used = Set(programs.builder.tables().compactMap { $0.source?.name })
        for table in programs.builder.source.tables where !used.contains(table.name) {
            if try isPopulated(table.name) { expensive.append(table.name) }
        }
        let joins = programs.builder.joinTables()
        let keptJoins = Set(joins.compactMap { $0.renamedFrom?.name })
        for table in programs.builder.source.joinTables where !keptJoins.contains(table.name) {
            if try isPopulated(table.name) { expensive.append(table.name) }
        }
        if expensive.isEmpty { return (.copy, "no row has to change: ALTER TABLE does all of it") }
        return (.newFile, "rows change in \(Set(expensive).sorted().joined(separator: ", "))")
    }

    func isPopulated(_ table: String) throws(SQLiteError) -> Bool {
        try store.connection.value("SELECT 1 FROM \(SQLiteIdentifier.quoted(table)) LIMIT 1") != .null
    }

    func bytesNeeded(_ method: MigrationPlan.Method) -> Int64 {
        let size = (FileSystem.size(store.files.path) ?? 0) + (FileSystem.size(store.files.writeAheadLog) ?? 0)
        let external: Int64
        if case .output = options.placement { external = store.files.externalDataSize } else { external = 0 }
        let backup = options.placement.backup == nil ? 0 : store.files.totalSize
        switch method {
        case .nothing: return 0
        // Indexes are sorted in temporary files of about their own size; half of the store is a generous guess.
        case .newFile: return size + size / 2 + external + backup
        case .copy: return size + size / 10 + external + backup
        case .original: return size + backup
        }
    }
}
