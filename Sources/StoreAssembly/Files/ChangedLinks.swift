import PersistentStores
public import SQLiteFileBuilder

/// The links of one relationship that are stored in the rows of one table, and that change after all rows have been
/// added: those of a to-one relationship, or of a to-many relationship without an inverse.
///
/// The changes are made one after the other. Each change reads the current links of the rows in the order of the rows'
/// keys, together with sorted tuples that describe the change, and writes the new links. All of this is on disk.
public final class ChangedLinks {
    /// The names of the columns that contain the links.
    public struct Columns: Hashable, Sendable {
        /// The column with the key of the linked object.
        public let key: String
        /// The column with the number of its entity; nil if there is none.
        public let entity: String?
        /// The column with the row's place among those that link to the same object; nil if these have no order.
        public let order: String?

        /// Names columns.
        /// - Parameters:
        ///   - key: the column with the key of the linked object.
        ///   - entity: the column with the number of its entity; nil if there is none.
        ///   - order: the column with the row's place among those that link to the same object; nil if these have no
        ///     order.
        public init(key: String, entity: String?, order: String?) {
            self.key = key
            self.entity = entity
            self.order = order
        }
    }

    enum Change {
        /// Adds links, given as tuples of row, number of the step, object, 1 if there is a place or else 0, and the
        /// place.
        case links(TupleSorter)
        /// Replaces links, given as tuples of row, number, flags, object, entity of the object, and place. The last
        /// tuple of a row applies.
        case replacements(TupleSorter)
        /// Removes the links to some objects.
        case removals(TupleSorter)
        case inverse(ChangedLinks)
        case count(keepsPlaces: Bool)
    }

    /// The link of a row, and whether it has changed.
    private struct Row {
        let key: Int64
        var object: Int64?
        var entity: Int64?
        var place: Int64?
        /// The number of the row's own entity.
        let kind: Int64?
        var hasNewLink = false
        var hasNewPlace = false

        static let width = 6

        init(_ key: Int64, object: Int64?, entity: Int64?, place: Int64?, kind: Int64?) {
            (self.key, self.object, self.entity, self.place, self.kind) = (key, object, entity, place, kind)
        }

        /// Creates a row from the current tuple of a cursor.
        init(_ tuple: TupleCursor) {
            let flags = tuple[1]
            key = tuple[0]
            object = flags & 1 != 0 ? tuple[2] : nil
            entity = flags & 2 != 0 ? tuple[3] : nil
            place = flags & 4 != 0 ? tuple[4] : nil
            kind = flags & 8 != 0 ? tuple[5] : nil
            (hasNewLink, hasNewPlace) = (flags & 16 != 0, flags & 32 != 0)
        }

        mutating func removeLink() {
            (object, entity, place, hasNewLink, hasNewPlace) = (nil, nil, nil, true, true)
        }

        func append(to file: TupleFile) throws(BuildError) {
            var flags: Int64 = (object == nil ? 0 : 1) | (entity == nil ? 0 : 2) | (place == nil ? 0 : 4)
            flags |= (kind == nil ? 0 : 8) | (hasNewLink ? 16 : 0) | (hasNewPlace ? 32 : 0)
            let tuple: [6 of Int64] = [key, flags, object ?? 0, entity ?? 0, place ?? 0, kind ?? 0]
            try file.append(tuple.span)
        }
    }

    let columns: Columns
    private unowned let changes: LinkChanges
    private let key: Int
    private let entity: Int?
    private let order: Int?
    private let kind: Int
    /// For each step that adds links, the number of the objects' entity, and whether the links have places.
    private var steps: [(entity: Int64?, hasPlaces: Bool)] = []
    private var links: TupleSorter?
    private var replacements: TupleSorter?
    private var removals: TupleSorter?
    /// The current links of the rows, in the order of the rows' keys.
    private var rows: TupleFile
    private var edits: TuplesByRow?

    init(_ columns: Columns, of table: TableDefinition, _ changes: LinkChanges) throws(BuildError) {
        func position(_ name: String) -> Int? { table.columns.firstIndex { $0.name == name } }
        self.columns = columns
        self.changes = changes
        key = position(columns.key) ?? table.columns.count
        entity = columns.entity.flatMap(position)
        order = columns.order.flatMap(position)
        kind = position("Z_ENT") ?? table.columns.count
        rows = try TupleFile(width: Row.width, changes.memory)
    }

    // MARK: Changes

    /// Begins a step that links rows which have no link yet. If the step names several objects for a row, the row is
    /// linked to the one with the lowest key.
    ///
    /// - Parameters:
    ///   - entity: the number of the objects' entity; nil if no column has it.
    ///   - hasPlaces: whether rows get their places among the rows that link to the same object. This includes rows
    ///     that had the same link before.
    public func beginLinks(entity: Int64?, hasPlaces: Bool) {
        steps.append((entity, hasPlaces))
        links = changes.links(of: self)
    }

    /// Adds a link to the step that was begun.
    ///
    /// - Parameters:
    ///   - row: the key of the row.
    ///   - object: the key of the object that it is linked to.
    ///   - place: the row's place; nil if it has none.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(_ row: Int64, to object: Int64, place: Int64?) throws(BuildError) {
        let tuple: [5 of Int64] = [row, Int64(steps.count - 1), object, place == nil ? 0 : 1, place ?? 0]
        try links?.add(tuple.span)
    }

    /// Begins a step that replaces the links of rows, whatever they are.
    public func beginReplacements() {
        let sorter = TupleSorter(width: 6, changes.memory)
        replacements = sorter
        changes.append(.replacements(sorter), of: self)
    }

    /// Replaces the link of a row, in the step that was begun.
    ///
    /// - Parameters:
    ///   - row: the key of the row.
    ///   - object: the key of the linked object, and the number of its entity, which is nil if no column has it; nil to
    ///     remove the row's link.
    ///   - place: the row's place; nil if it keeps its place.
    ///   - number: a number that is different for each link of the row. The link with the highest number applies.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func replace(
        _ row: Int64, by object: (key: Int64, entity: Int64?)?, place: Int64? = nil, number: Int64
    ) throws(BuildError) {
        let flags: Int64 = (object == nil ? 0 : 1) | (object?.entity == nil ? 0 : 2) | (place == nil ? 0 : 4)
        let tuple: [6 of Int64] = [row, number, flags, object?.key ?? 0, object?.entity ?? 0, place ?? 0]
        try replacements?.add(tuple.span)
    }

    /// Begins a step that removes the links to some objects.
    public func beginRemovals() {
        let sorter = TupleSorter(width: 1, changes.memory)
        removals = sorter
        changes.append(.removals(sorter), of: self)
    }

    /// Removes the links of all rows to an object, in the step that was begun.
    ///
    /// - Parameter object: the key of the object.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func remove(linksTo object: Int64) throws(BuildError) {
        let tuple: [1 of Int64] = [object]
        try removals?.add(tuple.span)
    }

    /// Links each row that has no link to the row that is linked to it, in a one-to-one relationship. If several rows
    /// are linked to it, it is linked to the one with the lowest key.
    ///
    /// - Parameter other: the links of the inverse relationship.
    public func addInverses(of other: ChangedLinks) { changes.append(.inverse(other), of: self) }

    /// Numbers the rows that link to each object. Rows with places come first, in their order; the others follow, in
    /// the order of their keys.
    ///
    /// - Parameter keepsPlaces: whether only rows without a place get a new one.
    public func countPlaces(keepsPlaces: Bool = false) { changes.append(.count(keepsPlaces: keepsPlaces), of: self) }

    // MARK: After all rows have been added

    /// Takes the current link of a row. Rows must be added in the order of their keys.
    func take(_ rowKey: Int64, _ record: StoredRecord) throws(BuildError) {
        let row = Row(
            rowKey, object: record.integer(key), entity: entity.flatMap(record.integer),
            place: order.flatMap(record.integer), kind: record.integer(kind))
        try row.append(to: rows)
    }

    func make(_ change: Change, _ checkpoint: () throws -> Void) throws {
        switch change {
        case .links(let links): try link(links.sorted(), checkpoint)
        case .replacements(let links): try replace(links.sorted(), checkpoint)
        case .removals(let objects) where objects.count > 0: try remove(objects.sorted(), checkpoint)
        case .removals: break
        case .inverse(let other): try addInverses(other.byObject(checkpoint), checkpoint)
        case .count(let keepsPlaces): try setPlaces(counted(keepsPlaces: keepsPlaces, checkpoint), checkpoint)
        }
    }

    /// Calls a closure with each row and its current link.
    private func forEachRow(_ checkpoint: () throws -> Void, _ body: (Row) throws(BuildError) -> Void) throws {
        let cursor = try rows.cursor()
        var count = 0
        while try cursor.advance() {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            try body(Row(cursor))
        }
    }

    /// Changes the links of the rows by a closure.
    private func change(_ checkpoint: () throws -> Void, _ body: (inout Row) throws(BuildError) -> Void) throws {
        let changed = try TupleFile(width: Row.width, changes.memory)
        try forEachRow(checkpoint) { (row) throws(BuildError) in
            var row = row
            try body(&row)
            try row.append(to: changed)
        }
        rows.discard()
        rows = changed
    }

    private func link(_ links: TupleCursor, _ checkpoint: () throws -> Void) throws {
        let steps = steps
        let tuples = TuplesByRow(links)
        try change(checkpoint) { (row) throws(BuildError) in
            var step: Int64?
            while let link = try tuples.next(of: row.key) {
                let isFirst = link[1] != step
                step = link[1]
                let (entity, hasPlaces) = steps[Int(link[1])]
                if isFirst, row.object == nil {
                    (row.object, row.entity, row.hasNewLink) = (link[2], entity, true)
                }
                if hasPlaces, row.object == link[2] {
                    (row.place, row.hasNewPlace) = (link[3] == 0 ? nil : link[4], true)
                }
            }
        }
    }

    private func replace(_ links: TupleCursor, _ checkpoint: () throws -> Void) throws {
        let tuples = TuplesByRow(links)
        try change(checkpoint) { (row) throws(BuildError) in
            var last: (flags: Int64, object: Int64, entity: Int64, place: Int64)?
            while let link = try tuples.next(of: row.key) { last = (link[2], link[3], link[4], link[5]) }
            guard let link = last else { return }
            guard link.flags & 1 != 0 else { return row.removeLink() }
            (row.object, row.entity, row.hasNewLink) = (link.object, link.flags & 2 != 0 ? link.entity : nil, true)
            if link.flags & 4 != 0 { (row.place, row.hasNewPlace) = (link.place, true) }
        }
    }

    private func remove(_ objects: TupleCursor, _ checkpoint: () throws -> Void) throws {
        let (links, unlinked) = (TuplesByRow(try byObject(checkpoint)), TupleSorter(width: 1, changes.memory))
        while try objects.advance() {
            while let link = try links.next(of: objects[0]) {
                let row: [1 of Int64] = [link[1]]
                try unlinked.add(row.span)
            }
        }
        guard unlinked.count > 0 else { return }
        let rows = TuplesByRow(try unlinked.sorted())
        try change(checkpoint) { (row) throws(BuildError) in
            if try rows.next(of: row.key) != nil { row.removeLink() }
        }
    }

    /// Returns the linked objects in order, with the rows that are linked to them and the numbers of these rows'
    /// entities.
    private func byObject(_ checkpoint: () throws -> Void) throws -> TupleCursor {
        let result = TupleSorter(width: 3, changes.memory)
        try forEachRow(checkpoint) { (row) throws(BuildError) in
            guard let object = row.object else { return }
            let tuple: [3 of Int64] = [object, row.key, row.kind ?? 0]
            try result.add(tuple.span)
        }
        return try result.sorted()
    }

    private func addInverses(_ links: TupleCursor, _ checkpoint: () throws -> Void) throws {
        let tuples = TuplesByRow(links)
        try change(checkpoint) { (row) throws(BuildError) in
            guard row.object == nil, let link = try tuples.next(of: row.key) else { return }
            (row.object, row.entity, row.hasNewLink) = (link[1], link[2], true)
        }
    }

    /// Returns the new places, by row.
    private func counted(keepsPlaces: Bool, _ checkpoint: () throws -> Void) throws -> TupleCursor {
        let byObject = TupleSorter(width: 4, changes.memory)
        try forEachRow(checkpoint) { (row) throws(BuildError) in
            guard let object = row.object else { return }
            let tuple: [4 of Int64] = [object, row.place == nil ? 1 : 0, row.place ?? 0, row.key]
            try byObject.add(tuple.span)
        }
        let result = TupleSorter(width: 2, changes.memory)
        let sorted = try byObject.sorted()
        var (object, next) = (nil as Int64?, OrderKeys.first)
        while try sorted.advance() {
            if sorted[0] != object { (object, next) = (sorted[0], OrderKeys.first) }
            if keepsPlaces, sorted[1] == 0 {
                next = max(OrderKeys.first, Self.place(after: sorted[2]))
            } else {
                let tuple: [2 of Int64] = [sorted[3], next]
                try result.add(tuple.span)
                next = Self.place(after: next)
            }
        }
        return try result.sorted()
    }

    /// Returns the place after another one; the highest place if there is no higher one.
    private static func place(after place: Int64) -> Int64 {
        let (next, overflows) = place.addingReportingOverflow(OrderKeys.step)
        return overflows ? .max : next
    }

    private func setPlaces(_ places: TupleCursor, _ checkpoint: () throws -> Void) throws {
        let tuples = TuplesByRow(places)
        try change(checkpoint) { (row) throws(BuildError) in
            guard let place = try tuples.next(of: row.key) else { return }
            (row.place, row.hasNewPlace) = (place[1], true)
        }
    }

    /// Sets the changed values of a row, by column. Rows must be given in the order of their keys again.
    func edit(_ rowKey: Int64, _ cells: inout [Int64??]) throws(BuildError) {
        let tuples = if let edits { edits } else { TuplesByRow(try rows.cursor()) }
        edits = tuples
        guard let row = try tuples.next(of: rowKey).map(Row.init) else { return }
        if row.hasNewLink {
            cells[key] = .some(row.object)
            if let entity { cells[entity] = .some(row.entity) }
        }
        if row.hasNewPlace, let order { cells[order] = .some(row.place) }
    }
}

/// The changes of all links of a new store, in their order.
final class LinkChanges {
    let memory: SpoolMemory
    private var changes: [(links: ChangedLinks, change: ChangedLinks.Change)] = []

    init(_ memory: SpoolMemory) {
        self.memory = memory
    }

    func append(_ change: ChangedLinks.Change, of links: ChangedLinks) { changes.append((links, change)) }

    /// Returns the sorter for the tuples of a step that adds links. Steps share it if there is no other change in
    /// between.
    func links(of links: ChangedLinks) -> TupleSorter {
        for (other, change) in changes.reversed() {
            guard case .links(let sorter) = change else { break }
            if other === links { return sorter }
        }
        let sorter = TupleSorter(width: 5, memory)
        append(.links(sorter), of: links)
        return sorter
    }

    /// Makes all changes, after all rows have been added.
    func make(_ checkpoint: () throws -> Void) throws {
        for (links, change) in changes { try links.make(change, checkpoint) }
        changes = []
    }
}

/// Sorted tuples that begin with the key of a row. They are read for one row after the other, in the order of the keys.
private final class TuplesByRow {
    private let cursor: TupleCursor
    /// Whether the cursor must be moved before its tuple can be returned.
    @exclusivity(unchecked) private var isUsed = true

    init(_ cursor: TupleCursor) {
        self.cursor = cursor
    }

    /// Returns the cursor at the next tuple of a row; nil after the last one. Tuples of earlier rows are skipped.
    func next(of row: Int64) throws(BuildError) -> TupleCursor? {
        if isUsed { _ = try cursor.advance() }
        isUsed = false
        while !cursor.isAtEnd, cursor[0] < row { _ = try cursor.advance() }
        guard !cursor.isAtEnd, cursor[0] == row else { return nil }
        isUsed = true
        return cursor
    }
}
