import SQLiteFileBuilder

/// A one-to-one relationship: a link of each side.
struct LinkPair {
    struct Side {
        let table: AssembledTable
        let link: Int

        /// Whether rows say what the link leads to.
        var isSaid: Bool { table.forms.contains { $0.links.contains(link) } }

        /// Whether rows fill the link where it leads nowhere.
        var isFilled: Bool { table.forms.contains { $0.onMatch == .fill && $0.links.contains(link) } }

        func isSame(_ other: Side) -> Bool { table === other.table && link == other.link }
    }

    /// Both sides; one if a link is its own inverse.
    let sides: [Side]

    init(_ one: Side, _ other: Side) {
        sides = one.isSame(other) ? [one] : [one, other]
    }

    func hasSide(_ side: Side) -> Bool { sides.contains { $0.isSame(side) } }
}

/// Finds what the objects of a one-to-one relationship lead to: each row takes what it names from whoever has it, as the
/// rows came, whichever side they say.
///
/// What each object leads to is on disk.
struct PartnerPass {
    let pair: LinkPair
    let rows: BuiltRows
    /// By table, what became of references.
    let patches: [PairFile]
    let limits: AssemblyLimits
    let memory: SpoolMemory

    /// What a row says of a link.
    private struct Naming {
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

    /// What becomes of the links of a side.
    private struct Outcome {
        /// What each object leads to.
        let partners: NumberFile
        /// By object, the `Naming.absence` that counts; nil if no rows fill links: then it is that of the last row.
        let absences: NumberFile?
    }

    /// - Parameter checkpoint: called once in a while.
    func run(checkpoint: () throws -> Void) throws {
        let path = pair.sides[0].table.builder.path
        func file() throws(BuildError) -> NumberFile { try NumberFile(beside: path, pages: limits.partnerPages) }
        let outcomes = try pair.sides.map { side throws(BuildError) in
            Outcome(partners: try file(), absences: side.isFilled ? try file() : nil)
        }
        func take(_ naming: Naming) throws {
            let (own, others) = (
                outcomes[naming.side].partners, outcomes[outcomes.count - 1 - naming.side].partners
            )
            let (owner, destination) = (naming.owner, naming.destination)
            let former = try own.number(at: owner)
            // Only what is empty is filled.
            if naming.isFilling, former != 0 || destination == 0 && naming.absence == 0 { return }
            try outcomes[naming.side].absences?.set(naming.absence, at: owner)
            guard former != destination else { return }
            if former != 0 { try others.set(0, at: former) }
            guard destination != 0 else { return try own.set(0, at: owner) }
            let holder = try others.number(at: destination)
            if holder != 0 { try own.set(0, at: holder) }
            try own.set(destination, at: owner)
            try others.set(owner, at: destination)
        }
        var tables: [AssembledTable] = []
        for side in pair.sides where side.isSaid && !tables.contains(where: { $0 === side.table }) {
            tables.append(side.table)
        }
        if tables.count == 1 {
            try forEachNaming(in: tables[0], checkpoint, take)
        } else {
            let sorter = TupleSorter(width: 7, memory)
            for table in tables {
                try forEachNaming(in: table, checkpoint) { naming in
                    try sorter.add([
                        table.epoch(of: naming.arrival), naming.arrival, Int64(naming.side), naming.owner,
                        naming.destination, naming.absence, naming.isFilling ? 1 : 0,
                    ])
                }
            }
            let namings = try sorter.sorted()
            var count = 0
            while let naming = try namings.next() {
                count += 1
                if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
                try take(
                    Naming(
                        arrival: naming[1], side: Int(naming[2]), owner: naming[3], destination: naming[4],
                        absence: naming[5], isFilling: naming[6] != 0))
            }
        }
        for (side, outcome) in zip(pair.sides, outcomes) {
            side.table.setPartners(outcome.partners, absences: outcome.absences, of: side.link)
        }
    }

    /// Calls a closure with what the rows of a table say, in their order.
    private func forEachNaming(
        in table: AssembledTable, _ checkpoint: () throws -> Void, _ body: (Naming) throws -> Void
    ) throws {
        let scan = try rows.scan(table.builder.definition.name)
        let (patch, absence) = (try patches[table.position].cursor(), try table.absences.cursor())
        /// By form, its links that are of the pair: their sides and bits.
        let sides = table.forms.map { form in
            form.links.enumerated().compactMap { position, link in
                pair.sides.firstIndex { $0.table === table && $0.link == link }
                    .map { (side: $0, link: link, bit: form.columns.count + position) }
            }
        }
        var (found, absent) = ([LinkPatch](), [UInt64]())
        var count = 0
        while try scan.next() {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            let arrival = scan.rowID
            guard let owner = try table.leader(of: arrival), let form = table.form(of: arrival), !sides[form].isEmpty,
                owner == arrival || table.forms[form].onMatch != .skip
            else { continue }
            found.removeAll(keepingCapacity: true)
            while try patch.seek(arrival) {
                found.append(LinkPatch(patch.second))
                try patch.advance()
            }
            absent.removeAll(keepingCapacity: true)
            while try absence.seek(arrival) {
                absent.append(UInt64(bitPattern: absence.second))
                try absence.advance()
            }
            for (side, link, bit) in sides[form] {
                let last = found.last { $0.link == link }
                let destination = try table.links[link].destination(of: scan.record, last)
                if destination == nil, last == nil, GroupMerge.isSet(absent, bit) { continue }
                let isAbsent = last.map { $0.outcome == .absent } ?? false
                try body(
                    Naming(
                        arrival: arrival, side: side, owner: owner, destination: destination ?? 0,
                        absence: isAbsent ? (last?.number ?? 0) + 1 : 0,
                        isFilling: table.forms[form].onMatch == .fill))
            }
        }
    }
}
