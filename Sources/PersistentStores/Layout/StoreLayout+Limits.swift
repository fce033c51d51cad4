import ManagedObjectModels

extension StoreLayout {
    /// SQLite's default limit for the number of columns of a table.
    private static let maximumColumns = 2000

    ///
    /// - Parameter path: the path of the new store.
    /// - Throws: `StoreError` if SQLite cannot make the tables: two have the same name, or one has too many columns.
    public func checkCreatable(at path: String) throws(StoreError) {
        var owners: [String: String] = [:]
        for table in tables {
            let entity = model.entities[table.root].name
            // No known store shows how Core Data handles such names.
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
