public import PersistentStores
public import SQLiteFileBuilder

/// The rows of a new store while the builder writes its file.
///
/// Conversions and fixtures add their rows object by object, migrations block by block.
public final class NewStoreBuild {
    private let rebuild: DatabaseRebuild
    private let memory: SpoolMemory
    private let limits: BuildLimits
    private var tables: [EntityRows] = []
    private var joins: [JoinRows] = []
    /// The keys that rows were added with, if they get new keys; nil if rows keep their keys.
    private var keys: KeyBlocks?
    /// The changes of links; nil if rows keep the links that they are added with.
    private var changes: LinkChanges?
    /// The rows of another file, whose tables this file gets; nil if there is no such file.
    private var earlier: BuiltRows?
    private var pairs: [LinkPairs] = []

    /// Begins to build a file that no connection opens before it is complete.
    ///
    /// - Parameters:
    ///   - path: the path of the file, which is emptied.
    ///   - schema: the tables, indexes and settings that it gets.
    ///   - limits: the limits of the builder's memory.
    /// - Throws: `BuildError` if the file cannot be created.
    public convenience init(at path: String, _ schema: DatabaseSchema, _ limits: BuildLimits) throws(BuildError) {
        self.init(try DatabaseRebuild(at: path, schema, limits: limits), limits)
    }

    /// Begins to build a file with the rows of another one, whose links may change. Rows may be added only to tables
    /// that the other file does not have.
    ///
    /// - Parameters:
    ///   - path: the path of the file, which is emptied.
    ///   - schema: the tables, indexes and settings that it gets.
    ///   - limits: the limits of the builder's memory.
    ///   - rows: the rows of the other file.
    /// - Throws: `BuildError` if the file cannot be created.
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

    /// Returns the rows of an entity's table, to which rows are added.
    /// - Throws: `BuildError` of the kind `unknownTable` if the store does not have the table.
    public func rows(of table: EntityTable) throws(BuildError) -> EntityRows {
        try rows(ofTable: table.name)
    }

    /// Returns the rows of a table, to which rows are added.
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

    /// Gives all rows new keys when the file is finished: those of each table begin at 1 and have no gaps, in the order
    /// of the keys that the rows were added with. Must be called before the first row is added.
    ///
    /// - Parameter links: for each table, the columns that contain keys of rows, and the tables of these rows.
    /// - Throws: `BuildError` if a file cannot be created, or of the kind `unknownTable` if the store does not have a
    ///   table.
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

    /// Declares that links of rows will be changed, or read, after all rows have been added. Must be called before the
    /// first row is added.
    ///
    /// - Parameter names: the names of the tables of these rows. All rows of these tables wait on disk.
    /// - Throws: `BuildError` of the kind `unknownTable` if the store does not have a table.
    public func expectChangedLinks(ofTables names: Set<String>) throws(BuildError) {
        changes = LinkChanges(memory)
        for name in names { try rows(ofTable: name).waitForAll() }
    }

    /// Returns the links of a table that are changed after all rows have been added; nil if no changes are expected.
    ///
    /// - Parameters:
    ///   - table: the table's name in the store.
    ///   - columns: the columns with the links.
    /// - Throws: `BuildError` if a file cannot be created, or of the kind `unknownTable` if the store does not have the
    ///   table.
    public func links(
        ofTable table: String, in columns: ChangedLinks.Columns
    ) throws(BuildError) -> ChangedLinks? {
        guard let changes else { return nil }
        return try rows(ofTable: table).links(in: columns, changes)
    }

    /// The number of links of renumbered rows to rows that do not exist; nil if rows keep their keys.
    public var unresolvedLinks: Int? {
        keys != nil ? tables.reduce(0) { $0 + $1.unresolved } + joins.reduce(0) { $0 + $1.unresolved } : nil
    }

    /// Returns the rows of a join table, to which links are added.
    ///
    /// - Parameters:
    ///   - join: the join table.
    ///   - tables: the tables of the owners and of the destinations; nil if rows keep their keys.
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

    /// Returns a sorter of tuples that uses the memory of the build.
    ///
    /// - Parameter width: the number of numbers in each tuple, at least 1.
    public func sorter(width: Int) -> TupleSorter { TupleSorter(width: width, memory) }

    /// Returns the rows of a join table whose links change before they are written.
    ///
    /// - Parameter join: the table, to which no rows may be added in another way.
    /// - Throws: `BuildError` of the kind `unknownTable` if the store does not have the table.
    public func pairs(of join: JoinTable) throws(BuildError) -> LinkPairs {
        let made = LinkPairs(join, try rebuild.table(join.name), memory)
        pairs.append(made)
        return made
    }

    /// Completes the file. If a connection waits for the file, it gets all rows in one transaction.
    ///
    /// - Parameter checkpoint: called once in a while. An error that it throws ends the work.
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

    /// Completes a file that gets the rows of another one.
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
    /// Appends rows of the table that were built before, without changes.
    func append(_ scan: LeafScan, _ checkpoint: () throws -> Void) throws {
        var count = 0
        while try scan.next() {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            try append(scan.rowID, scan.record)
        }
    }
}
