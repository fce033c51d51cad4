import ManagedObjectModels

extension StoreLayout {
    /// SQLite's limit for the columns of a table, unless it was built with another.
    private static let maximumColumns = 2000

    ///
    /// - Parameter path: the store that would be made.
    /// - Throws: `StoreError` where SQLite cannot make the tables: two of one name, or one with too many columns.
    public func checkCreatable(at path: String) throws(StoreError) {
        var owners: [String: String] = [:]
        for table in tables {
            let entity = model.entities[table.root].name
            // What Core Data does with such names no store has shown.
            if let other = owners.updateValue(entity, forKey: table.name) {
                throw StoreError(.sharedTable(table.name, entities: [other, entity]), path: path)
            }
            guard table.columns.count <= Self.maximumColumns else {
                throw StoreError(
                    .tooManyColumns(table: table.name, count: table.columns.count, maximum: Self.maximumColumns),
                    path: path)
            }
        }
    }
}
