internal import SQLiteAccess

/// Writes a new database file bottom-up: each b-tree page is written when it is full, without a journal or a page
/// cache.
///
/// All tables and indexes of the schema are known from the start, and their rows may be added in any order of tables.
/// The file is not a database until `finish()` returns; SQLite then opens it like any other. Memory is bounded by one
/// page for each level of each tree, and by the limits in `BuildLimits` for the keys of all indexes together. A builder
/// must only be used by one thread at a time.
public final class DatabaseBuilder {
    /// The schema of the file, with all of its tables and indexes.
    public let schema: DatabaseSchema
    let limits: BuildLimits
    private let file: PageFile
    private let memory: SortMemory
    private let tables: [TableBuilder]
    private var names: [String: Int] = [:]
    /// The root pages of the indexes that SQLite fills.
    private var unbuilt: [String: UInt32] = [:]
    /// Whether pages go to an unnamed file, from which the rows are read again.
    private var isSpool = false

    /// Creates the file, or empties an existing one.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - schema: the tables, indexes and settings of the file.
    ///   - limits: how much is kept in memory; the file does not depend on it.
    /// - Throws: `BuildError` if the file cannot be created, or if an entry of the schema names a table that does not
    ///   exist.
    public init(path: String, schema: DatabaseSchema, limits: BuildLimits = BuildLimits()) throws(BuildError) {
        self.schema = schema
        self.limits = limits
        file = PageFile(try OutputFile(path: path), settings: schema.settings, limits: limits)
        memory = SortMemory(limits)
        // In databases with auto-vacuum, SQLite requires all root pages at the beginning of the file.
        var roots: [String: UInt32] = [:]
        for entry in schema.entries where entry.hasTree {
            let root = try file.allocate()
            try file.point(to: root, .root, from: 0)
            roots[entry.name] = root
        }
        var tables: [TableBuilder] = []
        for definition in schema.tables {
            guard let root = roots[definition.name] else {
                throw BuildError(.unknownTable(definition.name), path: path)
            }
            var indexes: [IndexWriter] = []
            for index in definition.indexes {
                guard let root = roots[index.name] else { throw BuildError(.unknownTable(index.name), path: path) }
                indexes.append(IndexWriter(index, of: definition, root: root, memory: memory, path: path))
            }
            names[definition.name] = tables.count
            tables.append(
                TableBuilder(
                    definition, file: file, root: root, indexes: indexes, integerBlock: limits.integerBlock))
        }
        self.tables = tables
        for name in schema.unbuiltIndexes {
            guard let root = roots[name] else { throw BuildError(.unknownTable(name), path: path) }
            unbuilt[name] = root
        }
    }

    deinit {
        memory.removeAll()
    }

    /// Returns the builder of a table.
    /// - Throws: `BuildError` of the kind `unknownTable` if the schema does not have the table.
    public func table(_ name: String) throws(BuildError) -> TableBuilder {
        guard let position = names[name] else { throw BuildError(.unknownTable(name), path: file.file.path) }
        return tables[position]
    }

    /// Writes the remaining pages, the indexes and the schema, and the header last. Then SQLite must execute the schema's
    /// `indexStatements`, which fill the indexes that the builder cannot write.
    ///
    /// - Parameters:
    ///   - synchronizes: whether the file is written through to the device before this method returns.
    ///   - omitted: the names of indexes that are left empty. They must be dropped or reindexed before the file is
    ///     used.
    /// - Throws: `BuildError` if the disk is full or fails, or if rows have the same values in a unique index.
    public func finish(synchronizes: Bool = true, omitting omitted: Set<String> = []) throws(BuildError) {
        precondition(!isSpool, "rows that are to be read again are not the file")
        for table in tables { try table.finish() }
        for table in tables {
            for index in table.indexes {
                if omitted.contains(index.definition.name) { index.removeAll() }
                try index.finish(file)
            }
        }
        for root in unbuilt.values.sorted() {
            var empty = IndexTree(file: file, root: root)
            try empty.finish()
        }
        try writeSchema()
        try FileHeader(settings: schema.settings, pageCount: file.next - 1, largestRoot: largestRoot).write(to: file)
        try file.finish()
        memory.removeAll()
        if synchronizes { try file.file.synchronize() }
    }

    /// Stops collecting index entries.
    func leaveIndexes() {
        for table in tables { table.leaveIndexes() }
    }

    /// Redirects pages to an unnamed file beside the file, because the rows will be read again. Has no effect if pages
    /// have been written already.
    func beginSpool() throws(BuildError) {
        guard !isSpool else { return }
        isSpool = file.move(to: try OutputFile(unnamedBeside: file.file.path))
    }

    /// Ends the file without indexes and schema, and returns its rows, which are then in an unnamed file beside it.
    func spool() throws(BuildError) -> BuiltRows {
        var roots: [String: UInt32] = [:]
        for table in tables {
            try table.finish()
            for index in table.indexes { index.removeAll() }
            roots[table.definition.name] = table.root
        }
        try file.finish()
        defer { memory.removeAll() }
        if isSpool { return BuiltRows(file.file, pageSize: schema.settings.pageSize, roots: roots) }
        let copy = try OutputFile(unnamedBeside: file.file.path)
        var buffer = ByteBuffer(capacity: 1 << 19)
        var place: Int64 = 0
        while true {
            let count = try file.file.read(&buffer, 0..<buffer.capacity, at: place)
            if count == 0 { break }
            try copy.write(buffer, 0..<count, at: place)
            place += Int64(count)
        }
        return BuiltRows(copy, pageSize: schema.settings.pageSize, roots: roots)
    }

    private var largestRoot: UInt32 {
        let roots = tables.flatMap { [$0.root] + $0.indexes.map(\.root) } + unbuilt.values
        return roots.max() ?? 1
    }

    /// Writes the b-tree of page 1 ("Database File Format", section 2.6).
    private func writeSchema() throws(BuildError) {
        var roots = unbuilt
        for table in tables {
            roots[table.definition.name] = table.root
            for index in table.indexes { roots[index.definition.name] = index.root }
        }
        var tree = TableTree(file: file, root: 1)
        var row = AffinityEncoder(
            [.text, .text, .text, .integer, .text], rowIDColumn: nil, encoding: schema.settings.encoding)
        for (offset, entry) in schema.entries.enumerated() {
            row.removeAll()
            for text in [entry.type, entry.name, entry.table] { try row.add(text: text.utf8.span) }
            row.add(Int64(roots[entry.name] ?? 0))
            try row.add(entry.sql)
            row.seal()
            try tree.append(Int64(offset + 1), row.record)
        }
        try tree.finish()
    }
}
