import SQLiteFileBuilder

/// The merged rows of groups, by the arrival that leads each group.
struct GroupedRows {
    let places: PairFile
    let pieces: ByteFile
    /// The destinations that the rows of the groups name, by link, as sorted tuples of group, destination, and arrival
    /// of the row; nil for links without an order.
    var namings: [TupleCursor?] = []
}

/// A pass over the rows of a table with equal keys, which merges each group of them into one row.
struct GroupPass {
    let table: AssembledTable
    let rows: BuiltRows
    let patches: PairFile
    /// The objects that are created because a reference names them, with the offsets of their rows; nil if there are no
    /// such objects.
    let creations: PairFile?
    let memory: SpoolMemory

    func run(_ members: PairFile, _ client: some AssemblyClient) throws -> GroupedRows {
        let sorter = GroupSorter(memory)
        try addRows(members, to: sorter, checkpoint: client.checkpoint)
        if let creations { try addCreations(creations, members, to: sorter) }
        return try merge(sorter, client)
    }

    private func addRows(_ members: PairFile, to sorter: GroupSorter, checkpoint: () throws -> Void) throws {
        let scan = try rows.scan(table.builder.definition.name)
        let (member, patch, absence) = (try members.cursor(), try patches.cursor(), try table.absences.cursor())
        var count = 0
        while try scan.next() {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            guard try member.seek(scan.rowID) else { continue }
            var found = GroupMember(form: table.form(of: scan.rowID))
            while try patch.seek(scan.rowID) {
                found.patches.append(LinkPatch(patch.second))
                try patch.advance()
            }
            while try absence.seek(scan.rowID) {
                found.absent.append(UInt64(bitPattern: absence.second))
                try absence.advance()
            }
            let bytes = scan.record.withBytes { found.encoded(with: $0) }
            try sorter.add(group: member.second, place: scan.rowID, bytes.span)
        }
    }

    private func addCreations(_ creations: PairFile, _ members: PairFile, to sorter: GroupSorter) throws {
        let (creation, member, patch) = (try creations.cursor(), try members.cursor(), try patches.cursor())
        while let arrival = creation.first {
            if try member.seek(arrival) {
                var found = GroupMember(form: nil)
                while try patch.seek(arrival) {
                    found.patches.append(LinkPatch(patch.second))
                    try patch.advance()
                }
                let bytes = try table.pieces.withPiece(at: creation.second) { found.encoded(with: $0) }
                try sorter.add(group: arrival, place: arrival, bytes.span)
            }
            try creation.advance()
        }
    }

    private func merge(_ sorter: GroupSorter, _ client: some AssemblyClient) throws -> GroupedRows {
        var grouped = GroupedRows(
            places: try PairFile(table.builder.path), pieces: try ByteFile(beside: table.builder.path))
        let version = table.builder.definition.columns.firstIndex { $0.name == "Z_OPT" } ?? -1
        var merge = GroupMerge(table, versionColumn: version, memory, isSame: client.isSame)
        var group: Int64?
        func end() throws(BuildError) {
            guard let group else { return }
            let bytes = try merge.merged()
            try grouped.places.append(group, try grouped.pieces.append(bytes.span))
        }
        try sorter.drain { (next, arrival, row) throws(BuildError) in
            if next == group { return try merge.add(row, arrival: arrival) }
            try end()
            group = next
            try merge.begin(row, arrival: next)
        }
        try end()
        try grouped.places.finish()
        for namings in merge.namings { grouped.namings.append(try namings?.sorted()) }
        return grouped
    }
}
