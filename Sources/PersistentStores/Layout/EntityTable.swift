/// The table of a root entity and all its subentities.
public struct EntityTable: Sendable, Hashable {
    /// The name that the table has in the store.
    public let name: String

    /// The slot of the root entity.
    public let root: Int

    /// All columns in the order that Core Data creates them; `Z_PK`, `Z_ENT` and `Z_OPT` come first.
    public let columns: [EntityColumn]

    /// Makes a table.
    public init(name: String, root: Int, columns: [EntityColumn]) {
        self.name = name
        self.root = root
        self.columns = columns
    }

    /// Returns the column with a role; nil if the table does not have it.
    public func column(_ role: EntityColumn.Role) -> EntityColumn? {
        columns.first { $0.role == role }
    }
}
