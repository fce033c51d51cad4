import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// Checks the number of links of objects when all records are read, if the model limits it.
///
/// Objects are checked in their order, each without the records that were rejected because of the objects before it. If
/// there are too many links, the first ones stay: those from before the import, those of the record that creates the
/// object, then those of the other records in their order. If there are too few, the record that creates the object is
/// rejected. But if another record has taken the object's destination, that record is rejected instead; and if the
/// object may be without links, the records that name its links are rejected, unless its own record names some.
extension Settlement {
    /// Rejects the records that give objects too many or too few links, until nothing changes.
    func checkCounts() throws {
        guard let unproven, let taken else { return }
        while true {
            try settleOneToOnes()
            try settleOwners()
            var last: AffectedObject?
            while true {
                let objects = try unproven.records.objects(behind: last, upTo: options.fixedLimits.checkedObjects)
                guard let end = objects.last else { break }
                last = end
                if options.isCancelled?() ?? false { throw ImportError.cancelled }
                for object in objects { try check(object, unproven, taken) }
            }
            guard try taken.next() != nil else { return }
            try takeBack([])
        }
    }

    @_optimize(size)
    private func check(_ object: AffectedObject, _ unproven: UnprovenRecords, _ taken: RevokedRecords) throws {
        guard let slot = layout.slot(ofEntityNumber: Int(object.entity)) else { return }
        let checks = try session.obligations.checks(of: slot)
        guard !checks.isEmpty else { return }
        let mayLose = try taken.next() != nil
        let maker = try unproven.records.maker(of: object.primaryKey, root: object.root)
        for check in checks {
            // The object is removed, or another record creates it, and then it is checked again.
            if let maker, try taken.contains(maker) { return }
            let count = try check.count(of: object.primaryKey)
            func refuse(_ record: Int64?, _ count: Int64) throws {
                guard let fault = check.rule.fault(count),
                    let record = try record
                        ?? unproven.records.lastRecord(
                            of: object.primaryKey, root: object.root, without: taken.table)
                else { return }
                try taken.append(
                    record,
                    RejectionReason(
                        .rule(fault), entity: layout.model.entities[slot].name, property: check.rule.name))
            }
            if check.rule.isToMany {
                guard mayLose || check.rule.fault(count) != nil else { continue }
                try countLinks(check, of: object, maker, refuse)
            } else if check.rule.fault(count) != nil {
                try refuse(taker(check, of: object) ?? maker, count)
            }
        }
    }

    /// Returns the record that has taken the destination of an object's one-to-one relationship, if it can be revoked;
    /// otherwise nil.
    private func taker(_ check: CountCheck, of object: AffectedObject) throws -> Int64? {
        guard let unproven, check.place.kind == .toOne, let number = links.number(of: check.relationship),
            entities.contains(where: { entity in
                entity.relationships.contains { $0.number == number && $0.inverse?.isOneToOne ?? false }
            }),
            let record = try unproven.records.taker(
                of: check.place.destination, of: check.place.table, object.primaryKey),
            try unproven.records.contains(record: record)
        else { return nil }
        return record
    }

    /// Counts the links of an object, record by record.
    ///
    /// - Parameter refuse: called with each record whose links are too many or too few, and the number of links up to
    ///   and including its own; the record is nil for the last one that changed the object.
    @_optimize(size)
    private func countLinks(
        _ check: CountCheck, of object: AffectedObject, _ maker: Int64?,
        _ refuse: (_ record: Int64?, _ count: Int64) throws -> Void
    ) throws {
        try collectLinks(check, of: object.primaryKey)
        let rule = check.rule
        let most = Int(max(rule.maximum, rule.minimum))
        let statement = try connection.prepare(
            "SELECT record, other FROM temp.ferry_counted ORDER BY record > 0, record <> ?, record, other")
        try statement.bindInteger(maker ?? 0, at: 1)
        var (count, left): (Int64, Int64) = (0, 0)
        var others = Set<Int64>()
        /// The records that stay, after each of which there are still too few links, with the number of links up to it.
        var few: [(record: Int64, count: Int64)] = []
        var hasOwn = false
        var isRow = try statement.step()
        while isRow {
            let record = statement.integer(0)
            let isLeft = try record == 0 || !(taken?.contains(record) ?? false)
            while isRow, statement.integer(0) == record {
                if isLeft, others.count > most || others.insert(statement.integer(1)).inserted { count += 1 }
                isRow = try statement.step()
            }
            guard isLeft else { continue }
            if rule.maximum > 0, count > rule.maximum {
                // Links from before the import do not belong to a record.
                try refuse(record > 0 ? record : nil, count)
            } else {
                left = count
                if record == maker || record == 0 { hasOwn = true }
                if record > 0, rule.fault(left) != nil { few.append((record, left)) }
            }
        }
        statement.reset()
        guard rule.fault(left) != nil else { return }
        if rule.isOptional, !hasOwn, !few.isEmpty {
            for (record, count) in few.reversed() { try refuse(record, count) }
        } else {
            try refuse(maker, left)
        }
    }

    /// Collects the links of an object with the records that name them; record 0 stands for links from before the
    /// import and links of records that can no longer be rejected.
    @_optimize(size)
    private func collectLinks(_ check: CountCheck, of object: Int64) throws {
        let place = check.place
        try connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS ferry_counted (record INTEGER, other INTEGER); "
                + "DELETE FROM temp.ferry_counted")
        let linked = "SELECT \(place.destination) AS other FROM \(place.table) WHERE \(place.owner) = ?1"
        let relationship = layout.model.relationship(check.relationship)
        let inverse = relationship?.inverse
        func lists(_ key: PropertyKey?) -> LinkReplacement? {
            entities.lazy.flatMap(\.relationships).first { $0.compiled.relationship.key == key }?.replacement
        }
        let parameter: [SQLiteValue] = [.integer(object)]
        if place.kind == .joinTable {
            var namings = try [lists(check.relationship)].compactMap { try $0?.namings(isOwner: true) }
            if let other = lists(inverse?.key) { namings.append(try other.namings(isOwner: false)) }
            for naming in namings {
                try connection.execute(
                    "INSERT INTO temp.ferry_counted SELECT record, other FROM (\(naming)) WHERE other IN (\(linked))",
                    parameter)
            }
        } else {
            let list = lists(check.relationship)
            let last = try list?.lastRecord(of: object) ?? 0
            let insert = try connection.prepare("INSERT INTO temp.ferry_counted VALUES (?1, ?2)")
            let destinations = try connection.prepare(linked)
            try destinations.bindInteger(object, at: 1)
            while try destinations.step() {
                let other = destinations.integer(0)
                let root = inverse.map { layout.model.entities[$0.owner].root } ?? 0
                for record in try records(leading: other, root, by: place.owner, to: object, list) where record >= last
                {
                    try insert.bindInteger(record, at: 1)
                    try insert.bindInteger(other, at: 2)
                    try insert.run()
                }
            }
        }
        try connection.execute(
            "INSERT INTO temp.ferry_counted SELECT 0, other FROM (\(linked)) "
                + "WHERE other NOT IN (SELECT other FROM temp.ferry_counted)", parameter)
    }

    /// Returns the records that link an object of a one-to-many relationship to its owner: the last records that set
    /// its owner, back to the first one that sets another owner.
    private func records(
        leading object: Int64, _ root: Int, by column: String, to owner: Int64, _ list: LinkReplacement?
    ) throws -> [Int64] {
        var said = try list?.allNamers(of: object).map { (record: $0.record, owner: Int64?($0.owner)) } ?? []
        for recorded in try unproven?.said.all(of: object, root: root) ?? [] {
            // A new object also has the values that its record does not contain.
            guard let cell = recorded.cells.first(where: { $0.column == column }),
                cell.isSaid || recorded.outcome == nil && cell.value != .null,
                recorded.policy != .fill || cell.value != .null
            else { continue }
            said.append((recorded.record, cell.value.integer))
        }
        said.sort { $0.record < $1.record }
        var records: [Int64] = []
        for entry in said {
            if entry.owner == owner { records.append(entry.record) } else { records.removeAll() }
        }
        return records
    }
}
