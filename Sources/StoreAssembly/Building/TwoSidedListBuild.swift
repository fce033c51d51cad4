import PersistentStores
import SQLiteFileBuilder

/// A builder of the rows of a join table whose links are set by lists of both sides.
///
/// A link exists if a list that applies names it, from either side. There is one exception: the other object also has a
/// list that applies, which has replaced an earlier list of that object and does not name the link. A filling list
/// applies only if no earlier row has given its object a link, from either side.
final class TwoSidedListBuild: ListBuild {
    /// The links that the lists of both sides name, as tuples of the object of the side that makes the rows, the other
    /// object, 1 if the list belongs to the other object or else 0, the row, and the position in its list.
    private var sayings: TupleSorter
    private var sorted: TupleCursor?
    private let definition: TableDefinition?
    private let limits: AssemblyLimits
    private let memory: SpoolMemory
    /// The rows, if each has its own rule for its links; nil for other lists.
    private let rows: ListRows?
    /// The lists of the other side, while this side makes the rows; nil if that one does.
    private var other: TwoSidedListBuild?
    private var isOther = false

    /// - Parameters:
    ///   - list: the list of one side.
    ///   - definition: the definition of the join table; nil if no rows are made.
    ///   - limits: the limits of the assembly.
    ///   - memory: the memory that sorters share.
    init(
        _ list: AssembledList, _ definition: TableDefinition?, _ limits: AssemblyLimits, _ memory: SpoolMemory
    ) throws(BuildError) {
        sayings = TupleSorter(width: 5, memory)
        rows = list.isRuledByRow ? ListRows(list, limits, memory) : nil
        (self.definition, self.limits, self.memory) = (definition, limits, memory)
        try super.init(list, memory)
    }

    /// Makes this builder make the rows of both sides. Must be called before any link is taken.
    func take(_ other: TwoSidedListBuild) {
        self.other = other
        other.sayings = sayings
        other.isOther = true
    }

    override func takeKnown() throws(BuildError) {
        guard rows == nil else { return }
        try list.forEachKnown { (row, ordinal, destination) throws(BuildError) in
            if let owner = try owners.owner(of: row), let destination = try list.destination.leader(of: destination),
                try owners.isLast(row)
            {
                try add(destination, of: owner, by: row, at: ordinal)
            }
        }
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        if let rows { return try rows.add(reference, destination) }
        if try owners.isLast(reference.owner) {
            try add(destination, of: owner, by: reference.owner, at: reference.ordinal)
        }
    }

    override func takeAbsence(_ reference: ReferenceEntry, of owner: Int64) throws(BuildError) {
        if let rows { return try rows.addAbsence(reference) }
        try super.takeAbsence(reference, of: owner)
    }

    private func add(
        _ destination: Int64, of owner: Int64, by row: Int64, at ordinal: Int64
    ) throws(BuildError) {
        let (object, other) = isOther ? (destination, owner) : (owner, destination)
        try sayings.add([object, other, isOther ? 1 : 0, row, ordinal])
    }

    /// Returns the objects whose links a row other than the one that created them has replaced.
    private func replaced() throws(BuildError) -> RejectedRows {
        if let rows { return rows.replaced }
        return try owners.replaced()
    }

    /// Adds the links of rows with their own rules, as far as they apply.
    private func addRuled(_ sides: [TwoSidedListBuild]) throws {
        var filling = try sides.map { (side) throws(BuildError) in try ListFilling(side.list, limits, memory) }
        func take(_ row: ListRow, _ index: Int) throws {
            guard try filling[index].take(row, absence: sides[index].report) else { return }
            filling[1 - index].link(row.destinations)
            for (ordinal, destination) in row.destinations.enumerated() {
                try sides[index].add(destination, of: row.owner, by: row.arrival, at: Int64(ordinal))
            }
        }
        guard sides.contains(where: \.list.fills) else {
            for (index, side) in sides.enumerated() { try side.rows?.forEachRuled { try take($0, index) } }
            return
        }
        /// Tuples of the row's turn, its side, the row, 1 for a link without a destination or else 0, position in the
        /// list, destination or offset of the payload, owner, and rule.
        let inTurn = TupleSorter(width: 8, memory)
        for (index, side) in sides.enumerated() {
            try side.rows?.forEachRuled { row in
                let turn = try side.list.owner.turn(of: row.arrival)
                for (kind, numbers) in [row.destinations, row.absences].enumerated() {
                    for (ordinal, number) in numbers.enumerated() {
                        try inTurn.add([
                            turn, Int64(index), row.arrival, Int64(kind), Int64(ordinal), number, row.owner,
                            row.rule.rawValue,
                        ])
                    }
                }
            }
        }
        let cursor = try inTurn.sorted()
        var next = try cursor.next()
        while let first = next {
            var numbers: [[Int64]] = [[], []]
            while let named = next, named[0...2] == first[0...2] {
                numbers[Int(named[3])].append(named[5])
                next = try cursor.next()
            }
            try take(
                ListRow(
                    arrival: first[2], owner: first[6], rule: AssembledList.Rule(rawValue: first[7]) ?? .add,
                    destinations: numbers[0], absences: numbers[1]), Int(first[1]))
        }
        for (index, side) in sides.enumerated() { try filling[index].finish(absence: side.report) }
    }

    /// Calls a closure with each link, in order. No more links may be taken.
    private func forEachLink(_ body: (TwoSidedLink) throws -> Void) throws {
        guard let other else { return }
        if sorted == nil, rows != nil || other.rows != nil { try addRuled([self, other]) }
        let cursor = try sayings.cursor(&sorted)
        let (replaced, othersReplaced) = (try replaced(), try other.replaced())
        var next = try cursor.next()
        while let first = next {
            var link = TwoSidedLink(object: first[0], other: first[1])
            while let saying = next, saying[0...1] == first[0...1] {
                let side = Int(saying[2])
                if link.named[side]?.row != saying[3] { link.named[side] = (saying[3], saying[4]) }
                next = try cursor.next()
            }
            if link.named[0] != nil || !replaced.contains(link.object),
                link.named[1] != nil || !othersReplaced.contains(link.other)
            {
                try body(link)
            }
        }
    }

    /// Calls a closure with the final links, once for each row that names one, which may be a row of the other side. No
    /// more links may be taken.
    func forEachSaying(
        _ body: (_ object: Int64, _ other: Int64, _ row: Int64, _ isOther: Bool) throws(BuildError) -> Void
    ) throws {
        let links = try PairFile(list.owner.builder.path)
        try forEachLink { try links.append($0.object, $0.other) }
        try links.finish()
        let (link, cursor) = (try links.cursor(), try sayings.cursor(&sorted))
        while let saying = try cursor.next() {
            while let object = link.first, (object, link.second) < (saying[0], saying[1]) { try link.advance() }
            if link.first == saying[0], link.second == saying[1] {
                try body(saying[0], saying[1], saying[3], saying[2] == 1)
            }
        }
    }

    override func appendRows(to rows: LinkRows) throws {
        guard let definition, let other else { return }
        if list.isOrdered { return try appendOrdered(to: rows, other) }
        let links = UnorderedLinks(list, definition, limits, memory)
        try forEachLink { try links.add($0.object, $0.other) }
        try links.append(to: rows)
    }

    private func appendOrdered(to rows: LinkRows, _ other: TwoSidedListBuild) throws {
        let columns = [list.place.orders.ofDestinations, list.place.orders.ofOwners]
        let orders = columns.enumerated().map { side, column in column.map { _ in TwoSidedOrder(side, memory) } }
        var ranks: [PairFile?] = []
        for list in [list, other.list] { ranks.append(try list.places?.ranks()) }
        let links = try PairFile(list.owner.builder.path)
        try forEachLink { link in
            try links.append(link.object, link.other)
            for side in 0...1 {
                var rank: Int64 = 0
                if let row = link.named[side]?.row { rank = try ranks[side]?.value(of: row) ?? 0 }
                try orders[side]?.add(link, rank: rank)
            }
        }
        try links.finish()
        let (keys, othersKeys) = (try orders[0]?.orderKeys(), try orders[1]?.orderKeys())
        let link = try links.cursor()
        while let object = link.first {
            let (order, inverseOrder) = (try keys?.next()?[2] ?? 0, try othersKeys?.next()?[2] ?? 0)
            try rows.append(
                LinkRows.Link(owner: object, destination: link.second, order: order, inverseOrder: inverseOrder))
            try link.advance()
        }
    }
}
