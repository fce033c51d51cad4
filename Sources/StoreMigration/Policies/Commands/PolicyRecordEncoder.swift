import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Writes the source objects of a policy's program as JSON lines, batch by batch.
final class PolicyRecordEncoder {
    /// A value of the row: the end of its name in the names of all values, its column, and its type.
    private struct Field {
        let keyEnd: Int
        let column: Int32
        let type: AttributeType
        let isExternal: Bool
    }

    /// The values of the row. A value contains no references, whose counts would change for every row.
    private struct Fields {
        var all: [Field] = []
        var names: [String] = []
        /// The names as JSON, one after the other, each followed by a colon. All except the first are preceded by a
        /// comma.
        var keys: [UInt8] = []

        mutating func append(_ name: String, _ column: Int32, _ type: AttributeType, isExternal: Bool) {
            var line = RecordLine()
            if !all.isEmpty { line.raw(",") }
            line.key(name)
            keys += line.bytes
            names.append(name)
            all.append(Field(keyEnd: keys.count, column: column, type: type, isExternal: isExternal))
        }
    }

    private struct Relationship {
        let name: String
        let isToMany: Bool
    }

    private let related: [RelatedPath]
    private let recordColumn: Int32
    private let run: PolicyRun
    private let select: Statement
    private let source: SourceObject
    private let attributes: Fields
    private let relationships: [Relationship]
    /// The mapping's values. Values whose expressions call the policy are left to the program.
    private let proposed: Fields
    /// The beginning of a line, up to the number of the object.
    private let beginning: [UInt8]
    private let entity: [UInt8]
    private var lower: Int64
    /// Whether no record is left.
    private(set) var isAtEnd = false

    /// The written lines, which the caller takes and removes.
    @exclusivity(unchecked) var line = RecordLine()

    /// - Parameters:
    ///   - step: the step of the policy.
    ///   - run: the run of the policies.
    ///   - first: the first key that has not been sent yet.
    init(_ step: PolicyStep, _ run: PolicyRun, from first: Int64 = .min) throws {
        related = step.related
        recordColumn = step.recordColumn
        self.run = run
        lower = first
        select = try run.connection.prepare(step.selectStatement)
        source = SourceObject(step.record, row: PolicyRow(select), run: run)
        func key(_ name: String) -> [UInt8] {
            var line = RecordLine()
            line.key(name)
            return line.bytes
        }
        var attributes = Fields()
        for (name, attribute) in zip(step.record.attributeNames, step.record.attributes) {
            attributes.append(name, attribute.column, attribute.type, isExternal: attribute.isExternal)
        }
        self.attributes = attributes
        relationships = step.record.relationshipNames.map {
            Relationship(name: $0, isToMany: step.record.collections[$0] != nil)
        }
        let writer = try EntityRowWriter(
            step.mapping.destination, of: run.program.destination, fill: step.fill, isStrict: run.program.isStrict,
            build: run.build)
        let called = Set(step.calls.map(\.attribute.name))
        var proposed = Fields()
        for (index, attribute) in writer.attributes.enumerated() {
            guard let attribute, !called.contains(attribute.name) else { continue }
            proposed.append(
                attribute.name, Int32(index), attribute.type,
                isExternal: writer.isInlined[index] || attribute.description.hasExternalData)
        }
        self.proposed = proposed
        let name = run.program.source.model.entities[step.mapping.source].name
        beginning = Array("{\"source\":\"x-coredata://\(run.program.storeUUID)/\(name)/p".utf8)
        entity =
            key("entity")
            + {
                var line = RecordLine(); line.string(step.record.entityName); return line.bytes
            }()
    }

    /// Writes the next records until a batch is full. Both limits apply.
    ///
    /// - Returns: the keys of the records, in ascending order; nil if no record is left.
    func next(_ limits: BatchLimits, _ other: BatchLimits) throws -> [Int64]? {
        guard !isAtEnd else { return nil }
        var keys: [Int64] = []
        try select.bindInteger(lower, at: 1)
        try select.bindInteger(.max, at: 2)
        defer {
            // A row that is still being read would keep the store locked.
            select.reset()
            run.leaveRows()
        }
        while try select.step() {
            source.key = select.integer(recordColumn)
            try write()
            keys.append(source.key)
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
        try line.members(relationships) { line, relationship in
            line.key(relationship.name)
            try write(try source.related(relationship.name), isToMany: relationship.isToMany, &line)
        }
        if !related.isEmpty {
            line.raw(",\"related\":")
            try line.members(related) { line, path in
                line.key(path.text)
                try run.write(path, of: source, &line)
            }
        }
        line.raw(",\"proposed\":{")
        try write(proposed)
        line.raw("}}\n")
    }

    private func write(_ fields: Fields) throws {
        var start = 0
        for index in fields.all.indices {
            let field = fields.all[index]
            line.bytes += fields.keys[start..<field.keyEnd]
            start = field.keyEnd
            let storage = select.storageClass(field.column)
            if field.isExternal, storage != .null {
                let name = fields.names[index]
                line.value(.binary(try run.external.value(select, field.column, name: name, key: source.key)))
            } else {
                write(field, storage)
            }
        }
    }

    private func write(_ field: Field, _ storage: StorageClass) {
        switch field.type {
        case _ where storage == .null: line.raw("null")
        case .integer16, .integer32, .integer64: line.integer(select.integer(field.column))
        case .boolean: select.integer(field.column) != 0 ? line.raw("true") : line.raw("false")
        case .double, .float, .date: line.real(select.real(field.column))
        case .string where storage == .text, .uri where storage == .text:
            select.withSpan(field.column) { line.text($0) }
        case .uuid where storage == .blob: select.withSpan(field.column) { line.uuid($0) }
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
