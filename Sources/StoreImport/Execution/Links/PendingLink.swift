import SQLiteAccess

/// A link that waits until all records are read.
struct PendingLink {
    /// The source, object mapping and relationship.
    let source: Int
    let object: Int
    let relationship: Int
    /// The object that has the relationship.
    let owner: Int64
    let ownerEntity: Int64
    /// The record that names the link, counted through all sources.
    let record: Int64
    let line: Int
    /// Whether the object was there before, so that what the record names takes the place of what it had.
    let isReplacing: Bool
    /// The place among the owner's destinations: what the record says, then the place in the record.
    let place: SQLiteValue
    let ordinal: Int64
    /// The number of the to-one; nil for a to-many.
    let toOne: Int64?
    let key: [SQLiteValue]
}

extension PendingLink {
    /// The most values that a key may have.
    static let largestKey = 4

    /// The columns of a table that keeps links.
    static let columns =
        [
            "source", "object", "relationship", "owner", "entity", "record", "line", "replacing", "place", "ordinal",
            "toOne",
        ] + (0..<largestKey).map { "key\($0)" }

    /// Binds the link to as many parameters as it has columns.
    func bind(to statement: Statement, at first: Int32 = 1) throws(SQLiteError) {
        let numbers = [
            Int64(source), Int64(object), Int64(relationship), owner, ownerEntity, record, Int64(line),
            isReplacing ? 1 : 0,
        ]
        var index = first
        for number in numbers {
            try statement.bindInteger(number, at: index)
            index += 1
        }
        try statement.bind(place, at: index)
        try statement.bindInteger(ordinal, at: index + 1)
        try statement.bind(toOne.map { .integer($0) } ?? .null, at: index + 2)
        for part in 0..<Self.largestKey {
            try statement.bind(part < key.count ? key[part] : .null, at: index + 3 + Int32(part))
        }
    }

    /// Reads a link from the row that a statement is at.
    init(_ row: Statement, at first: Int32 = 0) {
        var key = (0..<Int32(Self.largestKey)).map { row.value(first + 11 + $0) }
        while key.last == .null { key.removeLast() }
        self.init(
            source: Int(row.integer(first)), object: Int(row.integer(first + 1)),
            relationship: Int(row.integer(first + 2)), owner: row.integer(first + 3),
            ownerEntity: row.integer(first + 4), record: row.integer(first + 5), line: Int(row.integer(first + 6)),
            isReplacing: row.integer(first + 7) != 0, place: row.value(first + 8), ordinal: row.integer(first + 9),
            toOne: row.isNull(first + 10) ? nil : row.integer(first + 10), key: key)
    }
}
