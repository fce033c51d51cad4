import PersistentStores
import SQLiteAccess
import StoreAssembly

extension StoreLayout {
    /// Returns the columns that contain the links of a to-one relationship; nil if the store has no such links.
    func linkColumns(ofToOne key: PropertyKey) -> ChangedLinks.Columns? {
        linkColumns(.toOne(key), .toOneEntity(key), .toOneOrder(key))
    }

    /// Returns the columns, in the rows of its destination, that contain the links of a one-to-many relationship
    /// without an inverse; nil if the store has no such links.
    func linkColumns(ofUnidirectional key: PropertyKey) -> ChangedLinks.Columns? {
        linkColumns(.unidirectional(key), .unidirectionalEntity(key), .unidirectionalOrder(key))
    }

    private func linkColumns(
        _ key: EntityColumn.Role, _ entity: EntityColumn.Role, _ order: EntityColumn.Role
    ) -> ChangedLinks.Columns? {
        column(key).map {
            ChangedLinks.Columns(key: $0.name, entity: column(entity)?.name, order: column(order)?.name)
        }
    }
}

extension ChangedLinks.Columns {
    /// A column that exists only in some tables.
    enum Extra {
        case entity, order
    }

    /// Returns an assignment of an UPDATE statement, after a comma; an empty text if the table lacks the column.
    func setting(_ column: Extra, _ value: String) -> String {
        (column == .entity ? entity : order).map { ", \(SQLiteIdentifier.bare($0)) = \(value)" } ?? ""
    }
}
