import PersistentStores
import RecordSources
import SQLiteAccess

/// Records that are rejected because another record had one of their unique values first, and may still be rejected
/// itself.
extension BatchWriter {
    /// Returns the records of objects that have a unique value which an instance gives to its object, if these records
    /// may be rejected when all records are read.
    ///
    /// - Parameter primaryKey: the primary key of the object; nil if the object does not exist.
    func rivals(
        of instance: Int, primaryKey: Int64? = nil, _ current: ObjectInstances, _ entity: EntityImport,
        _ batch: RecordBatch
    ) throws -> [Int64] {
        guard let unproven else { return [] }
        let (object, table) = (entity.object, SQLiteIdentifier.quoted(entity.object.table.name))
        var values: [String: SQLiteValue] = [:]
        for cell in cells(of: instance, current, object, batch.arena) where cell.isSaid || primaryKey == nil {
            values[cell.column] = cell.value
        }
        var rivals: Set<Int64> = []
        for columns in try indexes.uniqueColumns(of: object.table.name) {
            let there = try primaryKey.map { try connection.cells(table, $0, columns) } ?? []
            let wanted = columns.enumerated().map { index, column in
                values[column] ?? (index < there.count ? there[index] : .null)
            }
            guard !wanted.contains(.null) else { continue }
            let condition = columns.map { "\($0) = ?" }.joined(separator: " AND ")
            for row in try connection.rows(
                "SELECT Z_PK FROM \(table) WHERE \(condition) AND Z_PK IS NOT ?",
                wanted + [primaryKey.map { .integer($0) } ?? .null])
            {
                guard let other = row[0].integer else { continue }
                rivals.formUnion(try unproven.records.records(of: other, root: object.table.root))
                guard entity.source.mayOpen else { continue }
                // It is not known yet what the records of this batch must still prove.
                for index in 0..<current.count
                where current.primaryKeys[index] == other && !batchState.isRejected[Int(current.records[index])] {
                    rivals.insert(session.recordNumber(batch, Int(current.records[index])))
                }
            }
        }
        return rivals.sorted()
    }

    /// Postpones the rejection of a record until it is known whether the records that have its value are rejected as
    /// well, so that all of them are in the order of the sources.
    func postpone(_ rivals: [Int64], of record: Int, _ batch: RecordBatch, _ reason: RejectionReason) throws {
        guard let taken, let unproven else { return }
        let number = session.recordNumber(batch, record)
        for rival in rivals { try unproven.rivals.append(rival, of: number) }
        try taken.append(session.entry(number, record, batch), [reason])
    }

    /// Whether records that are rejected wait until all records are read. Records before them may still be rejected,
    /// and the files of rejected records are in the order of the sources, so that the last record of an object is still
    /// the last one when the files are imported.
    var postponesRejections: Bool {
        guard taken != nil else { return false }
        let mayOpen = session.assembler == nil ? sources[scope.files[session.reading.file]].mayOpen : true
        return mayOpen || !(unproven?.records.isEmpty ?? true)
    }
}
