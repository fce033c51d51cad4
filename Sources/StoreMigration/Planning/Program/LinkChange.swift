import PersistentStores
import SQLiteAccess
import StoreAssembly

/// A change of links in rows that have been written.
struct LinkChange: Sendable {
    enum Kind: Sendable {
        /// Rows without a link get links to their owners.
        ///
        /// - pairs: a query of the owner's key `o`, the row's key `d`, and the row's place `n` if there are places. A
        ///   pair with a place is not returned twice.
        /// - entity: the number of the owners' entity.
        case owners(pairs: String, entity: Int, hasPlaces: Bool)
        /// Rows get other links, whatever they have.
        ///
        /// - links: a query of a source's key `s`, the row's key `o`, the key `k` of the object that it is linked to,
        ///   NULL if there is none, and the number `e` of the object's entity. The link of the row's last source counts.
        case destinations(links: String)
        /// Rows without a link get links to the rows of another table that lead to them.
        case inverses(table: String, columns: ChangedLinks.Columns)
        /// Places are counted: those that are known come first, in their order, and the other rows follow, in the order
        /// of their keys. If they are kept, only the others are counted.
        case count(keepsPlaces: Bool)
    }

    let table: String
    let columns: ChangedLinks.Columns
    let kind: Kind

    /// The tables whose rows have to be there.
    var tables: [String] {
        if case .inverses(let other, _) = kind { [table, other] } else { [table] }
    }

    /// The query for the links to owners: each row's key, the owner's key, and the place if there is one.
    var ownersQuery: String? {
        guard case .owners(let pairs, _, let hasPlaces) = kind else { return nil }
        return "SELECT d, o\(hasPlaces ? ", n" : "") FROM (\(pairs))"
    }

    /// The query for other links: each source's key, the row's key, the key of its object, and the object's entity.
    var destinationsQuery: String? {
        guard case .destinations(let links) = kind else { return nil }
        return "SELECT s, o, k, e FROM (\(links))"
    }

    /// Whether the links can be determined without reading the new file.
    var isKnownBefore: Bool { !((ownersQuery ?? destinationsQuery)?.readsResult ?? false) }

    /// The statement that makes the change in a file.
    var statement: String {
        let (name, column) = (SQLiteIdentifier.bare(table), SQLiteIdentifier.bare(columns.key))
        let order = columns.order.map(SQLiteIdentifier.bare)
        let setNumber = { (value: String) in columns.setting(.entity, value) }
        switch kind {
        case .owners(let pairs, let entity, let hasPlaces):
            let links =
                "UPDATE main.\(name) SET \(column) = p.o\(setNumber("\(entity)")) FROM (SELECT d, "
                + "min(o) AS o FROM (\(pairs)) GROUP BY d) AS p WHERE \(name).Z_PK = p.d AND \(name).\(column) IS NULL"
            guard hasPlaces, let order else { return links }
            return links + "; UPDATE main.\(name) SET \(order) = p.n FROM (\(pairs)) AS p WHERE \(name).Z_PK = p.d "
                + "AND \(name).\(column) = p.o"
        case .destinations(let links):
            // In an aggregate query with max(), SQLite takes the other values from the row with the maximum.
            let place = order.map { "iif(p.k IS NULL, NULL, \($0))" } ?? ""
            return
                "UPDATE main.\(name) SET \(column) = p.k\(setNumber("p.e"))\(columns.setting(.order, place)) FROM "
                + "(SELECT o, k, e, max(s) FROM (\(links)) GROUP BY o) AS p WHERE \(name).Z_PK = p.o"
        case .inverses(let other, let columns):
            let back = SQLiteIdentifier.bare(columns.key)
            // In an aggregate query with min(), SQLite takes the other values from the row with the minimum.
            return
                "UPDATE main.\(name) SET \(column) = p.o\(setNumber("p.e")) FROM (SELECT \(back) AS d, min(Z_PK) AS o, "
                + "Z_ENT AS e FROM main.\(SQLiteIdentifier.bare(other)) WHERE \(back) IS NOT NULL GROUP BY 1) AS p "
                + "WHERE \(name).Z_PK = p.d AND \(name).\(column) IS NULL"
        case .count(let keepsPlaces):
            guard let order else { return "" }
            guard keepsPlaces else {
                return "UPDATE main.\(name) SET \(order) = c.n FROM (SELECT Z_PK AS k, "
                    + "\(OrderKeys.counted(by: column, placed: order, then: "Z_PK")) AS n FROM main.\(name) "
                    + "WHERE \(column) IS NOT NULL) AS c WHERE c.k = \(name).Z_PK"
            }
            return "UPDATE main.\(name) SET \(order) = c.n FROM (SELECT Z_PK AS k, max(\(OrderKeys.first), "
                + "ifnull(m, 0) + \(OrderKeys.step)) + \(OrderKeys.step) * (row_number() OVER (PARTITION BY \(column) "
                + "ORDER BY Z_PK) - 1) AS n FROM (SELECT Z_PK, \(column), \(order), max(\(order)) OVER (PARTITION BY "
                + "\(column)) AS m FROM main.\(name)) WHERE \(order) IS NULL AND \(column) IS NOT NULL) AS c "
                + "WHERE c.k = \(name).Z_PK"
        }
    }
}
