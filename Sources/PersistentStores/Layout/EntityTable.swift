/// The table of a root entity and all its subentities.
public struct EntityTable: Sendable, Hashable {
    public let name: String

    /// The slot of the root entity.
    public let root: Int

    /// All columns in the order that Core Data creates them; `Z_PK`, `Z_ENT` and `Z_OPT` come first.
    public let columns: [EntityColumn]

    public init(name: String, root: Int, columns: [EntityColumn]) {
        self.name = name
        self.root = root
        self.columns = columns
    }

    public func column(_ role: EntityColumn.Role) -> EntityColumn? {
        columns.first { $0.role == role }
    }
}
