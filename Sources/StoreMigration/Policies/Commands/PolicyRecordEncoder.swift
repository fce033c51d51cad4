import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Writes the source objects of a policy's program as JSON lines, a batch at a time.
final class PolicyRecordEncoder {
    /// A value of the row: the key with its colon, the column, and what stands there.
    private struct Field {
        let key: [UInt8]
        let name: String
        let column: Int32
        let type: AttributeType
        let isExternal: Bool
    }

    private let step: PolicyStep
    private let run: PolicyRun
    private let select: Statement
    private let source: SourceObject
    private let attributes: [Field]
    /// What the mapping gives; values that call the policy are the program's to give.
    private let proposed: [Field]
    /// The beginning of a line, up to the number of the object.
    private let beginning: [UInt8]
    private let entity: [UInt8]
    private var lower: Int64
    /// Whether no record is left.
    private(set) var isAtEnd = false

    /// What was written; the caller takes it and empties it.
    @exclusivity(unchecked) var line = RecordLine()

    /// - Parameter first: the first key that is still to be asked for.
    init(_ step: PolicyStep, _ run: PolicyRun, from first: Int64 = .min) throws {
        self.step = step
        self.run = run
        lower = first
        select = try run.connection.prepare(step.selectStatement)
        source = SourceObject(step.record, row: PolicyRow(select), run: run)
        func key(_ name: String) -> [UInt8] {
            var line = RecordLine()
            line.key(name)
            return line.bytes
        }
        attributes = zip(step.record.attributeNames, step.record.attributes).map { name, attribute in
            Field(
                key: key(name), name: name, column: attribute.column, type: attribute.type,
                isExternal: attribute.isExternal)
        }
        let writer = try EntityRowWriter(
            step.mapping.destination, of: run.program.destination, fill: step.fill, isStrict: run.program.isStrict,
            build: run.build)
        let called = Set(step.calls.map(\.attribute.name))
        proposed = writer.attributes.enumerated().compactMap { index, attribute in
            guard let attribute, !called.contains(attribute.name) else { return nil }
            return Field(
                key: key(attribute.name), name: attribute.name, column: Int32(index), type: attribute.type,
                isExternal: writer.isInlined[index] || attribute.description.allowsExternalBinaryDataStorage)
        }
        let name = run.program.source.model.entities[step.mapping.source].name
        beginning = Array("{\"source\":\"x-coredata://\(run.program.storeUUID)/\(name)/p".utf8)
        entity =
            key("entity")
            + {
                var line = RecordLine(); line.string(step.record.entityName); return line.bytes
            }()
    }

    /// Writes the next records, until a batch is full.
    ///
    /// - Returns: their keys; nil if there are none left.
    func next(_ limits: BatchLimits, _ other: BatchLimits) throws -> Set<Int64>? {
        guard !isAtEnd else { return nil }
        var keys: Set<Int64> = []
        try select.bindInteger(lower, at: 1)
        try select.bindInteger(.max, at: 2)
        defer {
            // A row that is still read would keep the store locked.
            select.reset()
            run.leaveRows()
        }
        while try select.step() {
            source.key = select.integer(step.recordColumn)
            try write()
            keys.insert(source.key)
            lower = source.key
            if keys.count >= min(limits.rows, other.rows) || line.bytes.count >= min(limits.bytes, other.bytes) {
                isAtEnd = lower == .max
                if !isAtEnd { lower += 1 }
                return keys
            }
        }
        isAtEnd = true
        return keys.isEmpty ? nil : keys
    }

    private func write() throws {
        line.bytes += beginning
        line.integer(source.key)
        line.raw("\",")
        line.bytes += entity
        line.raw(",\"attributes\":{")
        try write(attributes)
        line.raw("},\"relationships\":")
        try line.members(step.record.relationshipNames) { line, name in
            line.key(name)
            try write(try source.related(name), isToMany: step.record.collections[name] != nil, &line)
        }
        if !step.related.isEmpty {
            line.raw(",\"related\":")
            try line.members(step.related) { line, path in
                line.key(path.text)
                try run.write(path, of: source, &line)
            }
        }
        line.raw(",\"proposed\":{")
        try write(proposed)
        line.raw("}}\n")
    }

    private func write(_ fields: [Field]) throws {
        for (index, field) in fields.enumerated() {
            if index > 0 { line.raw(",") }
            line.bytes += field.key
            try write(field)
        }
    }

    private func write(_ field: Field) throws {
        let storage = select.storageClass(field.column)
        switch field.type {
        case _ where storage == .null: line.raw("null")
        case _ where field.isExternal:
            line.value(.binary(try run.external.value(select, field.column, name: field.name, key: source.key)))
        case .integer16, .integer32, .integer64: line.integer(select.integer(field.column))
        case .string where storage == .text: select.withSpan(field.column) { line.text($0) }
        default: line.value(select.attributeValue(field.column, as: field.type))
        }
    }

    private func write(_ objects: [ManagedObjectID], isToMany: Bool, _ line: inout RecordLine) throws {
        guard isToMany else {
            if let first = objects.first { line.string(first.uri) } else { line.raw("null") }
            return
        }
        line.list(objects) { $0.string($1.uri) }
    }
}
