import SQLiteAccess

/// A link that waits until all records are read. A link connects an object, its owner, to another one, its destination,
/// in a relationship.
struct PendingLink {
    /// The indexes of the source, of its object mapping, and of the relationship in that.
    let source: Int
    let object: Int
    let relationship: Int
    /// The primary key of the owner.
    let owner: Int64
    let ownerEntity: Int64
    /// The number of the record that names the link (see `RecordNumber`).
    let record: Int64
    let line: Int
    /// Whether the owner existed before the record, so that the links of the record replace its links.
    let isReplacing: Bool
    /// The position among the owner's destinations: the value that orders the links of several records, then the
    /// position in the record. For a to-one relationship, the position of the owner among the objects of its mapping.
    let place: SQLiteValue
    var ordinal: Int64
    /// The number of the relationship, the same in all mappings that contain it.
    let number: Int64
    var role = Role()
    let key: [SQLiteValue]
    /// The primary key of the destination that was removed when a record was revoked; 0 if there was none. If the
    /// destination is created again, it has this key, because other records have it, too.
    var formerDestination: Int64 = 0

    /// The purpose of a link, and what happens to its record if the destination does not exist.
    struct Role: OptionSet {
        let rawValue: Int64

        /// It is the link of a to-one relationship.
        static let toOne = Role(rawValue: 1)
        /// The record is rejected if the destination does not exist.
        static let needed = Role(rawValue: 1 << 1)
        /// The destination is created if it does not exist.
        static let creating = Role(rawValue: 1 << 2)
        /// It is written only if the relationship is empty.
        static let filling = Role(rawValue: 1 << 3)
        /// The owner's row already has the value that the record gives to the to-one relationship. There is nothing to
        /// write, but links of earlier records no longer apply.
        static let settled = Role(rawValue: 1 << 4)
        /// It applies only if the record creates the owner in the end.
        static let ifMade = Role(rawValue: 1 << 5)
        /// The destination must exist, but the link is not written.
        static let checked = Role(rawValue: 1 << 6)
        /// It belongs to a relationship whose links all wait, because each takes its destination from another object,
        /// or because several mappings set the relationship.
        static let exclusive = Role(rawValue: 1 << 7)
        /// The record empties the to-one relationship.
        static let ending = Role(rawValue: 1 << 8)
        /// The destination exists. The record is imported again together with the rejected record of the destination.
        static let kept = Role(rawValue: 1 << 9)
        /// It is not a link: it stands for a skipped record, which is imported again together with a rejected one.
        static let skipped = Role(rawValue: 1 << 10)
        /// The links of the relationship are written in the order of the records, because some of them fill an empty
        /// relationship or take their destination from another object.
        static let inTurn = Role(rawValue: 1 << 11)
        /// It may also be in the lists of other objects, so the links of all owners are written together.
        static let ofAllOwners = Role(rawValue: 1 << 12)
        /// The destination existed when the record was read, but the link of an earlier record may fill the relationship.
        /// The record is counted as unchanged, and as updated if the link is written.
        static let behind = Role(rawValue: 1 << 13)
    }

    var isToOne: Bool { role.contains(.toOne) }

    /// Whether the destination is created if it does not exist, no matter whether the link applies: the objects that
    /// to-one relationships name are created even if the record is skipped.
    var createsInAnyCase: Bool {
        role.contains(.creating) && (role.contains(.toOne) || !role.contains(.ifMade))
    }

    /// Whether the link fills an empty relationship, and is sorted with the other links of its relationship, owner and
    /// record.
    var isFillingInTurn: Bool { role.contains(.filling) && !(isToOne && role.contains(.exclusive)) }
}

extension PendingLink {
    /// The maximum number of values in a key.
    static let largestKey = 4

    /// The columns of a table of links.
    static let columns =
        [
            "source", "object", "relationship", "owner", "entity", "record", "line", "replacing", "place", "ordinal",
            "link", "role",
        ] + (0..<largestKey).map { "key\($0)" }

    /// The number of columns before those of the key.
    private static let firstKey = Int32(columns.count - largestKey)

    /// Binds the link to the parameters of a statement from `first` on, one for each of `columns`.
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

    /// Reads a link from the current row of a statement, in the columns from `first` on.
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
