import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The objects of one source entity that objects of a destination entity are made of, and what of them is only copied:
/// a copied value that the model forbids was there before.
struct CopiedValues: Sendable {
    /// The source's table, as the migrating connection knows it.
    let table: String

    /// The destination's key less the source's.
    let offset: Int64

    /// The entity numbers of both.
    let sourceNumber: Int
    let destinationNumber: Int

    /// The source's columns, in quotes, by the destination's attribute or to-one relationship.
    var columns: [PropertyKey: String] = [:]

    /// Attributes that need a value now, and that the source objects need not have.
    var newlyRequired: Set<PropertyKey> = []

    /// Where the source keeps the links, by the destination's to-many relationship.
    var links: [PropertyKey: LinkPlace] = [:]

    /// The condition that the object `row` has the same value as the object that it was made of; nil if the value is
    /// not copied.
    func isCopied(_ property: PropertyKey, column: String, row: String) -> String? {
        columns[property].map { source in
            "(\(row).Z_ENT = \(destinationNumber) AND EXISTS (SELECT 1 FROM \(table) s WHERE "
                + "s.Z_PK = \(row).Z_PK - \(offset) AND s.Z_ENT = \(sourceNumber) AND s.\(source) IS \(row).\(column)))"
        }
    }

    /// The condition that an object has as many destinations as the object that it was made of.
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
    /// The origins of a store's objects in an earlier state of the same store, which is attached as `source`.
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
