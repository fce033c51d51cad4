import SQLiteFileBuilder
import Threading

/// A rewrite of a table whose rows keep their primary keys and change only in the links that were found.
///
/// Another thread reads the rows and sets their links, while the caller's thread writes the pages and collects the
/// entries of indexes.
final class LinkRewrite: @unchecked Sendable {
    /// A link of the table, with the positions of its columns among those that change. It does not contain the
    /// destination's table, because the reference would be counted with each row.
    private struct Link {
        let key: Int
        let entity: Int?
        let entityNumber: Int64
    }

    /// A block of rows to be written. It belongs to one thread at a time.
    private final class Block: @unchecked Sendable {
        let rows = RowBlock()
        /// The owners of references without a destination, with the offsets of the payloads.
        @exclusivity(unchecked) var absences: [(owner: Int64, payload: Int64)] = []
    }

    private enum Outcome {
        case rows(Block, isLast: Bool)
        case failure(BuildError)
    }

    private let table: AssembledTable
    private let limits: AssemblyLimits
    private let patcher: RowPatcher
    private let links: [Link]
    private let columns: [Int]
    private let destinations: [AssembledTable]
    private let version: Int?
    /// The number of rows with a destination, by form and then by link. The reading thread owns the array until it is
    /// done.
    @exclusivity(unchecked) private var counts: [Int64]

    /// The number of blocks that circulate: one is filled, one waits, one is written.
    private static let blockCount = 3

    /// Creates a rewrite; returns nil if the columns of the links do not store integers unchanged.
    init?(_ table: AssembledTable, _ limits: AssemblyLimits) {
        let builder = table.builder
        let version = builder.definition.columns.firstIndex { $0.name == "Z_OPT" }
        let columns = table.links.flatMap { [$0.column, $0.entityColumn] } + [version]
        guard let patcher = RowPatcher(builder, columns: columns.compactMap(\.self)) else { return nil }
        self.table = table
        self.limits = limits
        self.patcher = patcher
        self.version = version.flatMap { patcher.place(of: $0) }
        links = table.links.map { link in
            Link(
                key: patcher.place(of: link.column) ?? 0,
                entity: link.entityColumn.flatMap { patcher.place(of: $0) }, entityNumber: link.entity)
        }
        self.columns = table.links.map(\.column)
        destinations = table.links.map(\.destination)
        counts = [Int64](repeating: 0, count: table.forms.count * table.links.count)
    }

    /// Appends the rows to the table.
    ///
    /// - Parameters:
    ///   - scan: the rows before the rewrite.
    ///   - patches: the results of their references, sorted by row, as bits of `LinkPatch`.
    ///   - client: called for each reference without a destination.
    func run(_ scan: LeafScan, _ patches: SortedPairs, for client: some AssemblyClient) throws {
        let input = Input(scan, patches)
        let exchange = BufferExchange<Block, Outcome>((0..<Self.blockCount).map { _ in Block() })
        defer { exchange.stop() }
        do throws(ThreadError) {
            try WorkerThread.start { [self] in
                while let block = exchange.takeFree() {
                    let outcome = outcome(of: input, block)
                    exchange.put(outcome)
                    guard case .rows(_, isLast: false) = outcome else { return }
                }
            }
        } catch {
            // Without another thread, each block is filled when it is needed.
            let block = Block()
            var isLast = false
            while !isLast {
                isLast = try !fill(block, input)
                try append(block, client)
            }
            return noteCounts()
        }
        while true {
            switch exchange.next() {
            case .failure(let error): throw error
            case .rows(let block, let isLast):
                try append(block, client)
                if isLast { return noteCounts() }
                exchange.giveBack(block)
            }
        }
    }

    private func noteCounts() {
        for form in table.forms.indices {
            for link in links.indices { table.linkCounts[form][link] = counts[form * links.count + link] }
        }
    }

    private func append(_ block: Block, _ client: some AssemblyClient) throws {
        try table.builder.append(block.rows)
        for (owner, payload) in block.absences {
            try table.pieces.withPiece(at: payload) { try client.absent($0, owner: owner) }
        }
        try client.checkpoint()
    }

    // MARK: - The other thread

    /// The rows before the rewrite, and the results of their references. It belongs to one thread.
    private final class Input: @unchecked Sendable {
        let scan: LeafScan
        let patches: SortedPairs
        @exclusivity(unchecked) var next: (first: Int64, second: Int64)?
        @exclusivity(unchecked) var isBegun = false

        init(_ scan: LeafScan, _ patches: SortedPairs) {
            (self.scan, self.patches) = (scan, patches)
        }
    }

    private func outcome(of input: Input, _ block: Block) -> Outcome {
        do throws(BuildError) {
            return .rows(block, isLast: try !fill(block, input))
        } catch {
            return .failure(error)
        }
    }

    /// Fills a block. Returns false if there are no more rows.
    private func fill(_ block: Block, _ input: Input) throws(BuildError) -> Bool {
        block.rows.removeAll()
        block.absences.removeAll(keepingCapacity: true)
        let (scan, patches, rows) = (input.scan, input.patches, block.rows)
        if !input.isBegun { (input.isBegun, input.next) = (true, try patches.next()) }
        var next = input.next
        let (columns, hasForms) = (self.columns, table.forms.count > 1)
        var counted: [Int64] = []
        swap(&counted, &counts)
        defer { swap(&counted, &counts) }
        let isCounted = !counted.isEmpty
        while rows.count < max(1, limits.linkedRows), rows.size < limits.linkedBytes || rows.count == 0 {
            guard try scan.nextRecord() else { return false }
            let arrival = scan.rowID
            var changes: Int64 = 0
            while let patch = next, patch.first <= arrival {
                if patch.first == arrival { changes += apply(LinkPatch(patch.second), of: arrival, block) }
                next = try patches.next()
            }
            if changes > 0, let version { patcher.add(version, changes) }
            try patcher.append(scan, to: rows)
            guard isCounted else { continue }
            let first = hasForms ? (table.form(of: arrival) ?? 0) * columns.count : 0
            for index in columns.indices where patcher.isInteger(columns[index]) { counted[first + index] += 1 }
        }
        input.next = next
        return true
    }

    /// Sets or removes a link of a row. Returns 1 if this counts as a change of the object, otherwise 0.
    private func apply(_ patch: LinkPatch, of arrival: Int64, _ block: Block) -> Int64 {
        let link = links[patch.link]
        guard patch.outcome != .absent else {
            patcher.set(link.key, nil)
            if let entity = link.entity { patcher.set(entity, nil) }
            block.absences.append((arrival, patch.number))
            return 0
        }
        // All rows keep their primary keys, so an arrival is the primary key.
        patcher.set(link.key, patch.number)
        if let entity = link.entity {
            patcher.set(entity, destinations[patch.link].entity(of: patch.number) ?? link.entityNumber)
        }
        return patch.outcome == .foundLater ? 1 : 0
    }
}
