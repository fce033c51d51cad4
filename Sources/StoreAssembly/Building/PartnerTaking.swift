import SQLiteFileBuilder

/// What the objects of a one-to-one relationship lead to, while rows take them from each other, one after the other.
final class PartnerTaking {
    /// What a row says of a link.
    struct Naming {
        /// The number of the row.
        var arrival: Int64
        var side: Int
        var owner: Int64
        /// 0 for nothing.
        var destination: Int64
        /// One more than the place of the payload of a reference that leads nowhere; 0 if there is none.
        var absence: Int64
        var isFilling: Bool
    }

    private let pair: LinkPair
    /// By side, what each object leads to.
    let partners: [NumberFile]
    /// By side and object, the `Naming.absence` that counts; nil if no rows fill links: then it is that of the last row.
    let absences: [NumberFile?]
    /// By side and object, the row that has ended its link last, and which side that says, in one number; nil if that
    /// is not asked for.
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

    /// A row takes what it names from whoever has it.
    func take(_ naming: Naming) throws(BuildError) {
        let other = partners.count - 1 - naming.side
        let (own, others) = (partners[naming.side], partners[other])
        let (owner, destination) = (naming.owner, naming.destination)
        let former = try own.number(at: owner)
        // Only what is empty is filled.
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

    /// The row that has ended the link of an object last; nil if none has.
    func taker(of object: Int64, _ side: Int) throws(BuildError) -> (table: AssembledTable, arrival: Int64)? {
        guard let bits = try takers?[side].number(at: object), bits != 0 else { return nil }
        return (pair.sides[Int(bits & 1)].table, bits >> 1)
    }
}
