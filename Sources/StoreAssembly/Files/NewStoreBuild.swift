public import PersistentStores
public import SQLiteFileBuilder

/// The rows of a new store while the builder writes its file.
public final class NewStoreBuild {
    private let rebuild: DatabaseRebuild
    private let memory: SpoolMemory
    private var tables: [EntityRows] = []

    init(_ rebuild: DatabaseRebuild, _ limits: BuildLimits) {
        self.rebuild = rebuild
        memory = SpoolMemory(limit: limits.sortMemory, beside: rebuild.path)
    }

    /// What takes the rows of an entity's table.
    /// - Throws: `BuildError` of the kind `unknownTable` if the store does not have the table.
    public func rows(of table: EntityTable) throws(BuildError) -> EntityRows {
        if let known = tables.first(where: { $0.name == table.name }) { return known }
        let made = EntityRows(try rebuild.table(table.name), of: rebuild, memory)
        tables.append(made)
        return made
    }

    /// What takes the rows of a join table.
    /// - Throws: `BuildError` of the kind `unknownTable` if the store does not have the table.
    public func rows(of join: JoinTable) throws(BuildError) -> JoinRows {
        JoinRows(AssembledList.Place(join, of: join.relationship), try rebuild.table(join.name))
    }

    /// Ends the rows: the connection has all of them, in a transaction.
    ///
    /// - Parameter checkpoint: called once in a while; what it throws ends the work.
    /// - Throws: `BuildError` if the disk is full or fails, or of the kind `notAscending` if two rows have one key;
    ///   `SQLiteError` if the connection cannot take the file over.
    public func finish(checkpoint: () throws -> Void = {}) throws {
        if tables.contains(where: \.isRebuilt) {
            let built = try rebuild.restart()
            for definition in rebuild.tables {
                let builder = try rebuild.table(definition.name)
                if let table = tables.first(where: { $0.name == definition.name }) {
                    try table.build(built, into: builder, checkpoint)
                } else {
                    try builder.append(built.scan(definition.name), checkpoint)
                }
            }
        } else {
            for table in tables { try table.build(nil, into: table.builder, checkpoint) }
        }
        try rebuild.finish()
    }
}

extension TableBuilder {
    /// Appends rows of the table that were built before, as they are.
    func append(_ scan: LeafScan, _ checkpoint: () throws -> Void) throws {
        var count = 0
        while try scan.next() {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            try append(scan.rowID, scan.record)
        }
    }
}
