import PersistentStores

extension SchemaTable {
    /// Whether it is a table as Core Data makes them for entities: rows by `Z_PK`, with an entity number.
    var isPlainEntityTable: Bool {
        !isVirtual && !isWithoutRowID && hasColumn("Z_ENT") && hasColumn("Z_OPT")
            && columns.filter(\.isPrimaryKey).map(\.name) == ["Z_PK"]
            && columns.first { $0.name == "Z_PK" }?.declaredType == "INTEGER"
    }

    /// Words of the statement that no name of Core Data's can hold.
    private var isWithoutRowID: Bool {
        sql.uppercased().hasSuffix("WITHOUT ROWID")
    }
}
