import ManagedObjectModels
import ObjectValidation
import PersistentStores
import RecordSources
import SQLiteAccess

/// Revoking of records, long after their batch was written.
extension Settlement {
    /// Revokes and rejects records and all that depends on them, until nothing changes.
    @_optimize(size)
    func takeBack(_ refusals: [(record: Int64, rejection: RejectionReason)]) throws {
        guard let unproven, let taken else { return }
        for (record, rejection) in refusals where try unproven.records.contains(record: record) {
            try taken.append(record, rejection)
        }
        places.forgetAll()
        while true {
            while let (record, _) = try taken.next() { try takeBack(record, unproven, taken) }
            if try restoreLeftObjects() { continue }
            guard try followLostLinks() else { return }
        }
    }

    @_optimize(size)
    private func takeBack(_ record: Int64, _ unproven: UnprovenRecords, _ taken: RevokedRecords) throws {
        if options.isCancelled?() ?? false { throw ImportError.cancelled }
        guard let entry = try unproven.records.entry(record) else { return try taken.leave(record) }
        for change in try unproven.records.changes(of: record) { try takeBack(change) }
        for count in try unproven.records.counts(of: record) {
            let name = layout.model.entities[count.slot].name
            tally[name].subtract(count)
        }
        try noteRefused(record)
        try noteOwned(by: record)
        let own = try unproven.records.ownObjects(of: record)
        for object in own where object.role != .created { try remove(object, of: record, unproven, taken) }
        let counting = try restoreObjects(of: record)
        for object in own where object.role == .created {
            // An object that another one refers to stays, because the record of that one would have created it. If the
            // object requires others, all records that name it are known, and no such record is left.
            if try !session.obligations.needsOthers(object),
                try unproven.removal.isReferenced(object.primaryKey, root: object.root)
            {
                continue
            }
            try remove(object, of: record, unproven, taken)
        }
        try session.forgetSourceKeys(of: record)
        try followReplacedLinks(of: record, besides: counting)
        try unproven.records.remove(record)
        try taken.complete(entry)
        try countRejected(entry)
    }

    /// Removes an object that only a revoked record created.
    @_optimize(size)
    func remove(
        _ object: AffectedObject, of record: Int64, _ unproven: UnprovenRecords, _ taken: RevokedRecords
    ) throws {
        let lost = try loseLinks(to: object, madeBy: record)
        try linkCounts.uncountToOnes(of: object)
        try unproven.removal.remove(object.primaryKey, root: object.root) { dependent, root, toOne in
            if let number = links.number(of: toOne.key), !lost.uncounted.contains([number, dependent]) {
                try linkCounts.countToOne(
                    linkCounts.owner(dependent, number, else: toOne.owner), from: object.primaryKey, to: 0)
            }
            // For records that name the object, it is known which link that is.
            guard !toOne.isOptional, !lost.handled.contains([Int64(root), dependent]),
                let other = try unproven.records.record(of: dependent, root: root)
            else { return }
            try taken.append(other, dependence(of: root, toOne.name, on: object))
        }
        try unproven.records.remove(object)
        for keys in session.sourceKeys.values { try keys.remove(object: object.primaryKey, entity: object.entity) }
        try forget(object)
    }

    /// Writes the revoked records to the files of rejected records.
    func writeTakenRecords() throws {
        try taken?.drain { entry, known in try reject(entry, reasons(of: entry, known)) }
    }

    private func forget(_ object: AffectedObject) throws {
        for resolver in resolvers where layout.model.entities[resolver.slot].root == object.root {
            resolver.forgetAll()
        }
        guard let slot = layout.slot(ofEntityNumber: Int(object.entity)) else { return }
        let name = layout.model.entities[slot].name
        tally[name].inserted -= 1
    }

    func dependence(of root: Int, _ property: String, on object: AffectedObject) -> RejectionReason {
        let entity = layout.slot(ofEntityNumber: Int(object.entity)).map { layout.model.entities[$0].name }
        return RejectionReason(
            .dependent(entity: entity), entity: layout.model.entities[root].name, property: property)
    }

    @_optimize(size)
    private func takeBack(_ change: StoreChange) throws {
        switch change.kind {
        case .cell:
            // A value that another record has changed since belongs to that record.
            try connection.execute(
                "UPDATE \(change.table) SET \(change.column) = ? WHERE Z_PK = ? AND \(change.column) IS ?",
                [change.old, .integer(change.key), change.new])
            let isTakenBack = connection.changes > 0
            if isTakenBack, change.column == "Z_OPT" { try history?.noteRestored(change.key, of: change.table) }
            guard isTakenBack, let number = try unproven?.oneToOnes.note(change) else { return }
            let owner = try linkCounts.owner(change.key, number, else: links[number].relationship.owner)
            try linkCounts.countToOne(owner, from: change.new.integer ?? 0, to: change.old.integer ?? 0)
        case .linked:
            let columns = change.column.split(separator: ",").map { $0.drop { $0 == " " } }
            guard columns.count >= 2, let other = change.new.integer,
                try !isNamed(change.key, other, in: change.table, String(columns[0]))
            else { return }
            try connection.execute(
                "DELETE FROM \(change.table) WHERE \(columns[0]) = ? AND \(columns[1]) = ?",
                [.integer(change.key), change.new])
        case .unlinked:
            guard let values = change.old.string else { return }
            try connection.execute("INSERT OR IGNORE INTO \(change.table) (\(change.column)) VALUES (\(values))")
        }
    }

    /// Returns whether the current lists of the remaining records name a link in a join table, from either side.
    private func isNamed(_ owner: Int64, _ other: Int64, in table: String, _ column: String) throws -> Bool {
        guard let taken else { return false }
        for relationship in entities.flatMap(\.relationships) {
            guard let replacement = relationship.replacement, replacement.place.table == table else { continue }
            let isOwner = replacement.place.owner == column
            if isOwner || replacement.isSymmetric,
                try replacement.isNamed(owner, other, without: taken.table)
            {
                return true
            }
            if !isOwner || replacement.isSymmetric,
                try replacement.isNamed(other, owner, without: taken.table)
            {
                return true
            }
        }
        return false
    }

    func countRejected(_ entry: PendingRecords.Entry) throws {
        guard entry.file < tally.report.sources.count else { return }
        tally.report.sources[entry.file].rejected += 1
        let count = Int(tally.report.sources[entry.file].rejected)
        guard let maximum = options.maximumRejects, count > maximum else { return }
        try writeTakenRecords()
        throw ImportError.tooManyRejects(count, maximum: maximum)
    }

    /// Rejects a record because of faults that appear when all records are read.
    @_optimize(size)
    func reject(_ entry: PendingRecords.Entry, _ reasons: [RejectionReason]) throws {
        var rejection = RecordRejection(
            source: session.name(ofFile: entry.file), line: entry.line,
            byteOffset: entry.hasBytes ? entry.byteOffset : -1 - entry.byteOffset,
            reasons: options.stopsAtFirstFault ? Array(reasons.prefix(1)) : reasons)
        if case .unreadable(let problem)? = reasons.first?.fault { rejection.line = problem.line }
        if let entity = rejection.entity { tally[entity].rejected += 1 }
        tally.show(rejection, options)
        if let rejects, let source = rejects.source(ofFile: entry.file) {
            try rejects.reject(
                entry.captured, number: entry.number, line: entry.line,
                byteOffset: entry.hasBytes ? entry.byteOffset : nil, from: source, for: rejection.reasons)
        }
        var bytes: [UInt8] = []
        if case .bytes(let found) = entry.captured { bytes = found }
        try options.onReject?(rejection, bytes[...])
    }

    /// Rejects the records that must not find an existing object (`onMatch: error`) and have found one that stays.
    func rejectMatches() throws {
        guard let unproven, try unproven.said.firstMatch() != nil else { return }
        while let match = try unproven.said.firstMatch() {
            let object = sources[match.source].entities[match.mapping].object
            try takeBack([(match.record, object.reason(.exists))])
            try unproven.said.remove(match.record, of: match.object, root: match.root)
        }
        try checkCounts()
    }

    /// Returns the reasons of a record that was revoked, or whose rejection was postponed.
    func reasons(of entry: PendingRecords.Entry, _ known: [RejectionReason]) throws -> [RejectionReason] {
        guard let taken, let unproven, var other = known.first,
            let rival = try unproven.rivals.rejectedRival(of: entry.record, among: taken.table)
        else { return known }
        other.fault = .rivalRejected(
            file: StreamInput.title(of: session.name(ofFile: RecordNumber.file(of: rival))),
            record: RecordNumber.ordinal(of: rival))
        return known + [other]
    }
}
