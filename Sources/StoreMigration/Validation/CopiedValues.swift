import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The objects of a source entity from which objects of a destination entity are made, and the values that are only
/// copied. If the model does not allow a copied value, the fault existed before.
struct CopiedValues: Sendable {
    /// The name of the source's table on the migrating connection.
    let table: String

    /// The destination's key minus the source's key.
    let offset: Int64

    /// The entity numbers of both.
    let sourceNumber: Int
    let destinationNumber: Int

    /// The quoted columns of the source, by the destination's attribute or to-one relationship.
    var columns: [PropertyKey: String] = [:]

    /// Attributes that are now required, but were not required for the source objects.
    var newlyRequired: Set<PropertyKey> = []

    /// The place of the links in the source, by the destination's to-many relationship.
    var links: [PropertyKey: LinkPlace] = [:]

    /// Returns the condition that the object `row` has the same value as the object from which it was made; nil if the
    /// value is not copied.
    func isCopied(_ property: PropertyKey, column: String, row: String) -> String? {
        columns[property].map { source in
            "(\(row).Z_ENT = \(destinationNumber) AND EXISTS (SELECT 1 FROM \(table) s WHERE "
                + "s.Z_PK = \(row).Z_PK - \(offset) AND s.Z_ENT = \(sourceNumber) AND s.\(source) IS \(row).\(column)))"
        }
    }

    /// Returns the condition that an object has as many destinations as the object from which it was made.
    ///
    /// - Parameter row: a row with the object's key `k`, its entity number `e`, and the number `n` of its destinations.
    func hasSameCount(_ property: PropertyKey, row: String) -> String? {
        links[property].map { place in
            "(\(row).e = \(destinationNumber) AND (SELECT count(*) FROM source.\(place.table) l WHERE "
                + "l.\(place.owner) = \(row).k - \(offset)) = \(row).n)"
        }
    }
}

extension CopiedValues {
    /// Returns the origins of a store's objects in an earlier state of the same store, which is attached as `source`.
    static func all(of layout: StoreLayout) -> [CopiedValues] {
        layout.model.entities.filter { !$0.isAbstract }.compactMap { entity in
            guard let table = layout.table(ofEntity: entity.slot) else { return nil }
            let number = layout.entityNumbers[entity.slot]
            var origin = CopiedValues(
                table: "source.\(SQLiteIdentifier.quoted(table.name))", offset: 0, sourceNumber: number,
                destinationNumber: number)
            for attribute in entity.attributes {
                origin.columns[attribute.key] = layout.column(.attribute(attribute.key)).map(Self.name)
            }
            for relationship in entity.relationships where relationship.isStored {
                if relationship.isToMany {
                    origin.links[relationship.key] = LinkPlace(relationship, layout: layout)
                } else {
                    origin.columns[relationship.key] = layout.column(.toOne(relationship.key)).map(Self.name)
                }
            }
            return origin
        }
    }

    private static func name(_ column: EntityColumn) -> String { SQLiteIdentifier.quoted(column.name) }
}
