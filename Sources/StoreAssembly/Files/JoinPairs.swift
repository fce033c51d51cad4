import PersistentStores
import SQLiteFileBuilder

/// The links of a join table that both the relationship and its inverse name, as distinct rows: first the links in the
/// relationship's own lists, in their order, and then those that only lists of the inverse have.
final class JoinPairs {
    /// A link, with the place of each object in the list of the other one.
    struct Row {
        var owner: Int64
        var destination: Int64
        /// The destination's place in the owner's list; nil if it has none.
        var order: Int64?
        var inverseOrder: Int64?
    }

    /// Tuples of owner, destination, number and both places.
    private let links: TupleSorter
    private let memory: SpoolMemory
    private var countOfInverse: Int64 = 0

    private static let width = 5
    /// The number of the first link of the inverse, which is higher than those of all rows.
    private static let firstOfInverse: Int64 = 1 << 62
    /// The number that stands for no place; all places are higher.
    private static let noPlace = OrderKeys.first - OrderKeys.step

    init(_ memory: SpoolMemory) {
        self.memory = memory
        links = TupleSorter(width: Self.width, memory)
    }

    /// Adds a link of the relationship's own lists, which have it only once.
    ///
    /// - Parameters:
    ///   - row: the link.
    ///   - number: the number of its row.
    func add(_ row: Row, number: Int64) throws(BuildError) {
        let tuple: [5 of Int64] = [
            row.owner, row.destination, number, row.order ?? Self.noPlace, row.inverseOrder ?? Self.noPlace,
        ]
        try links.add(tuple.span)
    }

    /// Adds a link of the inverse, which may have it several times. The first time determines the order of the rows,
    /// the last time the place.
    func addOfInverse(_ row: Row) throws(BuildError) {
        try add(row, number: Self.firstOfInverse + countOfInverse)
        countOfInverse += 1
    }

    /// Calls a closure with all rows in their order.
    ///
    /// - Returns: the number of links that only the inverse has.
    func forEach(_ body: (Row) throws -> Void) throws -> Int64 {
        let rows = TupleSorter(width: Self.width, memory)
        var oneSided: Int64 = 0
        var (number, last) = (Int64(0), nil as Row?)
        func end() throws(BuildError) {
            guard let row = last else { return }
            if number >= Self.firstOfInverse { oneSided += 1 }
            let tuple: [5 of Int64] = [
                number, row.owner, row.destination, row.order ?? Self.noPlace, row.inverseOrder ?? Self.noPlace,
            ]
            try rows.add(tuple.span)
        }
        let sorted = try links.sorted()
        while try sorted.advance() {
            let row = Self.row(sorted[0], sorted[1], sorted[3], sorted[4])
            if last?.owner == row.owner, last?.destination == row.destination {
                if let place = row.inverseOrder { last?.inverseOrder = place }
            } else {
                try end()
                (number, last) = (sorted[2], row)
            }
        }
        try end()
        let ordered = try rows.sorted()
        while try ordered.advance() { try body(Self.row(ordered[1], ordered[2], ordered[3], ordered[4])) }
        return oneSided
    }

    private static func row(_ owner: Int64, _ destination: Int64, _ order: Int64, _ inverseOrder: Int64) -> Row {
        Row(
            owner: owner, destination: destination, order: order == noPlace ? nil : order,
            inverseOrder: inverseOrder == noPlace ? nil : inverseOrder)
    }
}
