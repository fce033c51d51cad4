public import ManagedObjectModels

/// The layout that Core Data gives a new store of a model (SPEC B.4 to B.8).
public enum LayoutPrediction {
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

    public static func tableName(ofRoot entity: ResolvedEntity) -> String {
        "Z" + entity.name.uppercased()
    }

    static let standardColumns = [
        EntityColumn(name: "Z_PK", declaredType: "INTEGER", role: .primaryKey),
        EntityColumn(name: "Z_ENT", declaredType: "INTEGER", role: .entityNumber),
        EntityColumn(name: "Z_OPT", declaredType: "INTEGER", role: .optimisticLock),
    ]

    /// SPEC B.5: by class, inside a class by entity, then attributes before relationships, then name.
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

    /// 1 integers and keys, 2 order keys, 3 real numbers and dates, 4 decimals, 5 text, 6 UUIDs, 7 transformables, 8
    /// binary data.
    private static func classOrder(_ place: ColumnNaming.Place) -> Int {
        switch place.role {
        case .toOneOrder, .unidirectionalOrder: 2
        case .attribute:
            switch place.declaredType {
            case "INTEGER": 1
            case "FLOAT", "TIMESTAMP": 3
            case "DECIMAL": 4
            case "VARCHAR": 5
            default: 6
            }
        default: 1
        }
    }

    /// The column with the entity number stands directly behind the key.
    private static func followsKey(_ place: ColumnNaming.Place) -> Int {
        switch place.role {
        case .toOneEntity, .unidirectionalEntity: 1
        default: 0
        }
    }
}
