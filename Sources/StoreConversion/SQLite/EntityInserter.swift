import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Inserts the objects of one entity into its table.
final class EntityInserter {
    let form: EntityForm
    private let statement: Statement
    private let externals: ExternalFiles
    private let findings: ConversionFindings

    /// The places of the attributes that have a column, and of those whose values need a look.
    private let stored: [Int]
    private let isPlain: Bool
    /// The places of the to-one relationships that have a column.
    private let toOnes: [Int]
    private var cells: [ArenaValue] = []
    private var arena: [UInt8] = []

    init(
        _ form: EntityForm, layout: StoreLayout, connection: Connection, externals: ExternalFiles,
        findings: ConversionFindings
    ) throws {
        self.form = form
        self.externals = externals
        self.findings = findings
        guard let table = layout.table(ofEntity: form.slot) else {
            throw ConversionError(.otherLayout("no table for \(form.name)"), path: connection.path)
        }
        stored = form.attributes.indices.filter { layout.column(.attribute(form.attributes[$0].key)) != nil }
        toOnes = form.relationships.indices.filter {
            form.relationships[$0].storage == .toOne && layout.column(.toOne(form.relationships[$0].key)) != nil
        }
        isPlain = stored.count == form.attributes.count
            && form.attributes.allSatisfy { attribute in
                switch attribute.type {
                case .decimal, .double, .float, .date: false
                default: !attribute.description.allowsExternalBinaryDataStorage
                }
            }
        var columns = ["Z_PK"]
        columns += toOnes.compactMap { layout.column(.toOne(form.relationships[$0].key))?.name }
        columns += stored.compactMap { layout.column(.attribute(form.attributes[$0].key))?.name }
        let constants = Int32(columns.count + 1)
        columns += ["Z_ENT", "Z_OPT"]
        let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        statement = try connection.prepare(
            "INSERT INTO \(SQLiteIdentifier.quoted(table.name)) "
                + "(\(columns.map { SQLiteIdentifier.quoted($0) }.joined(separator: ", "))) VALUES (\(marks))",
            persistent: true)
        try statement.bindInteger(Int64(layout.entityNumbers[form.slot]), at: constants)
        // The counter of changes of a new row (SPEC B.5).
        try statement.bindInteger(1, at: constants + 1)
    }

    func insert(_ object: borrowing StoredObject) throws {
        try statement.bindInteger(object.key, at: 1)
        var index: Int32 = 2
        for place in toOnes {
            if let key = object.links(at: place).first {
                try statement.bindInteger(key, at: index)
            } else {
                try statement.bindNull(at: index)
            }
            index += 1
        }
        if isPlain {
            return try run(object.values, object.bytes, from: index)
        }
        cells.removeAll(keepingCapacity: true)
        arena.removeAll(keepingCapacity: arena.capacity <= 1 << 20)
        var isMoved = false
        for place in stored {
            let attribute = form.attributes[place]
            if attribute.description.allowsExternalBinaryDataStorage, !isMoved {
                arena += object.bytes
                isMoved = true
            }
            cells.append(try cell(object, place, attribute))
        }
        if isMoved {
            try run(cells, arena, from: index)
        } else {
            try run(cells, object.bytes, from: index)
        }
    }

    private func run(_ values: [ArenaValue], _ bytes: [UInt8], from first: Int32) throws(SQLiteError) {
        try statement.run(values.span, from: first, in: bytes.span)
    }

    private func cell(
        _ object: borrowing StoredObject, _ place: Int, _ attribute: ResolvedAttribute
    ) throws -> ArenaValue {
        let value = object.values[place]
        switch value {
        case .real(let number) where number.isNaN:
            findings.add(.notANumber, "\(form.name).\(attribute.name)", key: object.key)
            return .null
        case .text(let range) where attribute.type == .decimal:
            // SQLite keeps 15 digits of any decimal number; more only where a double has them.
            if range.count > 15, !DecimalRounding.isKept(String(decoding: object.bytes[range.range], as: UTF8.self)) {
                findings.add(.decimalRounded, "\(form.name).\(attribute.name)", key: object.key)
            }
            return value
        case .blob(let range) where attribute.description.allowsExternalBinaryDataStorage:
            let start = arena.count
            if range.count > ExternalFiles.largestInline {
                arena += try externals.add(object.bytes[range.range])
            } else {
                arena.append(1)
                arena += object.bytes[range.range]
            }
            return .blob(ArenaRange(start: start, count: arena.count - start))
        default: return value
        }
    }
}
