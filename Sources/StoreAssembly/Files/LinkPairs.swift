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

        init(_ tuple: [Int64]) {
            (first, second) = (tuple[0], tuple[1])
            order = tuple[2] & 1 != 0 ? tuple[3] : nil
            inverseOrder = tuple[2] & 2 != 0 ? tuple[4] : nil
            (lacksFirst, lacksSecond) = (tuple[2] & 4 != 0, tuple[2] & 8 != 0)
        }

        var tuple: [Int64] {
            let flags: Int64 = (order == nil ? 0 : 1) | (inverseOrder == nil ? 0 : 2) | (lacksFirst ? 4 : 0)
            return [first, second, flags | (lacksSecond ? 8 : 0), order ?? 0, inverseOrder ?? 0]
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
        try rows.add(row.tuple)
    }

    /// Removes all links of an object when the changes of its side are made.
    ///
    /// - Parameter object: the key of the object.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func remove(linksOf object: Int64) throws(BuildError) { try removed.add([object]) }

    /// Adds a link when the changes of a side are made, after links have been removed. If the link still exists, it
    /// does not change.
    ///
    /// - Parameters:
    ///   - object: the key of the object on this side.
    ///   - other: the key of the object that it is linked to.
    ///   - number: the number of the link, which becomes its place.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(_ object: Int64, _ other: Int64, number: Int64) throws(BuildError) {
        try added.add([object, other, number])
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
        while let link = try added.next() { try turned.add([link[1], link[0], link[2]]) }
        try change(side, nil, turned.sorted(), checkpoint)
    }

    private func change(
        _ side: Side, _ removed: TupleCursor?, _ added: TupleCursor?, _ checkpoint: () throws -> Void
    ) throws {
        let result = TupleSorter(width: Row.width, memory)
        var (gone, next) = (try removed?.next(), try added?.next())
        /// Adds the links that come before a row, or all remaining links, and skips links that are equal to the row.
        func add(before row: Row?) throws {
            while let link = next {
                if let row {
                    if (row.first, row.second) < (link[0], link[1]) { return }
                    if row.first == link[0], row.second == link[1] {
                        next = try added?.next()
                        continue
                    }
                }
                var new = Row(link[0], link[1])
                if side == .owners { new.order = link[2] } else { new.inverseOrder = link[2] }
                try result.add(new.tuple)
                while let other = next, other[0] == link[0], other[1] == link[1] { next = try added?.next() }
            }
        }
        try forEach(side, checkpoint) { row in
            guard !row.lacksFirst, !row.lacksSecond else { return try result.add(row.tuple) }
            while let object = gone, object[0] < row.first { gone = try removed?.next() }
            if gone?[0] == row.first { return }
            try add(before: row)
            try result.add(row.tuple)
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
            guard !row.lacksFirst else { return try result.add(row.tuple) }
            let place = side == .owners ? row.order : row.inverseOrder
            try placed.add([row.first, place == nil ? 1 : 0, place ?? 0] + row.turned.tuple)
        }
        var counter = OrderKeyCounter()
        let sorted = try placed.sorted()
        while let tuple = try sorted.next() {
            var row = Row(Array(tuple.dropFirst(3))).turned
            let place = counter.key(of: row.first)
            if side == .owners { row.order = place } else { row.inverseOrder = place }
            try result.add(row.tuple)
        }
        (rows, self.side) = (result, side)
    }

    /// Calls a closure with the rows in the order of the keys of a side, and with each pair of keys only once.
    private func forEach(_ side: Side, _ checkpoint: () throws -> Void, _ body: (Row) throws -> Void) throws {
        if side != self.side {
            let turned = TupleSorter(width: Row.width, memory)
            let sorted = try rows.sorted()
            while let tuple = try sorted.next() { try turned.add(Row(tuple).turned.tuple) }
            (rows, self.side) = (turned, side)
        }
        var (last, count) = (nil as Row?, 0)
        let sorted = try rows.sorted()
        while let tuple = try sorted.next() {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            let row = Row(tuple)
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
