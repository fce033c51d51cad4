import SQLiteFileBuilder

/// A one-to-one relationship: a link of each side.
struct LinkPair {
    struct Side {
        let table: AssembledTable
        let link: Int

        /// Whether rows of the table set the link.
        var isSaid: Bool { table.forms.contains { $0.links.contains(link) } }

        /// Whether rows set the link only if it has no destination.
        var isFilled: Bool { table.forms.contains { $0.onMatch == .fill && $0.links.contains(link) } }

        func isSame(_ other: Side) -> Bool { table === other.table && link == other.link }
    }

    /// Both sides; only one if the link is its own inverse.
    let sides: [Side]

    init(_ one: Side, _ other: Side) {
        sides = one.isSame(other) ? [one] : [one, other]
    }

    func hasSide(_ side: Side) -> Bool { sides.contains { $0.isSame(side) } }
}

/// A pass that finds the final destinations in a one-to-one relationship: in the order of the rows, whichever side they
/// are on, each row takes its destination from the object that has it.
///
/// The destination of each object is on disk.
struct PartnerPass {
    let pair: LinkPair
    let rows: BuiltRows
    /// The results of references, by table, as bits of `LinkPatch`.
    let patches: [PairFile]
    let limits: AssemblyLimits
    let memory: SpoolMemory

    /// Finds the destinations of all objects, and sets them as the partners of both links.
    ///
    /// - Parameter checkpoint: called once in a while.
    func run(checkpoint: () throws -> Void) throws {
        let taking = try PartnerTaking(pair, limits, notesTakers: false)
        var tables: [AssembledTable] = []
        for side in pair.sides where side.isSaid && !tables.contains(where: { $0 === side.table }) {
            tables.append(side.table)
        }
        if tables.count == 1, !tables[0].numbersRecords {
            try forEachNaming(in: tables[0], checkpoint, taking.take)
        } else {
            let sorter = TupleSorter(width: 8, memory)
            var place: Int64 = 0
            for table in tables {
                try forEachNaming(in: table, checkpoint) { naming in
                    place += 1
                    try sorter.add([
                        try table.turn(of: naming.arrival), place, naming.arrival, Int64(naming.side), naming.owner,
                        naming.destination, naming.absence, naming.isFilling ? 1 : 0,
                    ])
                }
            }
            let namings = try sorter.sorted()
            var count = 0
            while let naming = try namings.next() {
                count += 1
                if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
                try taking.take(
                    PartnerTaking.Naming(
                        arrival: naming[2], side: Int(naming[3]), owner: naming[4], destination: naming[5],
                        absence: naming[6], isFilling: naming[7] != 0))
            }
        }
        for (index, side) in pair.sides.enumerated() {
            side.table.setPartners(taking.partners[index], absences: taking.absences[index], of: side.link)
        }
    }

    /// Calls a closure with each link of the pair that a row of a table sets, in the order of the rows.
    func forEachNaming(
        in table: AssembledTable, _ checkpoint: () throws -> Void, _ body: (PartnerTaking.Naming) throws -> Void
    ) throws {
        let scan = try rows.scan(table.builder.definition.name)
        let (patch, absence) = (try patches[table.position].cursor(), try table.absences.cursor())
        /// By form, its links that belong to the pair: their sides, and their bits among the absences.
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
                    PartnerTaking.Naming(
                        arrival: arrival, side: side, owner: owner, destination: destination ?? 0,
                        absence: isAbsent ? (last?.number ?? 0) + 1 : 0,
                        isFilling: table.forms[form].onMatch == .fill))
            }
        }
    }
}
