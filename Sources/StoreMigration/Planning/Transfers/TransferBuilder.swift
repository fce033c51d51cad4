import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// Computes, for an inferred mapping, the SQL that fills each table of the destination, without opening a store.
///
/// Primary keys do not change: a destination table never gets rows from two source tables, because merging hierarchies
/// is refused. So keys in other tables stay valid without a table of associations. For mapping models that create new
/// objects, see `MappedTransferBuilder`.
struct TransferBuilder {
    let correspondence: ModelCorrespondence
    let source: StoreLayout
    let destination: StoreLayout
    let naming: SourceNaming
    let narrowing: NumberNarrowing

    init(
        correspondence: ModelCorrespondence, source: StoreLayout, destination: StoreLayout, naming: SourceNaming,
        narrowing: NumberNarrowing = .refuse
    ) {
        self.correspondence = correspondence
        self.source = source
        self.destination = destination
        self.naming = naming
        self.narrowing = narrowing
    }

    var sourceModel: ResolvedModel { correspondence.source }
    var destinationModel: ResolvedModel { correspondence.destination }

    /// Returns the same builder for a source whose tables have other names.
    func naming(_ naming: SourceNaming) -> TransferBuilder {
        TransferBuilder(
            correspondence: correspondence, source: source, destination: destination, naming: naming,
            narrowing: narrowing)
    }

    /// - Parameter maximumKeys: the highest keys, by the name of the destination's root entity.
    func transfer(maximumKeys: [String: Int64] = [:]) -> StoreTransfer {
        StoreTransfer(
            source: source, destination: destination, naming: naming, recreatesObjects: false, tables: tables(),
            joins: joinTables(), keptDerivations: keptDerivations, maximumKeys: maximumKeys)
    }

    func tables() -> [TableTransfer] {
        let uniqueColumns = self.uniqueColumns
        return destination.tables.map { transfer($0, uniqueColumns: uniqueColumns[$0.name] ?? []) }
    }

    /// Returns the transfer of a table.
    func table(_ table: EntityTable) -> TableTransfer {
        transfer(table, uniqueColumns: uniqueColumns[table.name] ?? [])
    }

    /// The columns of the destination's unique indexes, by table.
    private var uniqueColumns: [String: Set<String>] {
        destination.indexes().indexes.filter(\.isUnique).reduce(into: [:]) {
            $0[$1.table, default: []].formUnion($1.columns.map(\.name))
        }
    }

    private func transfer(_ table: EntityTable, uniqueColumns: Set<String>) -> TableTransfer {
        let subtree = destinationModel.entities[table.root].subtree
        let entities = subtree.compactMap { slot in
            correspondence.sourceSlot[slot].map { EntityPair(source: $0, destination: slot) }
        }
        guard let first = entities.first, let sourceTable = source.table(ofEntity: first.source) else {
            return TableTransfer(table: table, source: nil, entities: [], columns: [], takenNumbers: [])
        }
        let taken = Set(entities.map(\.source))
        let hierarchy = sourceModel.entities[sourceTable.root].subtree
        let excluded = hierarchy.filter { !taken.contains($0) }
        let numbers = entities.map { (source.entityNumbers[$0.source], destination.entityNumbers[$0.destination]) }
        let known = Set(hierarchy.map { source.entityNumbers[$0] })
        let columns = table.columns.map {
            self.columnTransfer($0, entities: entities, isUnique: uniqueColumns.contains($0.name))
        }
        return TableTransfer(
            table: table, source: sourceTable, entities: entities, columns: columns,
            takenNumbers: entities.map { source.entityNumbers[$0.source] }.sorted(),
            excludedNumbers: excluded.map { source.entityNumbers[$0] }.sorted(),
            renumbered: numbers.filter { $0 != $1 },
            mayReviveStrangers: subtree.contains { !known.contains(destination.entityNumbers[$0]) },
            countedOrders: table.columns.compactMap { countedOrder($0, in: table, entities: entities) })
    }

    /// - Parameter isUnique: whether equal values in the column are an error.
    private func columnTransfer(
        _ column: EntityColumn, entities: [EntityPair], isUnique: Bool
    ) -> ColumnTransfer {
        if column.role == .entityNumber {
            return ColumnTransfer(
                column: column, parts: [.init(expression: entityNumber(entities), sourceNumbers: [])], coversAll: true,
                othersAreEmpty: true)
        }
        var parts: [ColumnTransfer.Part] = []
        var othersAreEmpty = true
        var isMissing = false
        for pair in entities {
            let number = source.entityNumbers[pair.source]
            guard let expression = expression(for: column.role, in: pair) else {
                isMissing = true
                continue
            }
            if let index = parts.firstIndex(where: { $0.expression == expression }) {
                parts[index].sourceNumbers.append(number)
            } else {
                parts.append(ColumnTransfer.Part(expression: expression, sourceNumbers: [number]))
            }
        }
        if isMissing, parts.count == 1, case .column(let name) = parts[0].expression {
            // The column may contain values in rows of other entities: those of a property that only these entities
            // lose.
            othersAreEmpty = !entities.contains { pair in
                expression(for: column.role, in: pair) == nil && usesSourceColumn(name, pair.source)
            }
        }
        if isMissing, isUnique, parts.contains(where: { if case .constant = $0.expression { true } else { false } }) {
            // Rows without the property get NULL, because a default value in all of them would not be unique.
            othersAreEmpty = false
        }
        return ColumnTransfer(column: column, parts: parts, coversAll: !isMissing, othersAreEmpty: othersAreEmpty)
    }

    /// Returns the new entity number of each row. A number that does not belong to the table is not changed, because
    /// such a row is not an object.
    private func entityNumber(_ entities: [EntityPair]) -> ColumnExpression {
        let changes = entities.map { (source.entityNumbers[$0.source], destination.entityNumbers[$0.destination]) }
        guard changes.contains(where: { $0 != $1 }) else { return .column("Z_ENT") }
        return .replaced(
            "Z_ENT", Dictionary(changes.map { (Int64($0), Int64($1)) }, uniquingKeysWith: { first, _ in first }))
    }

    /// Returns whether rows of a source entity contain values of a property in a column.
    private func usesSourceColumn(_ name: String, _ slot: Int) -> Bool {
        guard let column = source.table(ofEntity: slot)?.columns.first(where: { $0.name == name }) else { return false }
        switch column.role {
        case .primaryKey, .entityNumber, .optimisticLock: return true
        case .attribute(let key), .toOne(let key), .toOneEntity(let key), .toOneOrder(let key):
            return sourceModel.isKind(slot, of: key.owner)
        case .unidirectional(let key), .unidirectionalEntity(let key), .unidirectionalOrder(let key):
            let relationship = sourceModel.relationship(key)
            return relationship.map { sourceModel.isKind(slot, of: $0.destination) } ?? false
        }
    }

    /// Returns the expression for a column in the rows of an entity; nil if the entity does not have the property.
    private func expression(
        for role: EntityColumn.Role, in pair: EntityPair
    ) -> ColumnExpression? {
        let entity = destinationModel.entities[pair.destination]
        switch role {
        case .primaryKey: return .column("Z_PK")
        case .optimisticLock: return .column("Z_OPT")
        case .entityNumber: return .column("Z_ENT")
        case .attribute(let key):
            // Most entities of a large table do not have most of its properties.
            guard destinationModel.isKind(pair.destination, of: key.owner),
                let attribute = entity.attributes.first(where: { $0.key == key })
            else { return nil }
            return attributeExpression(attribute, in: pair)
        case .toOne, .toOneEntity, .toOneOrder, .unidirectional, .unidirectionalEntity, .unidirectionalOrder:
            guard let links = linkColumns(for: role, in: pair) else { return nil }
            switch role {
            case .toOne, .unidirectional: return links.key
            case .toOneEntity, .unidirectionalEntity: return links.entityNumber
            default: return links.order ?? .null
            }
        }
    }

    /// Returns the columns of the relationship to which a column belongs; nil if the entity's rows do not store its
    /// links.
    private func linkColumns(for role: EntityColumn.Role, in pair: EntityPair) -> LinkColumns? {
        switch role {
        case .toOne(let key), .toOneEntity(let key), .toOneOrder(let key):
            guard destinationModel.isKind(pair.destination, of: key.owner) else { return nil }
            let relationships = destinationModel.entities[pair.destination].relationships
            return relationships.first { $0.key == key }.map { LinkColumns.toOne($0, in: pair, self) }
        case .unidirectional(let key), .unidirectionalEntity(let key), .unidirectionalOrder(let key):
            let relationship = destinationModel.relationship(key)
            guard let relationship, destinationModel.isKind(pair.destination, of: relationship.destination) else {
                return nil
            }
            return LinkColumns.unidirectional(relationship, in: pair, self)
        case .primaryKey, .entityNumber, .optimisticLock, .attribute: return nil
        }
    }

    private func attributeExpression(
        _ attribute: ResolvedAttribute, in pair: EntityPair
    ) -> ColumnExpression {
        let defaultValue = StoredValue.defaultValue(of: attribute)
        guard let old = correspondence.sourceAttribute(for: attribute.name, in: pair.destination), old.isStored,
            let column = source.column(.attribute(old.key))
        else {
            return attribute.isDerived ? .null : .constant(defaultValue)
        }
        let wasExternal = old.description.hasExternalData
        let isExternal = attribute.description.hasExternalData
        if wasExternal && !isExternal { return .inlined(column.name) }
        let name = "s." + SQLiteIdentifier.bare(column.name)
        let converted = NumberConversion(from: old.type, to: attribute.type, column: name, narrowing)?.value
        // docs/format/sqlite-store.md#external-binary-data: values that allow external storage begin with a tag byte,
        // which is 01 for the data itself.
        let value =
            isExternal && !wasExternal
            ? "CASE WHEN \(name) IS NULL THEN NULL ELSE CAST(X'01' || CAST(\(name) AS BLOB) AS BLOB) END"
            : converted ?? name
        let mayBecomeNull = old.isOptional || converted != nil && narrowing == .null
        if mayBecomeNull && !attribute.isOptional && defaultValue != .null && !attribute.isDerived {
            return value == name
                ? .filled(column.name, defaultValue)
                : .row("ifnull(\(value), \(defaultValue.literal))", base: column.name)
        }
        return value == name ? .column(column.name) : .row(value, base: column.name)
    }

    /// Returns an order column for which the source has no values, at least in the rows of some entities.
    private func countedOrder(
        _ column: EntityColumn, in table: EntityTable, entities: [EntityPair]
    ) -> TableTransfer.CountedOrder? {
        let key: EntityColumn?
        switch column.role {
        case .toOneOrder(let property): key = table.column(.toOne(property))
        case .unidirectionalOrder(let property): key = table.column(.unidirectional(property))
        default: return nil
        }
        guard let key else { return nil }
        let links = entities.compactMap { linkColumns(for: column.role, in: $0) }.filter { $0.key != .null }
        guard links.contains(where: { $0.order == nil }) else { return nil }
        return TableTransfer.CountedOrder(
            column: column.name, key: key.name, hasSome: links.contains { $0.order != nil })
    }
}
