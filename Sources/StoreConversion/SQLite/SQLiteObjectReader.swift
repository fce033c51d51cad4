import KeyedArchives
import ManagedObjectModels
public import PersistentStores
import SQLiteAccess
import TextEncodings

/// Reads the objects of an SQLite store table by table in the order of their keys, in bounded memory.
public final class SQLiteObjectReader: ObjectReader {
    private let store: SQLiteStore
    private let forms: ObjectForms
    private let layout: StoreLayout
    private let findings: ConversionFindings
    private let limits: ConversionLimits
    private var nextTable = 0
    @exclusivity(unchecked) private var scan: StoredObjectScan?
    private var keys: PresentKeys?
    /// Whether the reader has begun the transaction in which the store is read.
    private var hasBegun = false
    /// The entity number of the last row, and the columns of this entity.
    @exclusivity(unchecked) private var lastEntity: (number: Int64, entity: StoredObjectScan.Entity)?

    /// Prepares to read a store's objects.
    /// - Throws: `ConversionError.otherLayout` if the store lacks a table or column of the model.
    public convenience init(_ store: SQLiteStore, forms: ObjectForms, findings: ConversionFindings) throws {
        try self.init(store, forms: forms, findings: findings, limits: ConversionLimits())
    }

    init(_ store: SQLiteStore, forms: ObjectForms, findings: ConversionFindings, limits: ConversionLimits) throws {
        self.store = store
        self.limits = limits
        self.forms = forms
        self.findings = findings
        layout = store.layout(for: forms.model)
        if let problem = layout.problems.first {
            throw ConversionError(.otherLayout(problem.description), path: store.files.shownPath)
        }
    }

    deinit {
        // A statement with a current row would delay the end of the transaction.
        (scan, lastEntity) = (nil, nil)
        end()
    }

    /// Ends the transaction if the reader began it.
    private func end() {
        guard hasBegun else { return }
        hasBegun = false
        // The transaction has changed nothing.
        try? store.connection.execute("ROLLBACK")
    }

    /// Returns the highest key of each table, by the slot of its root entity; 0 for other slots.
    /// - Throws: `StoreError` if the store cannot be read.
    public func highestKeys() throws(StoreError) -> [Int64] {
        var result = [Int64](repeating: 0, count: forms.entities.count)
        do throws(SQLiteError) {
            for table in layout.tables {
                result[table.root] = max(
                    0,
                    try store.connection.value("SELECT max(Z_PK) FROM \(SQLiteIdentifier.quoted(table.name))").integer
                        ?? 0)
            }
        } catch {
            throw StoreError(error, path: store.files.shownPath)
        }
        return result
    }

    /// Returns a key that objects of two tables have; nil if no key occurs twice.
    ///
    /// - Parameter highest: higher keys are ignored; nil to examine all keys.
    /// - Throws: `StoreError` if the store cannot be read.
    public func sharedKey(upTo highest: Int64? = nil) throws(StoreError) -> Int64? {
        let limit = highest.map { " WHERE Z_PK <= \($0)" } ?? ""
        let keys = layout.tables.map { "SELECT Z_PK AS k FROM \(SQLiteIdentifier.quoted($0.name))\(limit)" }
        guard keys.count > 1 else { return nil }
        do throws(SQLiteError) {
            return try store.connection.value(
                "SELECT k FROM (\(UnionAll.sql(keys, columns: "k"))) GROUP BY k HAVING count(*) > 1 LIMIT 1"
            ).integer
        } catch {
            throw StoreError(error, path: store.files.shownPath)
        }
    }

    /// Fills an object with the next one; returns false after the last one.
    /// - Throws: `StoreError` if the store cannot be read; `ConversionError` for a value or a key that is not valid.
    public func next(_ object: inout StoredObject) throws -> Bool {
        do {
            while true {
                if scan == nil {
                    guard nextTable < layout.tables.count else {
                        end()
                        return false
                    }
                    scan = try begin(layout.tables[nextTable])
                    nextTable += 1
                }
                guard let scan else { return false }
                while try scan.statement.step() {
                    if try take(from: scan, into: &object) { return true }
                }
                try finish(scan)
                (self.scan, lastEntity) = (nil, nil)
            }
        } catch let error as SQLiteError {
            throw StoreError(error, path: store.files.shownPath)
        }
    }

    private func begin(_ table: EntityTable) throws(SQLiteError) -> StoredObjectScan {
        let connection = store.connection
        if !connection.isInTransaction {
            // All tables are read in one transaction, so that links and objects are consistent.
            try connection.execute("BEGIN")
            hasBegun = true
        }
        let keys = keys ?? PresentKeys(connection, limits: limits)
        self.keys = keys
        return try StoredObjectScan(table, layout: layout, forms: forms, connection: connection, keys: keys)
    }

    private func finish(_ scan: StoredObjectScan) throws {
        for (key, cursor, reportsDangling) in scan.cursors where reportsDangling {
            try cursor.finish()
            guard cursor.danglingCount > 0 else { continue }
            let subject = "\(forms.model.entities[key.owner].name).\(key.name)"
            findings.add(.danglingReference, subject, key: cursor.danglingKeys.first, count: cursor.danglingCount)
        }
    }

    /// Returns the columns of an entity. Consecutive rows usually have the same entity.
    private func entity(_ number: Int64, of scan: StoredObjectScan) -> StoredObjectScan.Entity? {
        if let lastEntity, lastEntity.number == number { return lastEntity.entity }
        guard let entity = scan.entities[number] else { return nil }
        lastEntity = (number, entity)
        return entity
    }

    /// Fills an object from the current row; returns false if the row is not an object.
    private func take(from scan: StoredObjectScan, into object: inout StoredObject) throws -> Bool {
        let row = scan.statement
        let key = row.integer(0)
        guard let entity = entity(row.integer(1), of: scan) else {
            findings.add(.unknownEntityNumber, scan.table.name, key: key)
            return false
        }
        let form = entity.form
        guard key > 0, key <= highestAcceptedKey else {
            throw ConversionError(.unfitKey(entity: form.name, key: key), path: store.files.shownPath)
        }
        object.begin(form, key: key)
        for (place, attribute) in entity.attributes.enumerated() {
            guard let attribute else { continue }
            if attribute.isExternal {
                try takeExternal(row, attribute, form, place, into: &object)
            } else if !object.take(row, attribute.column, as: attribute.type, at: place) {
                throw ConversionError(
                    .unfitValue(
                        entity: form.name, attribute: form.attributes[place].name, key: key,
                        found: Self.excerpt(row.value(attribute.column))), path: store.files.shownPath)
            }
        }
        for (place, links) in entity.links.enumerated() {
            switch links {
            case .absent: break
            case .toOne(let column, let keys?):
                if keys.contains(row, column) {
                    object.appendLink(row.integer(column))
                } else if !row.isNull(column) {
                    findings.add(.danglingReference, "\(form.name).\(form.relationships[place].name)", key: key)
                }
            case .toOne(let column, nil):
                if row.integer(column + 1) != 0 {
                    object.appendLink(row.integer(column))
                } else if !row.isNull(column) {
                    findings.add(.danglingReference, "\(form.name).\(form.relationships[place].name)", key: key)
                }
            case .cursor(let index): try scan.cursors[index].cursor.appendLinks(of: key, to: &object)
            }
            object.endRelationship()
        }
        return true
    }

    /// Takes a value that is in the row, after a tag, or in an external file
    /// (docs/format/sqlite-store.md#external-binary-data).
    private func takeExternal(
        _ row: Statement, _ attribute: StoredObjectScan.Attribute, _ form: EntityForm, _ place: Int,
        into object: inout StoredObject
    ) throws {
        guard row.storageClass(attribute.column) == .blob else {
            guard row.isNull(attribute.column) else {
                throw ConversionError(
                    .unfitValue(
                        entity: form.name, attribute: form.attributes[place].name, key: object.key,
                        found: Self.excerpt(row.value(attribute.column))), path: store.files.shownPath)
            }
            return
        }
        var name: String?
        object.setBlob(at: place) { result in
            row.withSpan(attribute.column) { bytes in
                if bytes.count == 38, bytes[0] == 2, bytes[37] == 0 {
                    var text: [UInt8] = []
                    text.append(copying: bytes.extracting(1..<37))
                    name = String(decoding: text, as: UTF8.self)
                } else {
                    // Stores that were made before external storage was allowed have values without a tag.
                    let isTagged = bytes.count > 0 && bytes[0] == 1
                    result.append(copying: bytes.extracting((isTagged ? 1 : 0)..<bytes.count))
                }
            }
        }
        guard let name else { return }
        object.setValue(ArenaValue.null, at: place)
        let subject = "\(form.name).\(form.attributes[place].name)"
        guard ExternalRecord.isName(name) else { return findings.add(.unsafeExternalData, subject, key: object.key) }
        let directory = store.files.externalDataDirectory
        do throws(FileError) {
            guard let content = try ExternalRecord.content(named: name, in: directory) else {
                return findings.add(.missingExternalData, subject, key: object.key)
            }
            object.setBlob(at: place) { $0 += content }
        } catch {
            guard error.isLink else { throw StoreError(error) }
            findings.add(.unsafeExternalData, subject, key: object.key)
        }
    }

    private static func excerpt(_ value: SQLiteValue) -> String {
        let text = value.literal
        return text.count > 40 ? text.prefix(40) + "..." : text
    }
}
