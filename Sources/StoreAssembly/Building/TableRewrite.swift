import SQLiteFileBuilder

/// A rewrite of a table, with the links that were found, the objects that were created, one row for each key, and the
/// final primary keys.
final class TableRewrite {
    private enum Edit {
        case none, null
        case integer(Int64)
    }

    private let table: AssembledTable
    private let versionColumn: Int
    @exclusivity(unchecked) private var edits: [Edit]
    @exclusivity(unchecked) private var isEdited = false
    private let member = StoredRecord()
    /// The columns with order keys, and the keys by row.
    @exclusivity(unchecked) private var orders: [(column: Int, places: PairCursor)] = []
    /// The links whose destinations got other primary keys, and those of one-to-one and shared relationships. Other
    /// links change only if there is a patch.
    @exclusivity(unchecked) private var movedLinks: [Int] = []
    @exclusivity(unchecked) private var pairedLinks: [Int] = []
    @exclusivity(unchecked) private var linkColumns: [Int] = []
    @exclusivity(unchecked) private var patchesOfRow: [LinkPatch] = []

    init(_ table: AssembledTable) {
        self.table = table
        versionColumn = table.builder.definition.columns.firstIndex { $0.name == "Z_OPT" } ?? -1
        edits = [Edit](repeating: .none, count: table.builder.definition.columns.count)
    }

    struct Input {
        let scan: LeafScan
        let patches: PairFile
        let creations: PairFile?
        let groups: GroupedRows?
        /// The columns with the order keys of rows among those with the same destination, and the keys by row.
        let orders: [(column: Int, places: PairFile)]
    }

    func run(_ input: Input, for client: some AssemblyClient) throws {
        for form in table.forms.indices {
            for link in table.links.indices { table.linkCounts[form][link] = 0 }
        }
        orders = try input.orders.map { column, places throws(BuildError) in (column, try places.cursor()) }
        movedLinks = table.links.indices.filter { !table.links[$0].destination.rows.isIdentity }
        pairedLinks = table.links.indices.filter { table.links[$0].partners != nil }
        linkColumns = table.links.map(\.column)
        let patches = try input.patches.cursor()
        let creations = try input.creations?.cursor()
        let groups = try input.groups?.places.cursor()
        var count = 0
        func write(_ arrival: Int64, _ record: StoredRecord) throws {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try client.checkpoint() }
            guard table.rows.contains(arrival) else { return }
            if let groups, let grouped = input.groups, try groups.seek(arrival) {
                let found = try grouped.pieces.withPiece(at: groups.second) { (bytes) throws(BuildError) in
                    try GroupMember(bytes, record: member)
                }
                try append(arrival, member, found.patches, client)
                return
            }
            patchesOfRow.removeAll(keepingCapacity: true)
            while try patches.seek(arrival) {
                patchesOfRow.append(LinkPatch(patches.second))
                try patches.advance()
            }
            try append(arrival, record, patchesOfRow, client)
        }
        func create(before arrival: Int64?) throws {
            guard let creations else { return }
            let record = StoredRecord()
            while let created = creations.first, arrival.map({ created < $0 }) ?? true {
                let isWhole = try table.pieces.withPiece(at: creations.second) { record.load($0) }
                guard isWhole else {
                    throw BuildError(
                        .conversion("a row that was spooled cannot be read again"), path: table.builder.path)
                }
                try write(created, record)
                table.created[table.entity(of: created) ?? 0, default: 0] += 1
                try creations.advance()
            }
        }
        while try input.scan.next() {
            try create(before: input.scan.rowID)
            try write(input.scan.rowID, input.scan.record)
        }
        try create(before: nil)
    }

    private func set(_ column: Int, _ value: Int64?) {
        edits[column] = value.map { .integer($0) } ?? .null
        isEdited = true
    }

    /// Returns the value that a column will have.
    private func value(_ column: Int, _ record: StoredRecord) -> Int64? {
        switch edits[column] {
        case .none: record.integer(column)
        case .null: nil
        case .integer(let value): value
        }
    }

    private func append(
        _ arrival: Int64, _ record: StoredRecord, _ patches: [LinkPatch], _ client: some AssemblyClient
    ) throws {
        let key = table.rows.primaryKey(of: arrival)
        for index in movedLinks {
            let link = table.links[index]
            guard let old = record.integer(link.column) else { continue }
            let leader = try link.destination.leader(of: old)
            set(link.column, leader.map { link.destination.rows.primaryKey(of: $0) })
            guard let entity = link.entityColumn, leader != old else { continue }
            // The object that the destination turned out to be may be of another entity.
            if leader == nil {
                set(entity, nil)
            } else if let number = leader.flatMap({ link.destination.entity(of: $0) }) {
                set(entity, number)
            }
        }
        var changes: Int64 = 0
        for patch in patches {
            let link = table.links[patch.link]
            guard patch.outcome != .absent else {
                set(link.column, nil)
                if let entity = link.entityColumn { set(entity, nil) }
                if link.absences == nil {
                    try table.pieces.withPiece(at: patch.number) { try client.absent($0, owner: key) }
                }
                continue
            }
            set(link.column, try link.destination.primaryKey(of: patch.number))
            if let entity = link.entityColumn {
                set(entity, link.destination.entity(of: patch.number) ?? link.entity)
            }
            if patch.outcome == .foundLater { changes += 1 }
        }
        for index in pairedLinks {
            let link = table.links[index]
            guard let partners = link.partners else { continue }
            if let place = try link.absences?.number(at: arrival), place != 0 {
                try table.pieces.withPiece(at: place - 1) { try client.absent($0, owner: key) }
            }
            let partner = try partners.number(at: arrival)
            let new = partner == 0 ? nil : try link.destination.primaryKey(of: partner)
            let isCounted = patches.contains { $0.link == index && $0.outcome == .foundLater }
            if new != value(link.column, record), !isCounted { changes += 1 }
            set(link.column, new)
            guard let entity = link.entityColumn else { continue }
            set(entity, new == nil ? nil : link.destination.entity(of: partner) ?? link.entity)
        }
        if changes > 0 {
            if let version = record.integer(versionColumn) { set(versionColumn, version + changes) }
        }
        if !table.forms.isEmpty {
            let form = table.forms.count > 1 ? table.form(of: arrival) ?? 0 : 0
            for (index, column) in linkColumns.enumerated() where value(column, record) != nil {
                table.linkCounts[form][index] += 1
            }
        }
        for (column, places) in orders where try places.seek(arrival) { set(column, places.second) }
        let builder = table.builder
        builder.beginRow()
        if isEdited {
            for column in edits.indices {
                switch edits[column] {
                case .none: builder.append(column, of: record)
                case .null: builder.appendNull()
                case .integer(let value): builder.append(value)
                }
                edits[column] = .none
            }
            isEdited = false
        } else {
            for column in edits.indices { builder.append(column, of: record) }
        }
        try builder.endRow(key)
    }
}
