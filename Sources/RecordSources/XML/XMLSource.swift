internal import DocumentReading

/// The records of an XML document: the elements that a path selects, each as a tree of attributes and child elements.
///
/// Memory is bounded by the largest record, even for a document of 1 GB. If the document is not well-formed, reading
/// ends after the records before the error, because the meaning of what follows is uncertain.
public struct XMLSource: RecordSource {
    /// The path of the source; `-` for standard input.
    public let name: String
    /// The paths whose values are the fields of every record.
    public let columns: [SourceColumn]
    /// The text that surrounds rejected records in a file of their own: the elements around the records.
    public var wrapping: RecordWrapping { ancestors.wrapping }
    /// The place of the records' original bytes: the file, because the parser does not keep them.
    public let recordBytes: RecordBytes

    var reader: XMLEventStream
    let limits: RecordLimits
    var naming: XMLNaming
    var builder = XMLTreeBuilder()
    var ancestors: XMLAncestors
    private let values: RecordColumns
    private var position = RecordPosition.start
    private var failure: (any Error)?
    /// The input of the document; nil for a document in memory.
    private var input: ByteInput?
    private var isFinished = false
    /// The number of records of an earlier run that are still to be skipped.
    private var recordsToSkip: Int

    /// Opens a document, or standard input for `-`; the names in the paths come from `names`.
    ///
    /// If a position from an earlier run is given, reading continues there: the records before it are skipped.
    /// - Throws: `SourceError` if the file cannot be opened, or if a path is malformed.
    public init(
        path: String, options: XMLOptions, paths: [RecordPath] = [], names: FieldNames = FieldNames(),
        from position: RecordPosition? = nil
    ) throws {
        try self.init(ByteInput(path: path), options: options, paths: paths, names: names, from: position)
    }

    /// Reads a document from an input.
    init(
        _ input: ByteInput, options: XMLOptions, paths: [RecordPath] = [], names: FieldNames = FieldNames(),
        from position: RecordPosition? = nil
    ) throws {
        try self.init(
            XMLEventStream(input, limits: XMLSource.readingLimits(options)), name: input.name,
            bytes: input.isPlainFile ? .inFile(input.name) : .inBatch, options: options, paths: paths, names: names,
            from: position)
        self.input = input
    }

    /// Reads a document in memory.
    /// - Throws: `SourceError` if a path is malformed.
    public init(
        bytes: [UInt8], name: String, options: XMLOptions, paths: [RecordPath] = [],
        names: FieldNames = FieldNames(), from position: RecordPosition? = nil
    ) throws {
        let limits = XMLSource.readingLimits(options)
        try self.init(
            XMLEventStream(bytes: bytes, name: name, limits: limits), name: name, bytes: .inMemory(bytes),
            options: options, paths: paths, names: names, from: position)
    }

    /// Returns limits with which a text that is too long only makes its record too large.
    private static func readingLimits(_ options: XMLOptions) -> XMLReadingLimits {
        var limits = XMLReadingLimits(maximumTextLength: options.limits.bytes + 1)
        limits.cutsLongTexts = true
        return limits
    }

    private init(
        _ reader: XMLEventStream, name: String, bytes: RecordBytes, options: XMLOptions, paths: [RecordPath],
        names: FieldNames, from position: RecordPosition?
    ) throws(SourceError) {
        self.name = name
        self.reader = reader
        values = RecordColumns(paths)
        limits = options.limits
        columns = paths.map { SourceColumn(name: $0.text) }
        recordBytes = bytes
        let recordPath = try XMLRecordPath(options.recordPath, in: name)
        naming = XMLNaming(namespaces: options.namespaces, names: names, recordPath: recordPath)
        ancestors = XMLAncestors(recordPath)
        recordsToSkip = position?.record ?? 0
    }

    /// Fills a batch with the next records; returns false and an empty batch at the end of the source.
    /// - Throws: `SourceError` or `DocumentError` if the document is not well-formed, exceeds a limit or cannot be
    ///   read. The records before this place are returned first.
    public mutating func next(into batch: inout RecordBatch) throws -> Bool {
        batch.removeAll()
        batch.start = position
        builder.beginBatch()
        do {
            while !batch.isFull && !isFinished && failure == nil {
                guard try goToRecord() else {
                    isFinished = true
                    break
                }
                if recordsToSkip > 0 {
                    recordsToSkip -= 1
                    try reader.skipElement()
                    ancestors.close()
                    position.record += 1
                    position.line = reader.line
                    position.byteOffset = reader.byteOffset ?? position.byteOffset
                    // The batch begins after the skipped records, and its records are numbered from here.
                    batch.start = position
                } else {
                    try readRecord(into: &batch)
                }
            }
        } catch {
            // The records before the failure are valid, and are returned first.
            failure = input?.failure ?? error
        }
        batch.end = position
        batch.namespaces = naming.documentNamespaces
        if batch.count == 0, let failure { throw failure }
        if isFinished && recordsToSkip > 0 {
            throw SourceError(.positionBeyondEnd, in: name, line: position.line)
        }
        return batch.count > 0
    }

    /// Moves to the start tag of the next record; returns false at the end of the document.
    private mutating func goToRecord() throws -> Bool {
        while let event = try reader.next() {
            switch event {
            case .startElement:
                if ancestors.open(reader, &naming, recordBytes) { return true }
            case .endElement:
                ancestors.close()
            case .text:
                continue
            }
        }
        return false
    }

    /// Reads the current element, from its start tag to its end tag.
    private mutating func readRecord(into batch: inout RecordBatch) throws {
        let record = batch.count
        let line = reader.line
        let offset = reader.byteOffset
        let firstNode = batch.nodes.count
        let arenaStart = batch.arena.count
        var problem = try builder.build(&reader, &naming, limits: limits, line: line, into: &batch)
        ancestors.close()

        var entry = RecordEntry(
            firstField: batch.fieldCount, fieldCount: values.count, arenaStart: arenaStart, arenaLength: 0, line: line,
            sourceOffset: offset ?? 0, rootNode: problem == nil ? firstNode : -1)
        if let offset, let end = reader.byteOffset {
            // The bytes may mean something else without the declarations of the document, so such records are written
            // again.
            if !reader.hasDeclarations { entry.sourceLength = UInt32(clamping: end - offset) }
            position.byteOffset = end
        }
        if problem?.code == .tooLarge {
            let size = offset.flatMap { offset in reader.byteOffset.map { $0 - offset } } ?? 0
            problem = RecordProblem(tooLarge: size, limit: limits.bytes, line: line)
        }
        values.append(to: &batch, from: problem == nil ? firstNode : nil)
        batch.appendEntry(entry)
        if let problem { batch.reject(record, for: problem) }
        position.line = reader.line
        position.record += 1
    }
}
