import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Links the objects whose keys are in `EditTransaction.found` with those in `EditTransaction.others`, or unlinks them,
/// and updates the inverse.
final class LinkEditor {
    private let connection: Connection
    private let layout: StoreLayout

    private static let (found, others) = (EditTransaction.found, EditTransaction.others)

    init(_ connection: Connection, _ layout: StoreLayout) {
        self.connection = connection
        self.layout = layout
    }

    // MARK: Linking

    func relate(_ relationship: ResolvedRelationship, _ step: EditStep) throws {
        do {
            try link(relationship, step)
        } catch is NoOrderKeyLeft {
            throw EditError(step, "\(relationship.name) is ordered, and an owner's objects have no order keys left")
        }
    }

    private func link(_ relationship: ResolvedRelationship, _ step: EditStep) throws {
        switch relationship.storage {
        case .toOne:
            try checkSingle(Self.others, "\(relationship.name) leads to one object", step, allowsNone: false)
            let isOneToOne = relationship.inverse.map { !$0.isToMany } ?? false
            if isOneToOne { try checkSingle(Self.found, "an object has one \(relationship.name)'s inverse", step) }
            guard let column = LinkColumn(toOne: relationship.key, in: layout) else { return }
            if isOneToOne { try makeRoom(for: relationship, column) }
            try point(column, Rows(table: Self.found, target: Self.others, targetSlot: relationship.destination))
            if isOneToOne, let inverse = relationship.inverse,
                let back = LinkColumn(toOne: inverse.key, in: layout)
            {
                try point(back, Rows(table: Self.others, target: Self.found, targetSlot: relationship.owner))
            }
        case .inverseToOne, .unidirectional:
            try checkSingle(Self.found, "an object belongs to one \(relationship.name)", step)
            guard let column = toManyColumn(relationship) else { return }
            try point(column, Rows(table: Self.others, target: Self.found, targetSlot: relationship.owner))
        case .joinTable: try join(relationship)
        }
    }

    /// Returns the column in the destinations' rows.
    private func toManyColumn(_ relationship: ResolvedRelationship) -> LinkColumn? {
        relationship.storage == .unidirectional
            ? LinkColumn(unidirectional: relationship, in: layout)
            : relationship.inverse.flatMap { LinkColumn(toOne: $0.key, in: layout) }
    }

    private func checkSingle(
        _ table: String, _ rule: String, _ step: EditStep, allowsNone: Bool = true
    ) throws {
        let count = try connection.value("SELECT count(*) FROM \(table)").integer ?? 0
        guard count > 1 || (count == 0 && !allowsNone) else { return }
        let side = table == Self.found ? "where" : "to"
        throw EditError(step, "\(rule), and \"\(side)\" finds \(Quantity.count(count, "object"))")
    }

    /// Rows that get a link, and the only object that it leads to.
    private struct Rows {
        let table: String
        let target: String
        let targetSlot: Int
    }

    /// Links rows to the only object of a table, after those that are already linked to it.
    private func point(_ column: LinkColumn, _ rows: Rows) throws {
        guard let table = layout.table(ofEntity: rows.targetSlot) else { return }
        let target = try connection.rows(
            "SELECT Z_PK, Z_ENT FROM main.\(SQLiteIdentifier.quoted(table.name)) "
                + "WHERE Z_PK IN (SELECT k FROM \(rows.target))")
        guard let key = target.first?[0], let number = target.first?[1] else { return }
        try connection.execute(
            "CREATE TEMP TABLE ferry_ranks AS SELECT k, row_number() OVER (ORDER BY k) AS n FROM \(rows.table) r "
                + "WHERE (SELECT s.\(column.key) FROM \(column.table) s WHERE s.Z_PK = r.k) IS NOT \(key.literal); "
                + "CREATE UNIQUE INDEX temp.ferry_ranks_k ON ferry_ranks (k)")
        var sets = ["\(column.key) = \(key.literal)", ObjectVersion.raised()]
        if let entity = column.entity { sets.append("\(entity) = \(number.literal)") }
        if let order = column.order {
            let last =
                try connection.value(
                    "SELECT max(\(order)) FROM \(column.table) WHERE \(column.key) = \(key.literal)"
                ).integer ?? OrderKeys.step
            sets.append("\(order) = \(last) + \(OrderKeys.step) * (SELECT n FROM temp.ferry_ranks WHERE k = s.Z_PK)")
            let count = try connection.value("SELECT count(*) FROM temp.ferry_ranks").integer ?? 0
            try checkOrderKeys(count, after: last)
        }
        try connection.execute(
            "UPDATE \(column.table) AS s SET \(sets.joined(separator: ", ")) "
                + "WHERE Z_PK IN (SELECT k FROM temp.ferry_ranks)")
        try connection.execute("DROP TABLE temp.ferry_ranks")
    }

    /// Removes the links of a one-to-one relationship that a new one replaces.
    private func makeRoom(for relationship: ResolvedRelationship, _ column: LinkColumn) throws {
        guard let inverse = relationship.inverse, let back = LinkColumn(toOne: inverse.key, in: layout) else { return }
        guard try connection.value("SELECT count(*) FROM \(Self.found)").integer == 1 else { return }
        try connection.execute(
            column.clearing(
                where:
                    "s.\(column.key) IN (SELECT k FROM \(Self.others)) AND s.Z_PK NOT IN (SELECT k FROM \(Self.found))")
        )
        try connection.execute(
            back.clearing(
                where: "s.\(back.key) IN (SELECT k FROM \(Self.found)) AND s.Z_PK NOT IN (SELECT k FROM \(Self.others))"
            ))
        guard relationship.isSelfInverse else { return }
        // The former links of both sides are in the same column.
        try connection.execute(
            column.clearing(
                where:
                    "s.\(column.key) IN (SELECT k FROM \(Self.found)) AND s.Z_PK NOT IN (SELECT k FROM \(Self.others))")
        )
    }

    private func join(_ relationship: ResolvedRelationship) throws {
        guard let place = LinkPlace(relationship, layout: layout) else { return }
        try join(place, Self.found, Self.others)
        if place.isSymmetric { try join(place, Self.others, Self.found) }
        try count(relationship)
    }

    /// Adds the missing rows of a join table, and records their pairs.
    private func join(_ place: LinkPlace, _ owners: String, _ destinations: String) throws {
        let table = "main." + place.table
        try connection.execute("CREATE TEMP TABLE IF NOT EXISTS ferry_pairs (o INTEGER, d INTEGER, isNew INTEGER)")
        try connection.execute(
            "INSERT INTO ferry_pairs SELECT o.k, d.k, 1 FROM \(owners) o, \(destinations) d WHERE NOT EXISTS (SELECT 1 "
                + "FROM \(table) j WHERE j.\(place.owner) = o.k AND j.\(place.destination) = d.k)")
        var columns = [place.owner, place.destination]
        var values = ["p.o", "p.d"]
        for (order, own, other, column) in [
            (place.order, "p.o", "p.d", place.owner), (place.inverseOrder, "p.d", "p.o", place.destination),
        ] {
            guard let order, !columns.contains(order) else { continue }
            let most = try connection.rows(
                "SELECT max(j.\(order)), (SELECT count(*) FROM temp.ferry_pairs WHERE isNew = 1) FROM \(table) j "
                    + "WHERE j.\(column) IN (SELECT \(own) FROM temp.ferry_pairs p)")
            try checkOrderKeys(most.first?[1].integer ?? 0, after: most.first?[0].integer ?? OrderKeys.step)
            columns.append(order)
            values.append(
                "ifnull((SELECT max(j.\(order)) FROM \(table) j WHERE j.\(column) = \(own)), \(OrderKeys.step)) "
                    + "+ \(OrderKeys.step) * row_number() OVER (PARTITION BY \(own) ORDER BY \(other))")
        }
        try connection.execute(
            "INSERT INTO \(table) (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
                + "FROM temp.ferry_pairs p WHERE p.isNew = 1; UPDATE temp.ferry_pairs SET isNew = 0")
    }

    /// Throws if there are not enough order keys after another one: SQLite would continue with inexact numbers.
    private func checkOrderKeys(_ count: Int64, after last: Int64) throws(NoOrderKeyLeft) {
        let (length, isTooLong) = count.multipliedReportingOverflow(by: OrderKeys.step)
        guard !isTooLong, !last.addingReportingOverflow(length).overflow else { throw NoOrderKeyLeft() }
    }

    private struct NoOrderKeyLeft: Error {}

    /// Increments the versions of the objects at both ends of the recorded pairs.
    private func count(_ relationship: ResolvedRelationship) throws {
        let isOneTable =
            layout.model.entities[relationship.owner].root == layout.model.entities[relationship.destination].root
        func change(_ slot: Int, _ keys: String) throws {
            guard let table = layout.table(ofEntity: slot) else { return }
            try connection.execute(
                "UPDATE main.\(SQLiteIdentifier.quoted(table.name)) SET \(ObjectVersion.raised()) "
                    + "WHERE Z_PK IN (\(keys))"
            )
        }
        let (owners, destinations) = ("SELECT o FROM temp.ferry_pairs", "SELECT d FROM temp.ferry_pairs")
        if isOneTable {
            try change(relationship.owner, "\(owners) UNION \(destinations)")
        } else {
            try change(relationship.owner, owners)
            try change(relationship.destination, destinations)
        }
        try connection.execute("DROP TABLE temp.ferry_pairs")
    }

    // MARK: Parting

    /// Removes links of the objects in `EditTransaction.found`.
    ///
    /// - Parameter isLimited: whether only links with the other objects are removed.
    func unrelate(_ relationship: ResolvedRelationship, limited isLimited: Bool) throws {
        func among(_ column: String, _ table: String) -> String { "\(column) IN (SELECT k FROM \(table))" }
        switch relationship.storage {
        case .toOne:
            guard let column = LinkColumn(toOne: relationship.key, in: layout) else { return }
            if let inverse = relationship.inverse, !inverse.isToMany,
                let back = LinkColumn(toOne: inverse.key, in: layout)
            {
                try connection.execute(
                    back.clearing(
                        where: among("s.\(back.key)", Self.found)
                            + (isLimited ? " AND " + among("s.Z_PK", Self.others) : "")))
            }
            try connection.execute(
                column.clearing(
                    where: among("s.Z_PK", Self.found) + " AND s.\(column.key) NOT NULL"
                        + (isLimited ? " AND " + among("s.\(column.key)", Self.others) : "")))
        case .inverseToOne, .unidirectional:
            guard let column = toManyColumn(relationship) else { return }
            try connection.execute(
                column.clearing(
                    where: among("s.\(column.key)", Self.found)
                        + (isLimited ? " AND " + among("s.Z_PK", Self.others) : "")))
        case .joinTable:
            guard let place = LinkPlace(relationship, layout: layout) else { return }
            let condition =
                among("j.\(place.owner)", Self.found)
                + (isLimited ? " AND " + among("j.\(place.destination)", Self.others) : "")
            try connection.execute(
                "CREATE TEMP TABLE ferry_pairs AS SELECT j.\(place.owner) AS o, j.\(place.destination) AS d "
                    + "FROM main.\(place.table) j WHERE \(condition)")
            if place.isSymmetric { try connection.execute("INSERT INTO ferry_pairs SELECT d, o FROM ferry_pairs") }
            try connection.execute(
                "DELETE FROM main.\(place.table) WHERE (\(place.owner), \(place.destination)) IN "
                    + "(SELECT o, d FROM temp.ferry_pairs)")
            try count(relationship)
        }
    }
}
