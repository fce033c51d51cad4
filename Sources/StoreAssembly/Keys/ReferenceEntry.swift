/// A reference by key on disk.
struct ReferenceEntry {
    let digest: KeyDigest
    /// The arrival of the object with the reference.
    let owner: Int64
    /// The position of the owner's table.
    let table: Int
    /// The number of its link, or the position of the list in the assembly.
    let link: Int
    let isOfList: Bool
    /// The entity, among those of the key space, for which the destination is looked up.
    let entity: Int16
    /// Whether the owner requires the destination.
    let isRequired: Bool
    /// Whether the destination must come before the reference.
    let needsEarlier: Bool
    /// Whether all possible destinations come before the row, so that it is known at once whether there is one.
    let isKnownAtOnce: Bool
    /// Whether the destination is created if there is none.
    let creates: Bool
    /// The offset of the note that the client gets if there is no destination.
    let payload: Int64
    /// The first arrival that comes after the reference; 0 for a reference in a list.
    let threshold: Int64
    /// The position of the reference in its list.
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
    /// The number of bits of a link.
    private static let linkBits: UInt64 = 20
    // The link and the entity are followed by five flags and the table.
    private static let listFlag: UInt64 = 1 << (linkBits + KeyEntry.entityBits)
    private static let requiredFlag = listFlag << 1
    private static let earlierFlag = listFlag << 2
    private static let atOnceFlag = listFlag << 3
    private static let creatingFlag = listFlag << 4
    private static let tableShift = linkBits + KeyEntry.entityBits + 5

    /// Returns whether the word of a reference's place belongs to a list.
    @inline(__always)
    static func isOfList(_ place: UInt64) -> Bool { place & listFlag != 0 }

    /// Returns whether the word of a reference's place belongs to a row that comes after all possible destinations.
    static func isKnownAtOnce(_ place: UInt64) -> Bool { place & atOnceFlag != 0 }

    /// Returns the word for the place of a reference, and for the entity that is looked up.
    static func place(
        table: Int, link: Int, entity: Int, isRequired: Bool, needsEarlier: Bool = false, isKnownAtOnce: Bool = false,
        creates: Bool = false, isOfList: Bool
    ) -> UInt64 {
        UInt64(table) << tableShift | (needsEarlier ? earlierFlag : 0) | (isKnownAtOnce ? atOnceFlag : 0)
            | (isRequired ? requiredFlag : 0) | (creates ? creatingFlag : 0) | (isOfList ? listFlag : 0) | UInt64(
                entity) << linkBits | UInt64(link)
    }
}

/// The result of a reference, without its owner: two bits for the outcome, twelve for the link, and a number.
struct LinkPatch {
    enum Outcome: UInt64 {
        /// The destination exists and came before the reference.
        case found
        /// The destination exists and came after the reference.
        case foundLater
        /// The destination does not exist. The number is the offset of the payload.
        case absent
    }

    /// The maximum number of links of a table, which is higher than SQLite's default maximum number of columns.
    static let mostLinks = 1 << Int(linkBits)
    private static let linkBits: UInt64 = 12

    let outcome: Outcome
    let link: Int
    /// The arrival of the destination, or the offset of the payload of a missing destination.
    let number: Int64

    init(_ outcome: Outcome, link: Int, number: Int64) {
        self.outcome = outcome
        self.link = link
        self.number = number
    }

    /// - Parameters:
    ///   - found: the arrival that has the key of a reference; nil if there is none.
    ///   - destination: the leader of that arrival; nil if it does not become an object.
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
