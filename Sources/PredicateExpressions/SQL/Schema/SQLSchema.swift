/// Where entities and properties lie in a database. Entities are numbers of the schema's own.
public protocol SQLSchema: Sendable {
    func table(of entity: Int) -> SQLTable
    /// The property; nil where the entity has none of this name.
    func property(_ name: String, of entity: Int) -> SQLProperty?
}
