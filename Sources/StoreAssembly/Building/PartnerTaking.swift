import SQLiteFileBuilder

/// The destinations of the objects of a one-to-one relationship, while rows take them from each other, one after the
/// other.
final class PartnerTaking {
    /// The destination that a row gives to a link.
    struct Naming {
        /// The arrival of the row.
        var arrival: Int64
        var side: Int
        var owner: Int64
        /// The arrival of the destination; 0 if there is none.
        var destination: Int64
        /// One more than the offset of the payload of a reference without a destination; 0 if there is no such
        /// reference.
        var absence: Int64
        var isFilling: Bool
    }

    private let pair: LinkPair
    /// The destination of each object, by side; 0 if it has none.
    let partners: [NumberFile]
    /// The `Naming.absence` that applies, by side and object; nil if no rows fill the link: then that of the last row
    /// applies.
    let absences: [NumberFile?]
    /// The row that has last removed the link of an object, by side and object, as twice the arrival plus the side of
    /// the row; nil if this is not recorded.
    private let takers: [NumberFile]?

    init(_ pair: LinkPair, _ limits: AssemblyLimits, notesTakers: Bool) throws(BuildError) {
        self.pair = pair
        let path = pair.sides[0].table.builder.path
        func file(_ side: LinkPair.Side) throws(BuildError) -> NumberFile {
            try NumberFile(beside: path, pages: limits.partnerPages)
        }
        partners = try pair.sides.map(file)
        absences = try pair.sides.map { (side) throws(BuildError) in side.isFilled ? try file(side) : nil }
        takers = notesTakers ? try pair.sides.map(file) : nil
    }

    /// Applies a row: its object takes the destination from the object that has it.
    func take(_ naming: Naming) throws(BuildError) {
        let other = partners.count - 1 - naming.side
        let (own, others) = (partners[naming.side], partners[other])
        let (owner, destination) = (naming.owner, naming.destination)
        let former = try own.number(at: owner)
        // A filling row changes a link only if the object has no destination.
        if naming.isFilling, former != 0 || destination == 0 && naming.absence == 0 { return }
        try absences[naming.side]?.set(naming.absence, at: owner)
        guard former != destination else { return }
        if former != 0 { try end(former, other, naming) }
        guard destination != 0 else { return try own.set(0, at: owner) }
        let holder = try others.number(at: destination)
        if holder != 0 { try end(holder, naming.side, naming) }
        try own.set(destination, at: owner)
        try others.set(owner, at: destination)
    }

    private func end(_ object: Int64, _ side: Int, _ naming: Naming) throws(BuildError) {
        try partners[side].set(0, at: object)
        try takers?[side].set(naming.arrival << 1 | Int64(naming.side), at: object)
    }

    /// Returns the row that has last removed the link of an object; nil if no row has, or if this is not recorded.
    func taker(of object: Int64, _ side: Int) throws(BuildError) -> (table: AssembledTable, arrival: Int64)? {
        guard let bits = try takers?[side].number(at: object), bits != 0 else { return nil }
        return (pair.sides[Int(bits & 1)].table, bits >> 1)
    }
}
