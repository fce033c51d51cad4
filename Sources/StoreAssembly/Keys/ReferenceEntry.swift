/// A reference by key on disk.
struct ReferenceEntry {
    let digest: KeyDigest
    /// The object that refers.
    let owner: Int64
    /// The position of the owner's table.
    let table: Int
    /// Its link, or which list of the assembly's.
    let link: Int
    let isOfList: Bool
    /// Which of the key space's entities the destination is looked for as.
    let entity: Int16
    /// Whether the owner cannot be without it.
    let isRequired: Bool
    /// Whether the destination must have come before the reference.
    let needsEarlier: Bool
    /// Whether all possible destinations come before the row, so that it is known at once whether there is one.
    let isKnownAtOnce: Bool
    /// Whether the destination is created if there is none.
    let creates: Bool
    /// The place of what the client wants to know where it leads nowhere.
    let payload: Int64
    /// Objects from this arrival on came after the reference.
    let threshold: Int64
    /// The place of the reference in its list.
    let ordinal: Int64

    init(_ entry: SpoolEntry) {
        digest = entry.digest
        owner = Int64(bitPattern: entry.first)
        table = Int(entry.second >> Self.tableShift)
        link = Int(entry.second & (1 << Self.linkBits - 1))
        entity = Int16(entry.second >> Self.linkBits & (1 << KeyEntry.entityBits - 1))
        isOfList = Self.isOfList(entry.second)
        isRequired = entry.second & Self.requiredFlag != 0
        needsEarlier = entry.second & Self.earlierFlag != 0
        isKnownAtOnce = Self.isKnownAtOnce(entry.second)
        creates = entry.second & Self.creatingFlag != 0
        payload = Int64(bitPattern: entry.third)
        threshold = isOfList ? 0 : Int64(bitPattern: entry.fourth)
        ordinal = isOfList ? Int64(bitPattern: entry.fourth) : 0
    }
}

extension ReferenceEntry {
    /// The bits of a link.
    private static let linkBits: UInt64 = 20
    // Behind the link and the entity, five flags and the table.
    private static let listFlag: UInt64 = 1 << (linkBits + KeyEntry.entityBits)
    private static let requiredFlag = listFlag << 1
    private static let earlierFlag = listFlag << 2
    private static let atOnceFlag = listFlag << 3
    private static let creatingFlag = listFlag << 4
    private static let tableShift = linkBits + KeyEntry.entityBits + 5

    /// Whether the word that says what refers is of a list.
    @inline(__always)
    static func isOfList(_ place: UInt64) -> Bool { place & listFlag != 0 }

    /// Whether the word that says what refers is of a row that all possible destinations come before.
    static func isKnownAtOnce(_ place: UInt64) -> Bool { place & atOnceFlag != 0 }

    /// The word that says what refers, and as what the destination is looked for.
    static func place(
        table: Int, link: Int, entity: Int, isRequired: Bool, needsEarlier: Bool = false, isKnownAtOnce: Bool = false,
        creates: Bool = false, isOfList: Bool
    ) -> UInt64 {
        UInt64(table) << tableShift | (needsEarlier ? earlierFlag : 0) | (isKnownAtOnce ? atOnceFlag : 0)
            | (isRequired ? requiredFlag : 0) | (creates ? creatingFlag : 0) | (isOfList ? listFlag : 0) | UInt64(
                entity) << linkBits | UInt64(link)
    }
}

/// What became of a reference, beside its owner: two bits for the outcome, twelve for the link, a number.
struct LinkPatch {
    enum Outcome: UInt64 {
        /// The destination was there when the reference came.
        case found
        /// It came later.
        case foundLater
        /// It does not exist; the number is the place of the payload.
        case absent
    }

    /// More than the columns that SQLite lets a table have.
    static let mostLinks = 1 << Int(linkBits)
    private static let linkBits: UInt64 = 12

    let outcome: Outcome
    let link: Int
    /// The arrival of the destination.
    let number: Int64

    init(_ outcome: Outcome, link: Int, number: Int64) {
        self.outcome = outcome
        self.link = link
        self.number = number
    }

    /// - Parameters:
    ///   - found: the arrival that has the key of a reference; nil if there is none.
    ///   - destination: the one that leads it.
    init(_ reference: ReferenceEntry, found: Int64?, _ destination: Int64?) {
        if let found, let destination {
            self.init(found < reference.threshold ? .found : .foundLater, link: reference.link, number: destination)
        } else {
            self.init(.absent, link: reference.link, number: reference.payload)
        }
    }

    init(_ bits: Int64) {
        let bits = UInt64(bitPattern: bits)
        outcome = Outcome(rawValue: bits & 3) ?? .absent
        link = Int(bits >> 2 & (1 << Self.linkBits - 1))
        number = Int64(bits >> (2 + Self.linkBits))
    }

    var bits: Int64 {
        Int64(bitPattern: outcome.rawValue | UInt64(link) << 2 | UInt64(number) << (2 + Self.linkBits))
    }
}
