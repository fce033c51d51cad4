import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Imports the records of sources into a store, batch by batch: convert, find or create, write, forget (behaviours 4).
///
/// Objects come first, links second: what a record names and is not there yet waits on disk until all records are read.
public final class BulkImporter {
    let connection: Connection
    let layout: StoreLayout
    let options: ImportOptions
    let indexes: IndexKeeper
    let sources: [CompiledSource]
    var keys: PrimaryKeyAllocator
    var resolvers: [ReferenceResolver]
    var writers: [[ObjectWriter]] = []
    var freshness: [[KeyFilter?]] = []
    var linkWriters: [[[LinkWriter?]]] = []
    var inverseWriters: [[[InverseWriter?]]] = []
    let history: HistoryWriter?
    let pending: PendingLinks
    var instances: [ObjectInstances] = []
    var isRejected: [Bool] = []
    let rejects: RejectWriter?
    var rejectSource: RejectSource?
    var report: ImportReport
    var entityReports: [String: ImportReport.EntityReport] = [:]

    /// - Parameters:
    ///   - connection: open for writing, with a transaction open where the import is to be whole.
    ///   - deferredIndexes: indexes that a new store does not have yet.
    init(
        connection: Connection, layout: StoreLayout, compiled: CompiledImport, options: ImportOptions, store: String,
        deferredIndexes: [StoreIndex]
    ) throws {
        self.connection = connection
        self.layout = layout
        self.options = options
        sources = compiled.sources
        indexes = IndexKeeper(connection, deferred: deferredIndexes)
        keys = try PrimaryKeyAllocator(connection, layout: layout)
        pending = try PendingLinks(connection)
        history = try HistoryWriter(connection, layout: layout)
        rejects = options.rejectsDirectory.map { RejectWriter(directory: $0) }
        report = ImportReport(store: store, isDryRun: options.isDryRun)
        resolvers = []
        for resolver in compiled.resolvers {
            resolvers.append(
                try ReferenceResolver(
                    connection: connection, layout: layout, slot: resolver.slot, attribute: resolver.attribute,
                    table: resolver.table, column: resolver.column, defaults: resolver.defaults))
        }
        for source in sources {
            writers.append(try source.objects.map { try ObjectWriter($0, connection: connection, layout: layout) })
            linkWriters.append(
                try source.objects.map { object in
                    try (object.toOnes + object.toManys).map {
                        try LinkWriter(
                            $0.relationship, replaces: !$0.adds, connection: connection, layout: layout)
                    }
                })
        }
        try prepareKeys()
        for source in sources {
            inverseWriters.append(
                try source.objects.map { object in
                    try object.toOnes.map {
                        try InverseWriter($0.relationship, connection: connection, layout: layout, indexes: indexes)
                    }
                })
        }
    }

    /// An entity without objects needs no look-ups until a key comes twice; others need an index on their key.
    func prepareKeys() throws {
        for (sourceIndex, source) in sources.enumerated() {
            var filters: [KeyFilter?] = []
            for (objectIndex, object) in source.objects.enumerated() {
                let columns = writers[sourceIndex][objectIndex].keyColumns
                try indexes.createUniqueIndexes(on: object.table.name, except: columns)
                let others = sources.flatMap(\.objects).filter { $0.table.root == object.table.root }.count
                let isCreatedElsewhere = resolvers.contains {
                    layout.model.entities[$0.slot].root == object.table.root
                }
                let isEmpty = try connection.value("SELECT 1 FROM \(SQLiteIdentifier.quoted(object.table.name)) LIMIT 1") == .null
                if object.hasKey, isEmpty, others == 1, !isCreatedElsewhere {
                    filters.append(KeyFilter())
                } else {
                    filters.append(nil)
                    if object.hasKey { try indexes.require(columns, of: object.table.name) }
                }
            }
            freshness.append(filters)
        }
    }

    // MARK: - Records

    /// Imports all records of one source.
    func importRecords(of source: inout any RecordSource, as sourceIndex: Int) throws {
        var batch = RecordBatch(limits: options.limits)
        var sourceReport = ImportReport.SourceReport(name: source.name)
        instances = sources[sourceIndex].objects.map {
            ObjectInstances(attributeCount: $0.attributes.count, toOneCount: $0.toOnes.count)
        }
        rejectSource = nil
        while try source.next(into: &batch) {
            // An XML document knows what is around its records only after the first.
            if rejectSource == nil { rejectSource = RejectSource(source) }
            if options.isCancelled?() ?? false { throw ImportError.cancelled }
            try importBatch(&batch, sourceIndex, name: source.name, report: &sourceReport)
            sourceReport.bytes = Int64(batch.end.byteOffset)
            options.onProgress?(sourceReport.records, source.name)
            if let maximum = options.maximumRejects, Int(sourceReport.rejected) > maximum {
                throw ImportError.tooManyRejects(Int(sourceReport.rejected), maximum: maximum)
            }
        }
        report.sources.append(sourceReport)
    }

    func importBatch(
        _ batch: inout RecordBatch, _ sourceIndex: Int, name: String, report: inout ImportReport.SourceReport
    ) throws {
        let source = sources[sourceIndex]
        isRejected = [Bool](repeating: false, count: batch.count)
        for index in instances.indices { instances[index].removeAll() }
        for record in 0..<batch.count {
            report.records += 1
            if let problem = batch.problem(of: record) {
                try reject(
                    record, of: batch, name, &report,
                    RecordRejection(source: name, line: problem.line, byteOffset: 0, code: 0, message: problem.sentence))
                continue
            }
            if let filter = source.filter, !filter.accepts(record, of: batch) {
                report.filtered += 1
                isRejected[record] = true
                continue
            }
            for (index, object) in source.objects.enumerated() {
                guard !isRejected[record] else { break }
                try convert(record, object, index, &batch, name, &report)
            }
        }
        for index in source.writeOrder { try write(index, sourceIndex, &batch, name, &report) }
        for index in source.objects.indices { try link(index, sourceIndex, batch) }
    }

    /// Adds the instances that a record makes by one object mapping, and converts their values.
    func convert(
        _ record: Int, _ object: CompiledObject, _ index: Int, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        var nodes: [Int] = []
        if let path = object.records {
            let root = Int(batch[record].rootNode)
            if root >= 0 { path.visit(batch.nodes, from: root) { nodes.append($0); return true } }
        } else {
            nodes.append(-1)
        }
        for node in nodes {
            let instance = instances[index].count
            instances[index].append(record: record, node: node)
            for (position, attribute) in object.attributes.enumerated() {
                let field = self.field(attribute.origin, record, node, &batch)
                do {
                    let place = instance * object.attributes.count + position
                    var value = try attribute.conversion.convert(field, in: &batch)
                    if value == .null, let text = attribute.defaultText {
                        let place = batch.appendValue(text)
                        value = try attribute.conversion.convert(
                            RecordField(.quoted, start: place, length: text.count), in: &batch)
                    } else if value == .null {
                        if field.kind == .missing { instances[index].cellPresent[place] = false }
                        if let modelDefault = attribute.modelDefault {
                            instances[index].cells[place] = batch.value(of: modelDefault)
                            continue
                        }
                        if field.kind == .missing {
                            if !attribute.check.isOptional, instances[index].unfilled[instance] < 0 {
                                instances[index].unfilled[instance] = Int32(position)
                            }
                            continue
                        }
                    }
                    if let fault = attribute.check.fault(value, in: batch.arena) {
                        throw ImportFault(code: fault.code, message: fault.sentence)
                    }
                    if attribute.isExternal, case .blob(let range) = value {
                        // SPEC B.6: tag 1, then the data inline.
                        let bytes = [1] + Array(batch.arena[range.range])
                        value = .blob(batch.appendRange(bytes))
                    }
                    instances[index].cells[place] = value
                } catch {
                    let (code, message) = Self.describe(error, attribute.conversion)
                    try reject(
                        record, of: batch, name, &report,
                        RecordRejection(
                            source: name, line: 0, byteOffset: 0, column: attribute.sourceName, entity: object.entityName,
                            property: attribute.attribute.name, code: code, value: Array(batch.bytes(of: field)),
                            message: message))
                    return
                }
            }
        }
    }

    func field(_ origin: CompiledOrigin, _ record: Int, _ node: Int, _ batch: inout RecordBatch) -> RecordField {
        switch origin {
        case .field(let column): return batch.field(column, of: record)
        case .path(let path):
            let start = node >= 0 ? node : Int(batch[record].rootNode)
            return start >= 0 ? path.field(batch.nodes, from: start) : .missing
        case .constant(let bytes):
            return RecordField(.quoted, start: batch.appendValue(bytes), length: bytes.count)
        case .firstOf(let origins):
            for origin in origins {
                let field = self.field(origin, record, node, &batch)
                if !field.isAbsent, field.length > 0 { return field }
            }
            return .missing
        case .template(let parts):
            return fill(parts, record, node, &batch)
        }
    }

    func fill(
        _ parts: [CompiledTemplatePart], _ record: Int, _ node: Int, _ batch: inout RecordBatch
    ) -> RecordField {
        var text: [UInt8] = []
        var hasValue = false
        for part in parts {
            switch part {
            case .literal(let bytes): text += bytes
            case .value(let origin):
                let field = self.field(origin, record, node, &batch)
                guard !field.isAbsent, field.length > 0 else { continue }
                hasValue = true
                text += batch.bytes(of: field)
            }
        }
        return hasValue ? RecordField(.quoted, start: batch.appendValue(text), length: text.count) : .missing
    }

    static func describe(_ error: any Error, _ conversion: ValueConversion) -> (Int, String) {
        switch error {
        case let failure as ConversionFailure:
            (failure.code, "\(failure.sentence); expected \(conversion.expectation)")
        case let fault as ImportFault: (fault.code, fault.message)
        default: (1550, "\(error)")
        }
    }

    func reject(
        _ record: Int, of batch: RecordBatch, _ name: String, _ report: inout ImportReport.SourceReport,
        _ rejection: RecordRejection
    ) throws {
        guard !isRejected[record] else { return }
        isRejected[record] = true
        report.rejected += 1
        var rejection = rejection
        let entry = batch[record]
        if rejection.line == 0 { rejection.line = entry.line }
        rejection.byteOffset = entry.sourceOffset
        if let entity = rejection.entity { entityReports[entity, default: .init(entity: entity)].rejected += 1 }
        // Twenty show what is wrong; all of them would drown it.
        if self.report.firstRejections.count < 20 { self.report.firstRejections.append(rejection.description) }
        if let rejects, let rejectSource {
            try rejects.reject(record, of: batch, from: rejectSource, for: [Rejection(rejection)])
        }
        try options.onReject?(rejection, batch.sourceBytes(of: record))
    }

}
