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
    /// The number of the relationship, which all its mappings share.
    let number: Int64
    var role = Role()
    let key: [SQLiteValue]

    /// What a link is for, and what becomes of its record where it leads nowhere.
    struct Role: OptionSet {
        let rawValue: Int64

        /// It is the one link of a to-one.
        static let toOne = Role(rawValue: 1)
        /// The record is rejected if there is no destination.
        static let needed = Role(rawValue: 1 << 1)
        /// A destination is made where there is none.
        static let creating = Role(rawValue: 1 << 2)
        /// Only what is empty gets links.
        static let filling = Role(rawValue: 1 << 3)
        /// The record's to-one is in the object already, or empty: there is nothing to write, but earlier records do not
        /// count.
        static let settled = Role(rawValue: 1 << 4)
        /// It counts if the record makes the object in the end.
        static let ifMade = Role(rawValue: 1 << 5)
        /// It must lead somewhere, and is not written.
        static let checked = Role(rawValue: 1 << 6)
        /// It is one of a one-to-one relationship, of which all links wait: each takes its destination from another one.
        static let exclusive = Role(rawValue: 1 << 7)
        /// The record says that the to-one leads nowhere.
        static let ending = Role(rawValue: 1 << 8)
        /// It leads somewhere, and its record is imported again with that of its destination.
        static let kept = Role(rawValue: 1 << 9)
        /// It is not a link: its record is skipped, and is imported again with one that is rejected.
        static let skipped = Role(rawValue: 1 << 10)
        /// The links of its relationship are written in the order of the records: some fill what is empty, or take what is
        /// another object's.
        static let inTurn = Role(rawValue: 1 << 11)
        /// It may be in the lists of other objects: the links of all of them are written together.
        static let ofAllOwners = Role(rawValue: 1 << 12)
    }

    var isToOne: Bool { role.contains(.toOne) }

    /// Whether it fills what is empty, and comes together with the others of its relationship and owner.
    var isFillingInTurn: Bool { role.contains(.filling) && !role.contains(.exclusive) }
}

extension PendingLink {
    /// The most values that a key may have.
    static let largestKey = 4

    /// The columns of a table that keeps links.
    static let columns =
        [
            "source", "object", "relationship", "owner", "entity", "record", "line", "replacing", "place", "ordinal",
            "link", "role",
        ] + (0..<largestKey).map { "key\($0)" }

    /// The columns before those of the key.
    private static let firstKey = Int32(columns.count - largestKey)

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
        try statement.bindInteger(number, at: index + 2)
        try statement.bindInteger(role.rawValue, at: index + 3)
        for part in 0..<Self.largestKey {
            try statement.bind(part < key.count ? key[part] : .null, at: first + Self.firstKey + Int32(part))
        }
    }

    /// Reads a link from the row that a statement is at.
    init(_ row: Statement, at first: Int32 = 0) {
        var key = (0..<Int32(Self.largestKey)).map { row.value(first + Self.firstKey + $0) }
        while key.last == .null { key.removeLast() }
        self.init(
            source: Int(row.integer(first)), object: Int(row.integer(first + 1)),
            relationship: Int(row.integer(first + 2)), owner: row.integer(first + 3),
            ownerEntity: row.integer(first + 4), record: row.integer(first + 5), line: Int(row.integer(first + 6)),
            isReplacing: row.integer(first + 7) != 0, place: row.value(first + 8), ordinal: row.integer(first + 9),
            number: row.integer(first + 10), role: Role(rawValue: row.integer(first + 11)), key: key)
    }
}
