import SQLiteFileBuilder
import Threading

/// A rewrite of a table whose rows keep their primary keys and change only in the links that were found.
///
/// Other threads read windows of arrivals in turn, and set the links of the rows, while the caller's thread writes the
/// pages and collects the entries of indexes.
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
        /// The number of rows with a destination, by form and then by link.
        @exclusivity(unchecked) var counts: [Int64] = []
    }

    private enum Outcome {
        /// The block is the last one of its window, or others follow.
        case rows(Block, isLast: Bool)
        case failure(BuildError)
    }

    /// A reader of every other window. It belongs to one thread.
    private final class Reader: @unchecked Sendable {
        let exchange = BufferExchange<Block, Outcome>((0..<LinkRewrite.blockCount).map { _ in Block() })
        let patcher: RowPatcher
        let scan: LeafScan
        /// The results of references of the current window, and the position of the next one.
        @exclusivity(unchecked) var patches: [SortedPairs.Pair] = []
        @exclusivity(unchecked) var next = 0

        init(_ patcher: RowPatcher, _ scan: LeafScan) {
            (self.patcher, self.scan) = (patcher, scan)
        }
    }

    private let table: AssembledTable
    private let limits: AssemblyLimits
    private let patchers: [RowPatcher]
    private let links: [Link]
    private let columns: [Int]
    private let destinations: [AssembledTable]
    private let version: Int?

    /// The number of threads that read. Reading a row and setting its links takes several times as long as writing it.
    private static let readerCount = 2
    /// The number of blocks of each reader: one is filled, and one waits or is written.
    private static let blockCount = 2

    /// Creates a rewrite; returns nil if the columns of the links do not store integers unchanged.
    init?(_ table: AssembledTable, _ limits: AssemblyLimits) {
        let builder = table.builder
        let version = builder.definition.columns.firstIndex { $0.name == "Z_OPT" }
        let columns = table.links.flatMap { [$0.column, $0.entityColumn] } + [version]
        patchers = (0..<Self.readerCount).compactMap { _ in RowPatcher(builder, columns: columns.compactMap(\.self)) }
        guard patchers.count == Self.readerCount, let patcher = patchers.first else { return nil }
        self.table = table
        self.limits = limits
        self.version = version.flatMap { patcher.place(of: $0) }
        links = table.links.map { link in
            Link(
                key: patcher.place(of: link.column) ?? 0,
                entity: link.entityColumn.flatMap { patcher.place(of: $0) }, entityNumber: link.entity)
        }
        self.columns = table.links.map(\.column)
        destinations = table.links.map(\.destination)
    }

    /// Appends the rows to the table.
    ///
    /// - Parameters:
    ///   - rows: the rows before the rewrite.
    ///   - patches: the results of their references, sorted by row, as bits of `LinkPatch`.
    ///   - client: called for each reference without a destination.
    func run(_ rows: BuiltRows, _ patches: SortedPairs, for client: some AssemblyClient) throws {
        for form in table.forms.indices {
            for link in links.indices { table.linkCounts[form][link] = 0 }
        }
        // The links of a window take as much memory as its rows would if each of them had one.
        let windows = LinkWindows(
            patches, of: table.next, rows: limits.linkedRows / max(1, links.count), readers: Self.readerCount)
        let readers = try patchers.map { patcher throws(BuildError) in
            Reader(patcher, try rows.scan(table.builder.definition.name))
        }
        defer { readers.forEach { $0.exchange.stop() } }
        var isOnThread: [Bool] = []
        for (place, reader) in readers.enumerated() {
            do throws(ThreadError) {
                try WorkerThread.start { [self] in
                    for window in stride(from: place, to: windows.count, by: Self.readerCount) {
                        guard read(window, of: windows, reader) else { return }
                    }
                }
                isOnThread.append(true)
            } catch {
                isOnThread.append(false)
            }
        }
        for window in 0..<windows.count {
            let place = window % Self.readerCount
            if isOnThread[place] {
                try appendRead(readers[place].exchange, client)
            } else {
                // Without another thread, each block is filled when it is needed.
                try appendAll(of: window, windows, readers[place], client)
            }
        }
    }

    /// Appends the rows of a window as a reader passes them on.
    private func appendRead(_ exchange: BufferExchange<Block, Outcome>, _ client: some AssemblyClient) throws {
        while true {
            switch exchange.next() {
            case .failure(let error): throw error
            case .rows(let block, let isLast):
                try append(block, client)
                exchange.giveBack(block)
                if isLast { return }
            }
        }
    }

    /// Reads the rows of a window and appends them.
    @_optimize(size)
    private func appendAll(
        of window: Int, _ windows: LinkWindows, _ reader: Reader, _ client: some AssemblyClient
    ) throws {
        try begin(window, of: windows, reader)
        let block = Block()
        var isMore = true
        while isMore {
            isMore = try fill(block, upTo: windows.end(of: window), reader)
            try append(block, client)
        }
    }

    private func append(_ block: Block, _ client: some AssemblyClient) throws {
        try table.builder.append(block.rows)
        for (owner, payload) in block.absences {
            try table.pieces.withPiece(at: payload) { try client.absent($0, owner: owner) }
        }
        for index in block.counts.indices {
            table.linkCounts[index / links.count][index % links.count] += block.counts[index]
        }
        try client.checkpoint()
    }

    // MARK: - Other threads

    /// Passes on the rows of a window. Returns false if no more are needed.
    private func read(_ window: Int, of windows: LinkWindows, _ reader: Reader) -> Bool {
        do throws(BuildError) {
            try begin(window, of: windows, reader)
            var isMore = true
            while isMore {
                guard let block = reader.exchange.takeFree() else { return false }
                isMore = try fill(block, upTo: windows.end(of: window), reader)
                reader.exchange.put(.rows(block, isLast: !isMore))
            }
            return true
        } catch {
            reader.exchange.put(.failure(error))
            return false
        }
    }

    private func begin(_ window: Int, of windows: LinkWindows, _ reader: Reader) throws(BuildError) {
        try windows.take(&reader.patches, for: window % Self.readerCount)
        reader.next = 0
        try reader.scan.skip(to: windows.start(of: window))
    }

    /// Fills a block with rows up to an arrival. Returns false if there are no more such rows.
    private func fill(_ block: Block, upTo last: Int64, _ reader: Reader) throws(BuildError) -> Bool {
        block.rows.removeAll()
        block.absences.removeAll(keepingCapacity: true)
        let (scan, rows, patcher) = (reader.scan, block.rows, reader.patcher)
        var (patches, next) = ([SortedPairs.Pair](), reader.next)
        swap(&patches, &reader.patches)
        defer {
            swap(&patches, &reader.patches)
            reader.next = next
        }
        let (columns, hasForms) = (self.columns, table.forms.count > 1)
        var counted: [Int64] = []
        swap(&counted, &block.counts)
        defer { swap(&counted, &block.counts) }
        counted.removeAll(keepingCapacity: true)
        counted.append(contentsOf: repeatElement(0, count: table.forms.count * columns.count))
        let isCounted = !counted.isEmpty
        while rows.size < limits.linkedBytes || rows.count == 0 {
            guard try scan.nextRecord(upTo: last) else { return false }
            let arrival = scan.rowID
            var changes: Int64 = 0
            while next < patches.count, patches[next].first <= arrival {
                if patches[next].first == arrival {
                    changes += apply(LinkPatch(patches[next].second), of: arrival, block, patcher)
                }
                next += 1
            }
            if changes > 0, let version { patcher.add(version, changes) }
            try patcher.append(scan, to: rows)
            guard isCounted else { continue }
            let first = hasForms ? (table.form(of: arrival) ?? 0) * columns.count : 0
            for index in columns.indices where patcher.isInteger(columns[index]) { counted[first + index] += 1 }
        }
        return true
    }

    /// Sets or removes a link of a row. Returns 1 if this counts as a change of the object, otherwise 0.
    private func apply(_ patch: LinkPatch, of arrival: Int64, _ block: Block, _ patcher: RowPatcher) -> Int64 {
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
