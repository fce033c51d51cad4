public import ManagedObjectModels

/// The layout that Core Data gives a new store of a model (docs/format/sqlite-store.md).
public enum LayoutPrediction {
    /// Returns the tables, columns and join tables that Core Data makes for a model.
    public static func layout(of model: ResolvedModel) -> StoreLayout {
        let numbers = model.entities.map(\.number)
        var naming = ColumnNaming(model: model, entityNumbers: numbers)
        let places = Dictionary(grouping: naming.places(), by: \.root)
        let tables = model.rootSlots.map { root in
            EntityTable(
                name: tableName(ofRoot: model.entities[root]), root: root,
                columns: standardColumns
                    + (places[root] ?? []).sorted(by: precedes).map {
                        EntityColumn(name: $0.name, declaredType: $0.declaredType, role: $0.role)
                    })
        }
        return StoreLayout(
            model: model, entityNumbers: numbers, tables: tables,
            joinTables: JoinTableNaming(model: model, entityNumbers: numbers).joinTables())
    }

    /// Returns the name of a root entity's table: `Z` and the entity's name in upper case.
    public static func tableName(ofRoot entity: ResolvedEntity) -> String {
        "Z" + entity.name.uppercased()
    }

    static let standardColumns = [
        EntityColumn(name: "Z_PK", declaredType: "INTEGER", role: .primaryKey),
        EntityColumn(name: "Z_ENT", declaredType: "INTEGER", role: .entityNumber),
        EntityColumn(name: "Z_OPT", declaredType: "INTEGER", role: .optimisticLock),
    ]

    /// Returns whether a column precedes another (docs/format/sqlite-store.md#column-order): by class, within a class
    /// by entity, then attributes before relationships, then name.
    private static func precedes(_ left: ColumnNaming.Place, _ right: ColumnNaming.Place) -> Bool {
        let (first, second) = (classOrder(left), classOrder(right))
        if first != second { return first < second }
        let (a, b) = (left.property, right.property)
        if a.owner != b.owner { return a.owner < b.owner }
        if a.isRelationship != b.isRelationship { return b.isRelationship }
        if a.name != b.name { return a.name.unicodeScalars.lexicographicallyPrecedes(b.name.unicodeScalars) }
        if a.elementIndex != b.elementIndex { return a.elementIndex < b.elementIndex }
        return followsKey(left) < followsKey(right)
    }

    /// Returns the rank of a column's class: integers and keys, order keys, real numbers and dates, decimals, strings,
    /// URIs, UUIDs, transformables, binary data; the keys of to-manys without an inverse follow the other keys.
    private static func classOrder(_ place: ColumnNaming.Place) -> Int {
        switch place.role {
        case .unidirectional, .unidirectionalEntity: return 2
        case .toOneOrder, .unidirectionalOrder: return 3
        default: break
        }
        switch place.type {
        case .integer16?, .integer32?, .integer64?, .boolean?, nil: return 1
        case .double?, .float?, .date?: return 4
        case .decimal?: return 5
        case .string?: return 6
        case .uri?: return 7
        case .uuid?: return 8
        case .transformable?: return 9
        case .binaryData?, .undefined?, .objectID?, .composite?: return 10
        }
    }

    /// Returns the rank within a key: the column with the entity number directly follows the column with the key.
    private static func followsKey(_ place: ColumnNaming.Place) -> Int {
        switch place.role {
        case .toOneEntity, .unidirectionalEntity: 1
        default: 0
        }
    }
}
