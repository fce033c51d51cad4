import ManagedObjectModels
import PersistentStores

/// A model prepared for objects: the shape of each entity, and the row structure of each root entity.
final class ObjectModel: Sendable {
    let resolved: ResolvedModel
    /// The shapes, by the slot of the entity.
    let shapes: [EntityShape]
    /// The row structures, by the index of the root entity.
    let tables: [TableShape]

    init(_ resolved: ResolvedModel) {
        self.resolved = resolved
        let roots = resolved.rootSlots
        tables = roots.map { root in
            let entities = resolved.entities[root].subtree.map { resolved.entities[$0] }
            var columns: [RowColumn] = []
            for entity in entities {
                columns += entity.declaredAttributes.filter(\.isStored).map { .attribute($0.key) }
                columns += entity.declaredRelationships.filter { $0.isStored && !$0.isToMany }.map { .toOne($0.key) }
            }
            for entity in entities {
                for relationship in EntityShape.unidirectional(to: entity, in: resolved) where relationship.isStored {
                    let column = RowColumn.owner(relationship.key)
                    if !columns.contains(column) { columns.append(column) }
                }
            }
            return TableShape(root: root, columns: columns)
        }
        let numbers = Dictionary(
            roots.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let tables = self.tables
        shapes = resolved.entities.map { entity in
            let number = numbers[entity.root] ?? 0
            return EntityShape(entity, table: tables[number], rootNumber: number, in: resolved)
        }
    }

    func shape(named name: String) -> EntityShape? { resolved.slot(named: name).map { shapes[$0] } }

    /// Returns the number of the table of an entity in a store; store 0 means no store.
    func table(ofEntity slot: Int, store: Int) -> Int32 {
        let root = shapes[slot].rootNumber
        return Int32(truncatingIfNeeded: store == 0 ? ~root : store * tables.count + root)
    }

    /// Returns the number of a table's store; 0 if there is none yet.
    func store(of table: Int32) -> Int { table < 0 ? 0 : Int(table) / max(1, tables.count) }

    /// Returns the index of a table's root entity.
    func root(of table: Int32) -> Int { table < 0 ? ~Int(table) : Int(table) % max(1, tables.count) }

    /// Returns the shape of a table's rows.
    func shape(of table: Int32) -> TableShape { tables[root(of: table)] }
}
