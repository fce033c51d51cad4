package import PersistentStores
package import SQLiteAccess

/// Assigns the primary keys of a store's objects, within a transaction.
///
/// Each hierarchy of entities has its own sequence of keys. A store that will become a single file, in which objects
/// are identified by their key alone, has one sequence for all.
package struct PrimaryKeys {
    private let connection: Connection
    private let layout: StoreLayout
    private let isShared: Bool

    package init(_ connection: Connection, _ layout: StoreLayout, isShared: Bool) {
        self.connection = connection
        self.layout = layout
        self.isShared = isShared
    }

    /// Returns the highest key that an object of a hierarchy has, or has had; 0 if there is none.
    ///
    /// - Parameter root: the slot of its root entity.
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

    /// Assigns keys to new objects of a hierarchy.
    ///
    /// - Returns: the key before the first of them; nil if there are not enough keys.
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
