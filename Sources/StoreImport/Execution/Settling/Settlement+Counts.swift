import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// Counts what objects lead to when all records are read, as far as the model says how many these may be.
///
/// Objects are looked at in their order, each without the records that are rejected for those before it. Of too many
/// links the first ones stay: those that were there before, those of the record that makes the object, then those of
/// the others in their order. With too few, an object goes with the record that makes it; but where another record has
/// taken what it had, that one goes, and where the object may be without links, the records that have them go, if its
/// own does not.
extension Settlement {
    /// Rejects the records because of which objects lead to too many or too few others, until nothing changes.
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
            // It goes, or another record makes it: then it is counted again.
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

    /// The record that has taken what a one-to-one relationship of an object led to, where it may be taken back.
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
    /// - Parameter refuse: gets the records whose links are too many or too few, nil for the last one that changed the
    ///   object, and how many there are with them.
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
        /// The records whose links are left, fewer than the least number, and the links with each.
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

    /// Collects the links of an object with the records that say them; 0 stands for what was there before, or is
    /// proven.
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

    /// The records that say, one behind the other at the end, that an object of a one-to-many relationship leads to its
    /// owner.
    private func records(
        leading object: Int64, _ root: Int, by column: String, to owner: Int64, _ list: LinkReplacement?
    ) throws -> [Int64] {
        var said = try list?.allNamers(of: object).map { (record: $0.record, owner: Int64?($0.owner)) } ?? []
        for recorded in try unproven?.said.all(of: object, root: root) ?? [] {
            // A new object has what its record does not say, too.
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
