import SQLiteFileBuilder

/// The lists of rows that must not leave objects without an owner, in the order of their records, in tables whose rows
/// are read in this order.
final class RecordOwners {
    private let ownings: [ListOwning]
    private let rows: TupleCursor
    private var next: [Int64]?

    /// - Parameters:
    ///   - ownings: the owners of each list's objects.
    ///   - rows: the rows of the lists, as `ListOwning` adds them.
    init(_ ownings: [ListOwning], _ rows: TupleCursor) throws(BuildError) {
        (self.ownings, self.rows) = (ownings, rows)
        next = try rows.next()
    }

    /// Gives the objects in a record's lists to their owners.
    ///
    /// - Parameters:
    ///   - record: the number of the record. Numbers must be given in ascending order.
    ///   - object: returns the object of a row of the record; nil if the row does not apply.
    /// - Returns: the row whose list would leave an object without an owner, with the offset of its note; nil if there
    ///   is no such row.
    func apply(
        _ record: Int64, _ object: (_ arrival: Int64, _ table: AssembledTable) -> Int64?
    ) throws(BuildError) -> (owner: AssembledTable, row: Int64, note: Int64)? {
        while let row = next, row[0] < record { next = try rows.next() }
        while let row = next, row[0] == record {
            let owning = ownings[Int(row[1])]
            var objects: [Int64] = []
            next = try rows.next()
            while let item = next, item[0...2] == row[0...2] {
                if let object = object(item[4], owning.list.destination) { objects.append(object) }
                next = try rows.next()
            }
            guard let owner = object(row[4], owning.list.owner) else { continue }
            if try !owning.give(objects, to: owner) { return (owning.list.owner, row[2], row[5]) }
        }
        return nil
    }

    /// Keeps what the current record has changed.
    func keep() {
        for owning in ownings { owning.keep() }
    }

    /// Undoes what the current record has changed.
    func takeBack() throws(BuildError) {
        for owning in ownings { try owning.takeBack() }
    }
}
