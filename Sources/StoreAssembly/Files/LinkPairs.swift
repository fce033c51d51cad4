import PersistentStores
public import SQLiteFileBuilder

/// The rows of a join table whose links are added and removed, from either side, before they are written. They wait on
/// disk, in the order of their keys.
public final class LinkPairs {
    /// A row: the keys of two objects, and the places of each in the list of the other.
    private struct Row {
        var first: Int64
        var second: Int64
        /// The place of the destination in the owner's list. It does not depend on which of the objects is first.
        var order: Int64?
        var inverseOrder: Int64?
        /// Whether the row has no first key, as in a damaged store. A row without a key is never equal to another one.
        var lacksFirst = false
        var lacksSecond = false

        static let width = 5

        init(_ first: Int64, _ second: Int64) { (self.first, self.second) = (first, second) }

        /// Creates a row from numbers of a cursor's current tuple.
        ///
        /// - Parameter start: the index of the first number.
        init(_ tuple: TupleCursor, from start: Int = 0) {
            (first, second) = (tuple[start], tuple[start + 1])
            let flags = tuple[start + 2]
            order = flags & 1 != 0 ? tuple[start + 3] : nil
            inverseOrder = flags & 2 != 0 ? tuple[start + 4] : nil
            (lacksFirst, lacksSecond) = (flags & 4 != 0, flags & 8 != 0)
        }

        private var flags: Int64 {
            (order == nil ? 0 : 1) | (inverseOrder == nil ? 0 : 2) | (lacksFirst ? 4 : 0) | (lacksSecond ? 8 : 0)
        }

        func add(to sorter: TupleSorter) throws(BuildError) {
            let tuple: [5 of Int64] = [first, second, flags, order ?? 0, inverseOrder ?? 0]
            try sorter.add(tuple.span)
        }

        /// Adds the row to a sorter that sorts by an object and its place first.
        func add(to sorter: TupleSorter, of object: Int64, at place: Int64?) throws(BuildError) {
            let tuple: [8 of Int64] = [
                object, place == nil ? 1 : 0, place ?? 0, first, second, flags, order ?? 0, inverseOrder ?? 0,
            ]
            try sorter.add(tuple.span)
        }

        /// The same row, as the other side sees it.
        var turned: Row {
            var row = self
            (row.first, row.second) = (second, first)
            (row.lacksFirst, row.lacksSecond) = (lacksSecond, lacksFirst)
            return row
        }
    }

    /// The side from which a join table is seen.
    public enum Side: Sendable {
        /// The side of the relationship that owns the table.
        case owners
        /// The side of its inverse.
        case destinations
    }

    /// The names of the columns with the owner, the destination, the destination's place and the owner's place; empty
    /// for a place that the table does not have.
    public let columns: [String]
    private let memory: SpoolMemory
    private let builder: TableBuilder
    /// Whether the relationship is its own inverse.
    private let isSymmetric: Bool
    private var rows: TupleSorter
    /// The side whose objects come first in the tuples.
    private var side = Side.owners
    private var removed: TupleSorter
    /// Tuples of two objects and a number.
    private var added: TupleSorter

    init(_ join: JoinTable, _ builder: TableBuilder, _ memory: SpoolMemory) {
        self.builder = builder
        self.memory = memory
        isSymmetric = join.isSelfInverse
        columns = [
            join.ownerColumn, join.destinationColumn, join.orderColumn ?? "", join.inverseOrderColumn ?? "",
        ]
        rows = TupleSorter(width: Row.width, memory)
        removed = TupleSorter(width: 1, memory)
        added = TupleSorter(width: 3, memory)
    }

    /// Adds a row. Must be called before all changes. Only one of several rows with the same two keys is kept.
    ///
    /// - Parameters:
    ///   - owner: the key of the object that has the relationship which owns the table; nil if the row has none.
    ///   - destination: the key of the object that it leads to; nil if the row has none.
    ///   - order: the destination's place in the owner's list; nil if it has none.
    ///   - inverseOrder: the owner's place in the destination's list; nil if it has none.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func append(
        _ owner: Int64?, _ destination: Int64?, order: Int64?, inverseOrder: Int64?
    ) throws(BuildError) {
        var row = Row(owner ?? 0, destination ?? 0)
        (row.order, row.inverseOrder) = (order, inverseOrder)
        (row.lacksFirst, row.lacksSecond) = (owner == nil, destination == nil)
        try row.add(to: rows)
    }

    /// Removes all links of an object when the changes of its side are made.
    ///
    /// - Parameter object: the key of the object.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func remove(linksOf object: Int64) throws(BuildError) {
        let tuple: [1 of Int64] = [object]
        try removed.add(tuple.span)
    }

    /// Adds a link when the changes of a side are made, after links have been removed. If the link still exists, it
    /// does not change.
    ///
    /// - Parameters:
    ///   - object: the key of the object on this side.
    ///   - other: the key of the object that it is linked to.
    ///   - number: the number of the link, which becomes its place.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(_ object: Int64, _ other: Int64, number: Int64) throws(BuildError) {
        let tuple: [3 of Int64] = [object, other, number]
        try added.add(tuple.span)
    }

    /// Makes the changes that were collected.
    ///
    /// - Parameters:
    ///   - side: the side of the objects for which they were collected.
    ///   - checkpoint: called once in a while. An error that it throws ends the work.
    /// - Throws: `BuildError` if the disk is full or fails; what the closure throws.
    public func change(_ side: Side, _ checkpoint: () throws -> Void) throws {
        let (removed, added) = (try self.removed.sorted(), try self.added.sorted())
        self.removed = TupleSorter(width: 1, memory)
        self.added = TupleSorter(width: 3, memory)
        if isSymmetric { try change(.destinations, removed.restarted(), nil, checkpoint) }
        try change(side, removed, added.restarted(), checkpoint)
        guard isSymmetric else { return }
        // If a relationship is its own inverse, each object has the other one in its list.
        let turned = TupleSorter(width: 3, memory)
        while try added.advance() {
            let link: [3 of Int64] = [added[1], added[0], added[2]]
            try turned.add(link.span)
        }
        try change(side, nil, turned.sorted(), checkpoint)
    }

    private func change(
        _ side: Side, _ removed: TupleCursor?, _ added: TupleCursor?, _ checkpoint: () throws -> Void
    ) throws {
        let result = TupleSorter(width: Row.width, memory)
        _ = try removed?.advance()
        _ = try added?.advance()
        /// Adds the links that come before a row, or all remaining links, and skips links that are equal to the row.
        func add(before row: Row?) throws {
            while let link = added, !link.isAtEnd {
                var new = Row(link[0], link[1])
                if let row {
                    if (row.first, row.second) < (new.first, new.second) { return }
                    if row.first == new.first, row.second == new.second {
                        _ = try link.advance()
                        continue
                    }
                }
                if side == .owners { new.order = link[2] } else { new.inverseOrder = link[2] }
                try new.add(to: result)
                while !link.isAtEnd, link[0] == new.first, link[1] == new.second { _ = try link.advance() }
            }
        }
        try forEach(side, checkpoint) { row in
            guard !row.lacksFirst, !row.lacksSecond else { return try row.add(to: result) }
            if let removed {
                while !removed.isAtEnd, removed[0] < row.first { _ = try removed.advance() }
                if !removed.isAtEnd, removed[0] == row.first { return }
            }
            try add(before: row)
            try row.add(to: result)
        }
        try add(before: nil)
        (rows, self.side) = (result, side)
    }

    /// Numbers the links of each object: those with a place come first, in their order, and the others follow, in the
    /// order of the other objects' keys.
    ///
    /// - Parameters:
    ///   - side: the side of the objects.
    ///   - checkpoint: called once in a while. An error that it throws ends the work.
    /// - Throws: `BuildError` if the disk is full or fails; what the closure throws.
    public func countPlaces(_ side: Side, _ checkpoint: () throws -> Void) throws {
        let (result, placed) = (TupleSorter(width: Row.width, memory), TupleSorter(width: 3 + Row.width, memory))
        try forEach(side, checkpoint) { row in
            guard !row.lacksFirst else { return try row.add(to: result) }
            try row.turned.add(to: placed, of: row.first, at: side == .owners ? row.order : row.inverseOrder)
        }
        var counter = OrderKeyCounter()
        let sorted = try placed.sorted()
        while try sorted.advance() {
            var row = Row(sorted, from: 3).turned
            let place = counter.key(of: row.first)
            if side == .owners { row.order = place } else { row.inverseOrder = place }
            try row.add(to: result)
        }
        (rows, self.side) = (result, side)
    }

    /// Calls a closure with the rows in the order of the keys of a side, and with each pair of keys only once.
    private func forEach(_ side: Side, _ checkpoint: () throws -> Void, _ body: (Row) throws -> Void) throws {
        if side != self.side {
            let turned = TupleSorter(width: Row.width, memory)
            let sorted = try rows.sorted()
            while try sorted.advance() { try Row(sorted).turned.add(to: turned) }
            (rows, self.side) = (turned, side)
        }
        var (last, count) = (nil as Row?, 0)
        let sorted = try rows.sorted()
        while try sorted.advance() {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            let row = Row(sorted)
            let isWhole = !row.lacksFirst && !row.lacksSecond
            if isWhole, let last, last.first == row.first, last.second == row.second { continue }
            if isWhole { last = row }
            try body(row)
        }
    }

    /// Writes all rows to the table.
    func build(_ checkpoint: () throws -> Void) throws {
        let places = builder.definition.columns.map { columns.firstIndex(of: $0.name) }
        var number: Int64 = 0
        try forEach(.owners, checkpoint) { row in
            number += 1
            builder.beginRow()
            for place in places {
                let value: Int64? =
                    switch place {
                    case 0: row.lacksFirst ? nil : row.first
                    case 1: row.lacksSecond ? nil : row.second
                    case 2: row.order
                    case 3: row.inverseOrder
                    default: nil
                    }
                if let value { builder.append(value) } else { builder.appendNull() }
            }
            try builder.endRow(number)
        }
    }
}
