public import PersistentStores
public import SQLiteFileBuilder

/// The rows of a new store while the builder writes its file.
///
/// Whoever fills new files adds rows here: conversions and fixtures object by object, migrations block by block.
public final class NewStoreBuild {
    private let rebuild: DatabaseRebuild
    private let memory: SpoolMemory
    private let limits: BuildLimits
    private var tables: [EntityRows] = []
    private var joins: [JoinRows] = []
    /// The keys that rows were added with, if they get other ones; nil if they keep theirs.
    private var keys: KeyBlocks?
    /// The changes of links; nil if rows keep the links that they are added with.
    private var changes: LinkChanges?
    /// The rows of tables that no rows are added to; nil if there are none.
    private var earlier: BuiltRows?
    private var pairs: [LinkPairs] = []

    /// Begins to build a file that no connection has open before it is whole.
    ///
    /// - Parameters:
    ///   - path: the path of the file, which is emptied.
    ///   - schema: the tables, indexes and settings that it gets.
    ///   - limits: what the builder keeps in memory.
    /// - Throws: `BuildError` if the file cannot be made.
    public convenience init(at path: String, _ schema: DatabaseSchema, _ limits: BuildLimits) throws(BuildError) {
        self.init(try DatabaseRebuild(at: path, schema, limits: limits), limits)
    }

    /// Begins to build a file with the rows of another one, whose links may change. Rows may only be added to the tables
    /// that the other file does not have.
    ///
    /// - Parameters:
    ///   - path: the path of the file, which is emptied.
    ///   - schema: the tables, indexes and settings that it gets.
    ///   - limits: what the builder keeps in memory.
    ///   - rows: the rows of the other file.
    /// - Throws: `BuildError` if the file cannot be made.
    public convenience init(
        at path: String, _ schema: DatabaseSchema, _ limits: BuildLimits, changing rows: BuiltRows
    ) throws(BuildError) {
        try self.init(at: path, schema, limits)
        earlier = rows
        changes = LinkChanges(memory)
    }

    init(_ rebuild: DatabaseRebuild, _ limits: BuildLimits) {
        self.rebuild = rebuild
        self.limits = limits
        memory = SpoolMemory(limit: limits.sortMemory, beside: rebuild.path)
    }

    /// What takes the rows of an entity's table.
    /// - Throws: `BuildError` of the kind `unknownTable` if the store does not have the table.
    public func rows(of table: EntityTable) throws(BuildError) -> EntityRows {
        try rows(ofTable: table.name)
    }

    /// What takes the rows of a table.
    ///
    /// - Parameter name: the table's name in the store.
    /// - Throws: `BuildError` of the kind `unknownTable` if the store does not have the table.
    public func rows(ofTable name: String) throws(BuildError) -> EntityRows {
        if let known = tables.first(where: { $0.name == name }) { return known }
        let made = EntityRows(try rebuild.table(name), of: rebuild, memory)
        if let keys { made.renumber(keys) }
        tables.append(made)
        return made
    }

    /// Gives all rows new keys in the end: those of each table begin at 1 and have no gaps, in the order of those that
    /// they are added with. Before the first row.
    ///
    /// - Parameter links: the columns of a table with keys of rows, and the table that has these.
    /// - Throws: `BuildError` if a file cannot be made, or of the kind `unknownTable` if the store does not have a table.
    public func renumber(
        _ links: [(table: EntityTable, columns: [(name: String, destination: EntityTable)])]
    ) throws(BuildError) {
        keys = try KeyBlocks(beside: rebuild.path, limits)
        try rebuild.expectRestart()
        for (table, columns) in links {
            let rows = try rows(of: table)
            for (name, destination) in columns {
                guard let column = rows.builder.definition.columns.firstIndex(where: { $0.name == name }) else {
                    continue
                }
                rows.link(column, to: try self.rows(of: destination))
            }
        }
    }

    /// Announces that links of rows change, or are read, when all rows are there. Before the first row.
    ///
    /// - Parameter names: the names of the tables whose rows wait for this.
    /// - Throws: `BuildError` of the kind `unknownTable` if the store does not have a table.
    public func expectChangedLinks(ofTables names: Set<String>) throws(BuildError) {
        changes = LinkChanges(memory)
        for name in names { try rows(ofTable: name).waitForAll() }
    }

    /// What changes links in rows of a table when all rows are there; nil if no changes are expected.
    ///
    /// - Parameters:
    ///   - table: the table's name in the store.
    ///   - columns: the columns with the links.
    /// - Throws: `BuildError` if a file cannot be made, or of the kind `unknownTable` if the store does not have the
    ///   table.
    public func links(
        ofTable table: String, in columns: ChangedLinks.Columns
    ) throws(BuildError) -> ChangedLinks? {
        guard let changes else { return nil }
        return try rows(ofTable: table).links(in: columns, changes)
    }

    /// How many links of renumbered rows lead to no row; nil if rows keep their keys.
    public var unresolvedLinks: Int? {
        keys != nil ? tables.reduce(0) { $0 + $1.unresolved } + joins.reduce(0) { $0 + $1.unresolved } : nil
    }

    /// What takes the rows of a join table.
    ///
    /// - Parameters:
    ///   - join: the table.
    ///   - tables: those of the objects that have the relationship, and of the objects that it leads to; nil if rows
    ///     keep their keys.
    /// - Throws: `BuildError` of the kind `unknownTable` if the store does not have the table.
    public func rows(
        of join: JoinTable, between tables: (owners: EntityTable, destinations: EntityTable)? = nil
    ) throws(BuildError) -> JoinRows {
        let ends = try tables.map { (tables) throws(BuildError) in
            (owners: try rows(of: tables.owners), destinations: try rows(of: tables.destinations))
        }
        let made = JoinRows(
            AssembledList.Place(join, of: join.relationship), try rebuild.table(join.name),
            of: (rebuild: rebuild, memory: memory), between: keys == nil ? nil : ends)
        joins.append(made)
        return made
    }

    /// What takes the rows of a join table whose links change before they are written.
    ///
    /// - Parameter join: the table, which gets no rows in another way.
    /// - Throws: `BuildError` of the kind `unknownTable` if the store does not have the table.
    public func pairs(of join: JoinTable) throws(BuildError) -> LinkPairs {
        let made = LinkPairs(join, try rebuild.table(join.name), memory)
        pairs.append(made)
        return made
    }

    /// Ends the rows: the file is whole, and a connection that waits for it has all of them, in a transaction.
    ///
    /// - Parameter checkpoint: called once in a while; what it throws ends the work.
    /// - Throws: `BuildError` if the disk is full or fails, or of the kind `notAscending` if two rows have one key;
    ///   `SQLiteError` if the connection cannot take the file over.
    public func finish(checkpoint: () throws -> Void = {}) throws {
        for table in tables { try table.sort(keys) }
        for pairs in pairs { try pairs.build(checkpoint) }
        pairs = []
        if let earlier { return try finish(earlier, checkpoint) }
        let isRebuilt = keys != nil || tables.contains(where: \.isRebuilt) || joins.contains(where: \.isRebuilt)
        let built = isRebuilt ? try rebuild.restart() : nil
        if let changes {
            for table in tables { try table.takeLinks(built, checkpoint) }
            try changes.make(checkpoint)
        }
        if let built {
            for definition in rebuild.tables {
                let builder = try rebuild.table(definition.name)
                if let table = tables.first(where: { $0.name == definition.name }) {
                    try table.build(built, into: builder, checkpoint)
                } else if let join = joins.first(where: { $0.name == definition.name }) {
                    try join.build(built, into: builder, checkpoint)
                } else {
                    try builder.append(built.scan(definition.name), checkpoint)
                }
            }
        } else {
            for table in tables { try table.build(nil, into: table.builder, checkpoint) }
            for join in joins { try join.build(nil, into: try rebuild.table(join.name), checkpoint) }
        }
        try rebuild.finish()
    }

    /// Ends the rows of a file that gets those of another one.
    private func finish(_ earlier: BuiltRows, _ checkpoint: () throws -> Void) throws {
        for table in tables where earlier.has(table.name) { try table.takeLinks(earlier, checkpoint) }
        try changes?.make(checkpoint)
        for definition in rebuild.tables {
            let table = tables.first { $0.name == definition.name }
            let builder = try rebuild.table(definition.name)
            if !earlier.has(definition.name) {
                try table?.build(nil, into: builder, checkpoint)
            } else if let table {
                try table.build(earlier, into: builder, checkpoint)
            } else {
                try builder.append(earlier.scan(definition.name), checkpoint)
            }
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
