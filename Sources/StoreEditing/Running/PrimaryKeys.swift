package import PersistentStores
package import SQLiteAccess

/// The primary keys that objects of a store have been given, within a transaction.
///
/// Each hierarchy of entities has a numbering of its own. A store that is to become one file, which names objects by
/// their number alone, has one for all.
package struct PrimaryKeys {
    private let connection: Connection
    private let layout: StoreLayout
    private let isShared: Bool

    package init(_ connection: Connection, _ layout: StoreLayout, isShared: Bool) {
        self.connection = connection
        self.layout = layout
        self.isShared = isShared
    }

    /// The highest key that an object of a hierarchy has, or has had; 0 for none.
    ///
    /// - Parameter root: the slot of the entity at its top.
    package func highest(ofRoot root: Int) throws(SQLiteError) -> Int64 {
        var result: Int64 = 0
        for table in layout.tables where isShared || table.root == root {
            let value = try connection.value(
                "SELECT max(ifnull((SELECT Z_MAX FROM main.Z_PRIMARYKEY WHERE Z_ENT = ?), 0), "
                    + "ifnull((SELECT max(Z_PK) FROM main.\(SQLiteIdentifier.quoted(table.name))), 0))",
                [.integer(Int64(layout.entityNumbers[table.root]))])
            result = max(result, value.integer ?? 0)
        }
        return result
    }

    /// Gives keys to new objects of a hierarchy.
    ///
    /// - Returns: the key before the first of them; nil if there are not so many keys.
    package func give(_ count: Int64, ofRoot root: Int) throws(SQLiteError) -> Int64? {
        let last = try highest(ofRoot: root)
        let (highest, isTooMuch) = last.addingReportingOverflow(count)
        guard !isTooMuch else { return nil }
        try connection.execute(
            "UPDATE main.Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
            [.integer(highest), .integer(Int64(layout.entityNumbers[root]))])
        return last
    }
}
