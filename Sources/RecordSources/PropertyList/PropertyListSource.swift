import KeyedArchives

/// The records of a property list: the items of an array, the members of a dictionary, or the root itself.
struct PropertyListSource: RecordRendering {
    /// The arrangement of the records.
    private enum Layout {
        case items, members
        /// The root is the only record.
        case root
    }

    let name: String
    /// The paths whose values are the fields of every record.
    let columns: [SourceColumn]
    let wrapping: RecordWrapping

    private var events: PropertyListEvents
    private let options: PropertyListOptions
    private let layout: Layout
    private var builder: PropertyListTreeBuilder
    private let values: RecordColumns
    /// Whether every record must be a dictionary because its fields are members.
    private let needsObjects: Bool
    private var position = RecordPosition(byteOffset: 0, line: 1, record: 0)
    private var isFinished = false
    private var failure: (any Error)?
    /// The number of records of an earlier run that are still to be skipped.
    private var recordsToSkip: Int

    /// Opens a property list and moves to its records; the names in the paths come from `names`.
    ///
    /// If a position from an earlier run is given, reading continues there: the records before it are skipped.
    init(
        _ input: ByteInput, options: PropertyListOptions = PropertyListOptions(), paths: [RecordPath] = [],
        names: FieldNames = FieldNames(), from position: RecordPosition? = nil
    ) throws {
        name = input.name
        self.options = options
        values = RecordColumns(paths)
        columns = paths.map { SourceColumn(name: $0.text) }
        needsObjects = !paths.isEmpty && paths.allSatisfy(\.beginsWithName)
        builder = PropertyListTreeBuilder(names: names, limits: options.limits)
        recordsToSkip = position?.record ?? 0
        events = try PropertyListEvents(input, options)
        var opening = PropertyListOpening(name: name)
        let found = try opening.open(&events, options.recordPath)
        switch found {
        case .array: layout = .items
        case .dictionary: layout = options.recordPath == nil ? .root : .members
        case .other:
            throw SourceError(.malformedDocument("expected an array or a dictionary with the records"), in: name)
        }
        wrapping = Self.wrapping(keys: opening.keys, layout)
    }

    mutating func next(into batch: inout RecordBatch) throws -> Bool {
        batch.removeAll()
        batch.start = position
        do {
            while !batch.isFull, !isFinished, failure == nil, try readRecord(into: &batch) {}
        } catch {
            // The records before the failure are valid, and are returned first.
            failure = error
        }
        batch.end = position
        if batch.count == 0, let failure { throw failure }
        if isFinished, recordsToSkip > 0 { throw SourceError(.positionBeyondEnd, in: name, line: position.line) }
        return batch.count > 0
    }

    /// Reads the next record; returns false after the last one.
    private mutating func readRecord(into batch: inout RecordBatch) throws -> Bool {
        var key: String?
        var first = PropertyListEvent.dictionary
        if layout != .root {
            guard var event = try events.next(), event != .end else {
                isFinished = true
                return false
            }
            if case .key(let name) = event {
                key = name
                guard let value = try events.next() else { return false }
                event = value
            }
            first = event
        }
        let line = events.line ?? position.record + 1
        let (record, firstNode, arenaStart) = (batch.count, batch.nodes.count, batch.arena.count)
        let problem = try builder.build(first, key: key, line: line, &events, into: &batch)
        isFinished = layout == .root
        position.record += 1
        position.line = events.line ?? position.record + 1
        if recordsToSkip > 0 {
            recordsToSkip -= 1
            batch.nodes.removeLast(batch.nodes.count - firstNode)
            batch.truncateArena(to: arenaStart)
            batch.start = position
            return true
        }
        let hasNodes = batch.nodes.count > firstNode
        let entry = RecordEntry(
            firstField: batch.fieldCount, fieldCount: values.count, arenaStart: arenaStart, arenaLength: 0, line: line,
            sourceOffset: 0, rootNode: hasNodes ? firstNode : -1)
        values.append(to: &batch, from: problem == nil && hasNodes ? firstNode : nil)
        batch.appendEntry(entry)
        if let problem {
            batch.reject(record, for: problem)
        } else if needsObjects, batch.nodes[firstNode].kind != .object {
            batch.reject(record, for: RecordProblem(.notAnObject, line: line))
        }
        return true
    }

    /// Returns the text around rejected records, which are written as XML, below the keys that led to them.
    private static func wrapping(keys: [String], _ layout: Layout) -> RecordWrapping {
        let outer = keys.map { "<dict>\n<key>\(PropertyListRendering.escaped($0))</key>\n" }.joined()
        let container = layout == .members ? "dict" : "array"
        // A single record is the root again.
        let (open, close) = layout == .root ? ("", "") : ("<\(container)>\n", "</\(container)>\n")
        return RecordWrapping(
            prefix: Array((PropertyListRendering.header + outer + open).utf8),
            suffix: Array((close + keys.map { _ in "</dict>\n" }.joined() + "</plist>\n").utf8), fileExtension: "plist")
    }

    static func rendered(_ record: Int, of batch: RecordBatch) -> CapturedRecord {
        let root = Int(batch[record].rootNode)
        return .bytes(root < 0 ? [] : PropertyListRendering.record(root, of: batch))
    }
}
