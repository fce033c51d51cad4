import TextEncodings

/// Creates the records of a batch from parsed values.
struct JSONRecordBuilder {
    private let columns: RecordColumns
    /// Whether every record must be an object because its fields are members.
    private let needsObjects: Bool
    /// The size of the largest record in bytes.
    private let largestRecord: Int

    init(_ paths: [RecordPath], largestRecord: Int) {
        columns = RecordColumns(paths)
        needsObjects = !paths.isEmpty && paths.allSatisfy(\.beginsWithName)
        self.largestRecord = largestRecord
    }

    /// Adds a record that begins at a place in the source to a batch, which already has its nodes.
    ///
    /// - Parameter key: the key of the record, if it is a member of an object.
    @inline(__always)
    func add(
        _ text: Span<UInt8>, firstNode: Int, unescaped: [UInt8], key: [UInt8]? = nil, problem: RecordProblem?,
        at place: RecordPosition, to batch: inout RecordBatch
    ) {
        var problem = problem
        if text.count > largestRecord {
            problem = RecordProblem(tooLarge: text.count, limit: largestRecord, line: place.line)
        }
        let arenaStart = batch.arena.count
        batch.arena.append(copying: text)
        if problem != nil {
            batch.nodes.removeLast(batch.nodes.count - firstNode)
        } else if !unescaped.isEmpty {
            let unescapedStart = batch.appendValue(unescaped)
            let nodeCount = batch.nodes.count
            var nodes = batch.nodes.mutableSpan
            for index in firstNode..<nodeCount {
                nodes[index].name.settle(at: unescapedStart)
                nodes[index].value.settle(at: unescapedStart)
            }
        }
        if problem == nil, let key {
            batch.nodes[firstNode].name = RecordField(.quoted, start: batch.appendValue(key), length: key.count)
        }
        let entry = RecordEntry(
            firstField: batch.fieldCount, fieldCount: columns.count, arenaStart: arenaStart, arenaLength: text.count,
            line: place.line, sourceOffset: place.byteOffset, rootNode: problem == nil ? firstNode : -1)
        columns.append(to: &batch, from: problem == nil ? firstNode : nil)
        batch.appendEntry(entry)
        if problem == nil, needsObjects, batch.nodes[firstNode].kind != .object {
            problem = RecordProblem(.notAnObject, line: place.line)
        }
        if let problem { batch.reject(batch.count - 1, for: problem) }
    }
}
