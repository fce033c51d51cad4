import SQLiteFileBuilder

/// Reads the rows of all tables whose objects are found by several keys, in the order of their records, and finds the
/// object of each row.
///
/// If a row cannot be applied, its whole record does not count: everything that the record has given to objects is
/// taken back before the next record is read.
final class RecordPass {
    /// A row, or an object that is created because a record refers to it, and what it comes to if its record counts.
    private struct Step {
        let objects: KeyedObjects
        let arrival: Int64
        /// What looks for an object; nil for a row that makes one in any case.
        let entry: KeyEntry?
        /// The object that was there; nil if there was none.
        var object: Int64?
        /// Whether the object is the row's.
        var isApplied = false

        /// Whether it is a row of a record.
        var isRow: Bool { entry?.kind != .reservation }
    }

    /// Why a record does not count.
    private enum Failure {
        /// The row makes no object, and there is none.
        case lacks(KeyEntry)
        /// There is an object, which must not be.
        case exists(KeyEntry, object: Int64)
        /// Another object has the values of a constraint.
        case refused(constraint: Int)
        /// A list would leave an object without an owner.
        case abandons(note: Int64)
    }

    private let tables: [KeyedObjects]
    private let owners: RecordOwners?
    /// The number of the record whose rows are read.
    private var record: Int64?
    private var steps: [Step] = []
    /// The row because of which the record does not count.
    private var failure: (objects: KeyedObjects, arrival: Int64, reason: Failure)?

    /// - Parameters:
    ///   - tables: the tables with their rows.
    ///   - owners: the lists of the tables' rows that must not leave objects without an owner; nil if there are none.
    init(_ tables: [KeyedObjects], _ owners: RecordOwners?) {
        (self.tables, self.owners) = (tables, owners)
    }

    func run() throws(BuildError) {
        while true {
            var first: (objects: KeyedObjects, moment: RecordMoment)?
            for objects in tables {
                guard let moment = objects.moment else { continue }
                if first.map({ moment < $0.moment }) ?? true { first = (objects, moment) }
            }
            guard let first, let row = first.objects.next else { break }
            // What is created after the last record is created for one record each.
            if row[0] != record || row[0] == RecordMoment.end.record {
                try endRecord()
                record = row[0]
            }
            try take(row, first.objects)
            try first.objects.advance()
        }
        try endRecord()
    }

    private func take(_ row: [Int64], _ objects: KeyedObjects) throws(BuildError) {
        var step = Step(objects: objects, arrival: row[2], entry: objects.entry(of: row))
        defer { steps.append(step) }
        guard failure == nil else { return }
        if let entry = step.entry {
            step.object = try objects.object(of: row, entry)
            if let object = step.object {
                if entry.kind.mustLead { failure = (objects, row[2], .exists(entry, object: object)) }
                guard entry.isMerged, failure == nil else { return }
            } else if !entry.kind.canLead {
                if !entry.isOptional { failure = (objects, row[2], .lacks(entry)) }
                return
            }
        }
        if let constraint = try objects.change(row, found: step.object, of: row[0]) {
            failure = (objects, row[2], .refused(constraint: constraint))
        } else {
            step.isApplied = true
        }
    }

    /// Ends with the rows of a record.
    private func endRecord() throws(BuildError) {
        defer { (steps, failure) = ([], nil) }
        guard let record else { return }
        if failure == nil, let owners, let end = try owners.apply(record, object) {
            failure = steps.last { $0.objects.table === end.owner && $0.arrival == end.row }
                .map { ($0.objects, $0.arrival, .abandons(note: end.note)) }
        }
        guard let failure else {
            for step in steps {
                if let entry = step.entry { try step.objects.keep(entry, object: step.object) }
            }
            for objects in tables { try objects.endRecord(record) }
            owners?.keep()
            return
        }
        for objects in tables { try objects.takeBack() }
        try owners?.takeBack()
        let results = failure.objects.results
        func isFailed(_ step: Step) -> Bool { step.objects === failure.objects && step.arrival == failure.arrival }
        var isFinal = true
        switch failure.reason {
        case .lacks(let entry): try results.add(entry, of: nil)
        case .exists(let entry, let object):
            if steps.contains(where: { $0.objects === failure.objects && $0.arrival == object }) {
                // The record makes it itself.
                try results.reject(Rejection(matching: failure.arrival), note: entry.note)
            } else {
                isFinal = false
                try results.add(entry, of: KeyTable.Leader(digest: entry.digest, arrival: object))
            }
        case .refused(let constraint):
            if let note = try failure.objects.notes?.value(of: failure.arrival) {
                try results.reject(
                    Rejection(failure.arrival, constraint: constraint), note: note,
                    isListed: record == RecordMoment.end.record)
            }
        case .abandons(let note):
            isFinal = false
            results.remove(failure.arrival)
            try results.abandon(failure.arrival, note: note)
        }
        for step in steps where !isFailed(step) {
            if isFinal {
                try step.objects.results.reject(step.arrival, isRow: step.isRow)
            } else {
                // The objects because of which the record does not count may turn out to be rejected.
                step.objects.results.remove(step.arrival)
            }
        }
    }

    /// Returns the object of a row of the current record; nil if the row does not apply.
    private func object(of arrival: Int64, in table: AssembledTable) -> Int64? {
        // The rows of other tables are objects of their own.
        guard tables.contains(where: { $0.table === table }) else { return table.isLeftOut(arrival) ? nil : arrival }
        guard let step = steps.last(where: { $0.arrival == arrival && $0.objects.table === table }), step.isApplied
        else { return nil }
        return step.object ?? arrival
    }
}
