/// A table or column that a model needs and a store lacks.
public enum LayoutProblem: Sendable, Hashable {
    /// The table of a root entity is missing.
    case missingTable(String, entity: String)
    /// The column of a property is missing.
    case missingColumn(table: String, column: String, property: String)
    /// The join table of a relationship is missing; it could have any of these names.
    case missingJoinTable(relationship: String, names: [String])
    /// The join table lacks a column of the relationship.
    case missingJoinColumns(table: String, relationship: String)
}

extension LayoutProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missingTable(let table, let entity):
            "there is no table \(table) for the entity \(entity)"
        case .missingColumn(let table, let column, let property):
            "the table \(table) has no column \(column) for \(property)"
        case .missingJoinTable(let relationship, let names):
            "there is no join table \(names.joined(separator: " or ")) for \(relationship)"
        case .missingJoinColumns(let table, let relationship):
            "the join table \(table) lacks a column for \(relationship)"
        }
    }
}
