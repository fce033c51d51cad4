import SQLiteFileBuilder

/// A one-to-one relationship: a link of each side.
struct LinkPair {
    struct Side {
        let table: AssembledTable
        let link: Int

        /// Whether rows say what the link leads to.
        var isSaid: Bool { table.forms.contains { $0.links.contains(link) } }

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

    /// - Parameter checkpoint: called once in a while.
    func run(checkpoint: () throws -> Void) throws {
        let path = pair.sides[0].table.builder.path
        let partners = try pair.sides.map { _ in try NumberFile(beside: path, pages: limits.partnerPages) }
        func take(_ side: Int, _ owner: Int64, _ destination: Int64) throws {
            let (own, others) = (partners[side], partners[partners.count - 1 - side])
            let former = try own.number(at: owner)
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
            try forEachNaming(in: tables[0], checkpoint) { _, side, owner, destination in
                try take(side, owner, destination)
            }
        } else {
            let sorter = TupleSorter(width: 5, memory)
            for table in tables {
                try forEachNaming(in: table, checkpoint) { arrival, side, owner, destination in
                    try sorter.add([table.epoch(of: arrival), arrival, Int64(side), owner, destination])
                }
            }
            let namings = try sorter.sorted()
            var count = 0
            while let naming = try namings.next() {
                count += 1
                if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
                try take(Int(naming[2]), naming[3], naming[4])
            }
        }
        for (side, partners) in zip(pair.sides, partners) { side.table.setPartners(partners, of: side.link) }
    }

    /// Calls a closure with what the rows of a table say, in their order: the side of the link, the object, and what it
    /// leads to; 0 for nothing.
    private func forEachNaming(
        in table: AssembledTable, _ checkpoint: () throws -> Void,
        _ body: (_ arrival: Int64, _ side: Int, _ owner: Int64, _ destination: Int64) throws -> Void
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
                try body(arrival, side, owner, destination ?? 0)
            }
        }
    }
}
