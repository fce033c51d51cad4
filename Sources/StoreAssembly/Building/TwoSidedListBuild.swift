import PersistentStores
import SQLiteFileBuilder

/// Makes the rows of a join table whose links the lists of both sides say.
///
/// A link is there where a list that counts names it, from either side, unless the other object has a list that counts as
/// well, has replaced an earlier one of that object, and does not name it. A list is filled if no row before has given
/// its object a link, from either side.
final class TwoSidedListBuild: ListBuild {
    /// What the lists of both sides name: the object of the side that makes the rows, the other one, 1 if that has the
    /// list, the row, the place in its list.
    private var sayings: TupleSorter
    private var sorted: TupleCursor?
    private let definition: TableDefinition?
    private let limits: AssemblyLimits
    private let memory: SpoolMemory
    /// Where each row says by which rule its links count; nil for other lists.
    private let rows: ListRows?
    /// The lists of the other side, while this side makes the rows; nil if that one does.
    private var other: TwoSidedListBuild?
    private var isOther = false

    /// - Parameter definition: the join table's; nil if no rows are made.
    init(
        _ list: AssembledList, _ definition: TableDefinition?, _ limits: AssemblyLimits, _ memory: SpoolMemory
    ) throws(BuildError) {
        sayings = TupleSorter(width: 5, memory)
        rows = list.isRuledByRow ? ListRows(list, limits, memory) : nil
        (self.definition, self.limits, self.memory) = (definition, limits, memory)
        try super.init(list, memory)
    }

    /// Makes the rows of both sides. Nothing has been taken.
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

    /// The objects of which a row has replaced the links: one behind that which made the object.
    private func replaced() throws(BuildError) -> RejectedRows {
        if let rows { return rows.replaced }
        return try owners.replaced()
    }

    /// Adds what rows name that say by which rule it counts.
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
        /// The row's turn, its side, the row, 1 for what leads nowhere, place in the list, destination or payload,
        /// owner, rule.
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

    /// Calls a closure with each link, in order. Nothing more is taken.
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

    /// Calls a closure with the links that there are in the end, once for each row that says one, which may be one of
    /// the other side. Nothing more is taken.
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
