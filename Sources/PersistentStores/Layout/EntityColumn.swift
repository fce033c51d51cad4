public import ManagedObjectModels

/// A column of an entity table: its name in the store, its declared type, and its role.
public struct EntityColumn: Sendable, Hashable {
    /// The content of a column. Property keys name the declaring entity.
    public enum Role: Sendable, Hashable {
        /// The object's key, `Z_PK`.
        case primaryKey
        /// The number of the object's entity, `Z_ENT`.
        case entityNumber
        /// How often the object was saved, `Z_OPT`.
        case optimisticLock
        /// The value of an attribute.
        case attribute(PropertyKey)
        /// The key of a to-one relationship's destination.
        case toOne(PropertyKey)
        /// The entity number of a to-one relationship's destination, where that entity has subentities.
        case toOneEntity(PropertyKey)
        /// The order key of the row in the ordered to-many relationship that is this to-one's inverse.
        case toOneOrder(PropertyKey)
        /// The key of the object whose to-many relationship without an inverse contains this row.
        case unidirectional(PropertyKey)
        /// The entity number of that object, where its entity has subentities.
        case unidirectionalEntity(PropertyKey)
        /// The order key of the row in that relationship.
        case unidirectionalOrder(PropertyKey)
    }

    /// The name that the column has in the store.
    public let name: String

    /// `INTEGER`, `FLOAT`, `TIMESTAMP`, `DECIMAL`, `VARCHAR` or `BLOB`.
    public let declaredType: String

    /// What the column holds.
    public let role: Role

    /// Makes a column.
    public init(name: String, declaredType: String, role: Role) {
        self.name = name
        self.declaredType = declaredType
        self.role = role
    }

    /// Returns the type that Core Data declares for an attribute's column (docs/format/sqlite-store.md#entity-tables).
    public static func declaredType(of type: AttributeType) -> String {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .double, .float: "FLOAT"
        case .date: "TIMESTAMP"
        case .decimal: "DECIMAL"
        case .string, .uri: "VARCHAR"
        case .uuid, .binaryData, .transformable, .undefined, .objectID, .composite: "BLOB"
        }
    }
}
