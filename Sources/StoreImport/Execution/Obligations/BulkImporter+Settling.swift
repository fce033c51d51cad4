import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// Which records of a batch are proven, and which may still be rejected.
extension BulkImporter {
    /// Keeps what the open records of a batch changed, and forgets the rest.
    func settle(_ sourceIndex: Int, _ batch: RecordBatch) throws {
        guard let openRecords else { return }
        defer { log.removeAll() }
        guard obligations.mayOpen[sourceIndex] || !openRecords.roots.isEmpty else { return }
        let source = sources[sourceIndex]
        for (record, object) in log.affected where !log.open.contains(record) {
            if try obligations.fault(of: object) != nil { log.open.insert(record) }
        }
        for index in source.objects.indices { try findUnproven(index, sourceIndex, batch) }
        var written = Set<Int64>()
        var indexByNumber: [Int64: Int] = [:]
        for record in 0..<batch.count { indexByNumber[recordNumber(batch, record)] = record }
        for index in source.objects.indices { try findDependents(index, sourceIndex, batch, openRecords) }
        // What depends on an open record is open too, and so on.
        while true {
            let added = log.open.subtracting(written)
            if added.isEmpty { break }
            for number in added.sorted() {
                guard let record = indexByNumber[number], !isRejected[record] else { continue }
                try openRecords.append(entry(number, record, batch))
            }
            written.formUnion(added)
            for index in source.objects.indices {
                try forEachInstance(index, batch) { instance, number in
                    guard written.contains(number), !indexIsRejected(index, instance) else { return }
                    try keep(index, instance, number, openRecords)
                    guard added.contains(number), let kind = countKind(index, instance) else { return }
                    try openRecords.append(RecordCount(slot: source.objects[index].slot, kind: kind), of: number)
                }
            }
            for (number, object) in log.affected where added.contains(number) {
                try openRecords.append(object, of: number)
            }
            for (number, count) in log.counts where added.contains(number) { try openRecords.append(count, of: number) }
            for (number, change) in log.changes where added.contains(number) {
                try openRecords.append(change, of: number)
            }
            for index in source.objects.indices { try findDependents(index, sourceIndex, batch, openRecords) }
        }
        try noteSharing(sourceIndex, batch, openRecords)
    }

    private func indexIsRejected(_ index: Int, _ instance: Int) -> Bool {
        isRejected[Int(instances[index].records[instance])] || instances[index].primaryKeys[instance] == 0
    }

    private func forEachInstance(
        _ index: Int, _ batch: RecordBatch,
        _ body: (_ instance: Int, _ number: Int64) throws -> Void
    ) rethrows {
        for instance in 0..<instances[index].count {
            try body(instance, recordNumber(batch, Int(instances[index].records[instance])))
        }
    }

    /// New objects that do not have what they need yet.
    private func findUnproven(_ index: Int, _ sourceIndex: Int, _ batch: RecordBatch) throws {
        let object = sources[sourceIndex].objects[index]
        let checks = try obligations.checks(of: object.slot)
        guard !checks.isEmpty else { return }
        let positions = checks.map { check in object.toOnes.firstIndex { $0.relationship.key == check.relationship } }
        try forEachInstance(index, batch) { instance, number in
            guard instances[index].states[instance] == .inserted, !indexIsRejected(index, instance),
                !log.open.contains(number)
            else { return }
            for (check, position) in zip(checks, positions) {
                if let position, instances[index].toOneKeys[instance * object.toOnes.count + position] > 0 { continue }
                if try check.fault(of: instances[index].primaryKeys[instance]) != nil {
                    log.open.insert(number)
                    return
                }
            }
        }
    }

    /// Records that need an object which may be taken back.
    func findDependents(
        _ index: Int, _ sourceIndex: Int, _ batch: RecordBatch, _ openRecords: OpenRecords
    ) throws {
        guard !openRecords.roots.isEmpty else { return }
        let object = sources[sourceIndex].objects[index]
        for (position, relationship) in object.toOnes.enumerated() {
            guard case .key(let target) = relationship.target,
                target.missing == .required || !relationship.relationship.isOptional
            else { continue }
            let root = layout.model.entities[target.slot].root
            guard openRecords.roots.contains(root) else { continue }
            try forEachInstance(index, batch) { instance, number in
                let key = instances[index].toOneKeys[instance * object.toOnes.count + position]
                guard key > 0, !isRejected[Int(instances[index].records[instance])], !log.open.contains(number),
                    try openRecords.contains(key, root: root)
                else { return }
                log.open.insert(number)
            }
        }
    }

    /// How an object that was there is counted; nil for a new one, which is counted down when it is removed.
    private func countKind(_ index: Int, _ instance: Int) -> RecordCount.Kind? {
        let state = instances[index].states[instance]
        switch state == .follower ? instances[index].outcomes[instance] : state {
        case .updated: return .updated
        case .unchanged: return .unchanged
        case .skipped: return .skipped
        default: return nil
        }
    }

    /// A record by itself, so that it can be written to a file when its batch is gone.
    func entry(_ number: Int64, _ record: Int, _ batch: RecordBatch) -> OpenRecords.Entry {
        let entry = batch[record]
        return OpenRecords.Entry(
            record: number, file: file, number: batch.start.record + record + 1, line: entry.line,
            byteOffset: entry.sourceLength > 0 ? entry.sourceOffset : -1,
            captured: rejectSource?.capture(record, of: batch) ?? .bytes(Array(batch.sourceBytes(of: record))))
    }

    /// Keeps the records of a batch whose links may turn out to lead nowhere, where they are to be written then.
    func keepWaitingRecords(_ batch: RecordBatch) throws {
        guard rejects != nil else { return }
        for record in waitingRecords.sorted() where !isRejected[record] {
            let number = recordNumber(batch, record)
            guard try !(openRecords?.contains(record: number) ?? false) else { continue }
            try absent.append(entry(number, record, batch))
        }
    }

    private func keep(_ index: Int, _ instance: Int, _ number: Int64, _ openRecords: OpenRecords) throws {
        try openRecords.append(
            AffectedObject(
                root: writers[files[Self.file(of: number)]][index].object.table.root,
                primaryKey: instances[index].primaryKeys[instance], entity: instances[index].entities[instance],
                role: instances[index].states[instance] == .inserted ? .inserted : .shared),
            of: number)
    }

    /// Notes that other records have an open record's object too: it stays when that one is taken back.
    private func noteSharing(_ sourceIndex: Int, _ batch: RecordBatch, _ openRecords: OpenRecords) throws {
        for (index, object) in sources[sourceIndex].objects.enumerated()
        where openRecords.roots.contains(object.table.root) {
            try forEachInstance(index, batch) { instance, number in
                guard !log.open.contains(number), !indexIsRejected(index, instance),
                    instances[index].states[instance] != .inserted,
                    try openRecords.contains(instances[index].primaryKeys[instance], root: object.table.root)
                else { return }
                try keep(index, instance, number, openRecords)
            }
        }
    }
}
