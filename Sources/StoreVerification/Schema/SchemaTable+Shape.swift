import PersistentStores

extension SchemaTable {
    /// Whether it is an entity table as Core Data creates it: rows by `Z_PK`, with an entity number.
    var isPlainEntityTable: Bool {
        !isVirtual && !isWithoutRowID && hasColumn("Z_ENT") && hasColumn("Z_OPT")
            && columns.filter(\.isPrimaryKey).map(\.name) == ["Z_PK"]
            && columns.first { $0.name == "Z_PK" }?.declaredType == "INTEGER"
    }

    /// Words in the statement that cannot be in a name of Core Data.
    private var isWithoutRowID: Bool {
        sql.uppercased().hasSuffix("WITHOUT ROWID")
    }
}
