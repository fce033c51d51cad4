import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// Works out, for an inferred mapping, the SQL that fills each table of the destination. Pure: no store is opened.
///
/// Primary keys stay what they are: a destination table never takes rows from two source tables (merging hierarchies is
/// refused), so keys in other tables stay right without any table of associations.
struct TransferBuilder {
    let correspondence: ModelCorrespondence
    let source: StoreLayout
    let destination: StoreLayout
    let naming: SourceNaming

    var sourceModel: ResolvedModel { correspondence.source }
    var destinationModel: ResolvedModel { correspondence.destination }

    func tables() -> [TableTransfer] {
        destination.tables.map(transfer)
    }

    private func transfer(_ table: EntityTable) -> TableTransfer {
        let subtree = destinationModel.entities[table.root].subtree
        let entities = subtree.compactMap { slot in
            correspondence.sourceSlot[slot].map { (source: $0, destination: slot) }
        }
        guard let first = entities.first, let sourceTable = source.table(ofEntity: first.source) else {
            return TableTransfer(
                table: table, source: nil, entities: [], columns: [], takenNumbers: [], excludedNumbers: [],
                countedOrders: [])
        }
        let taken = Set(entities.map(\.source))
        let excluded = sourceModel.entities[sourceTable.root].subtree.filter { !taken.contains($0) }
        let unique = Set(
            destination.indexes().indexes.filter { $0.isUnique && $0.table == table.name }.flatMap(\.columns).map(\.name))
        let columns = table.columns.map {
            self.columnTransfer($0, entities: entities, isUnique: unique.contains($0.name))
        }
        return TableTransfer(
            table: table, source: sourceTable, entities: entities, columns: columns,
            takenNumbers: entities.map { source.entityNumbers[$0.source] }.sorted(),
            excludedNumbers: excluded.map { source.entityNumbers[$0] }.sorted(),
            countedOrders: table.columns.compactMap { countedOrder($0, in: table, entities: entities) })
    }

    private func columnTransfer(
        _ column: EntityColumn, entities: [(source: Int, destination: Int)], isUnique: Bool
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
            // Rows of the other entities may still hold something there: a property that only they lose.
            othersAreEmpty = !entities.contains { pair in
                expression(for: column.role, in: pair) == nil && usesSourceColumn(name, pair.source)
            }
        }
        if isMissing, isUnique, parts.count == 1, case .constant = parts[0].expression {
            // As Core Data does, a default goes into all rows of the table, but not where the rows of other entities
            // would break a uniqueness constraint with it.
            othersAreEmpty = false
        }
        return ColumnTransfer(column: column, parts: parts, coversAll: !isMissing, othersAreEmpty: othersAreEmpty)
    }

    /// The new number of each row's entity. A number that is none of the table's stays: such a row is not ours to judge.
    private func entityNumber(_ entities: [(source: Int, destination: Int)]) -> ColumnExpression {
        let changes = entities.map { (source.entityNumbers[$0.source], destination.entityNumbers[$0.destination]) }
        guard changes.contains(where: { $0 != $1 }) else { return .column("Z_ENT") }
        let cases = changes.map { "WHEN \($0) THEN \($1)" }.joined(separator: " ")
        return .row("CASE s.Z_ENT \(cases) ELSE s.Z_ENT END", base: "Z_ENT")
    }

    private func usesSourceColumn(_ name: String, _ slot: Int) -> Bool {
        let entity = sourceModel.entities[slot]
        return entity.attributes.contains { source.column(.attribute($0.key))?.name == name }
            || entity.relationships.contains { source.column(.toOne($0.key))?.name == name }
    }

    /// The expression for a column in the rows of one entity; nil where the entity has no such property.
    private func expression(
        for role: EntityColumn.Role, in pair: (source: Int, destination: Int)
    ) -> ColumnExpression? {
        let entity = destinationModel.entities[pair.destination]
        switch role {
        case .primaryKey: return .column("Z_PK")
        case .optimisticLock: return .column("Z_OPT")
        case .entityNumber: return .column("Z_ENT")
        case .attribute(let key):
            guard let attribute = entity.attributes.first(where: { $0.key == key }) else { return nil }
            return attributeExpression(attribute, in: pair)
        case .toOne(let key), .toOneEntity(let key), .toOneOrder(let key):
            guard let relationship = entity.relationships.first(where: { $0.key == key }) else { return nil }
            let links = ToOneExpressions(builder: self, relationship: relationship, pair: pair)
            switch role {
            case .toOne: return links.key
            case .toOneEntity: return links.entityNumber
            default: return links.order ?? .null
            }
        case .unidirectional(let key), .unidirectionalEntity(let key), .unidirectionalOrder(let key):
            let relationship = destinationModel.entities[key.owner].relationship(named: key.name)
            guard let relationship, destinationModel.isKind(pair.destination, of: relationship.destination) else {
                return nil
            }
            let links = UnidirectionalExpressions(builder: self, relationship: relationship, pair: pair)
            switch role {
            case .unidirectional: return links.key
            case .unidirectionalEntity: return links.entityNumber
            default: return links.order ?? .null
            }
        }
    }

    private func attributeExpression(
        _ attribute: ResolvedAttribute, in pair: (source: Int, destination: Int)
    ) -> ColumnExpression {
        let defaultValue = StoredValue.defaultValue(of: attribute)
        guard let old = correspondence.sourceAttribute(for: attribute.name, in: pair.destination), old.isStored,
            let column = source.column(.attribute(old.key))
        else {
            return attribute.isDerived ? .null : .constant(defaultValue)
        }
        let wasExternal = old.description.allowsExternalBinaryDataStorage
        let isExternal = attribute.description.allowsExternalBinaryDataStorage
        if wasExternal && !isExternal { return .inlined(column.name) }
        let name = "s." + SQLiteIdentifier.bare(column.name)
        // SPEC B.6: values that may be external begin with a tag byte, 01 for the data itself.
        let value = isExternal && !wasExternal
            ? "CASE WHEN \(name) IS NULL THEN NULL ELSE CAST(X'01' || CAST(\(name) AS BLOB) AS BLOB) END" : name
        if old.isOptional && !attribute.isOptional && defaultValue != .null && !attribute.isDerived {
            return .row("ifnull(\(value), \(defaultValue.literal))", base: column.name)
        }
        return isExternal && !wasExternal ? .row(value, base: column.name) : .column(column.name)
    }

    private func countedOrder(
        _ column: EntityColumn, in table: EntityTable, entities: [(source: Int, destination: Int)]
    ) -> TableTransfer.CountedOrder? {
        switch column.role {
        case .toOneOrder(let key):
            guard let keyColumn = table.column(.toOne(key)) else { return nil }
            let relationship = destinationModel.entities[key.owner].relationship(named: key.name)
            let needsCount = entities.contains { pair in
                guard let relationship, destinationModel.isKind(pair.destination, of: key.owner) else { return false }
                let links = ToOneExpressions(builder: self, relationship: relationship, pair: pair)
                return links.order == nil && links.key != .null
            }
            return needsCount ? TableTransfer.CountedOrder(column: column.name, key: keyColumn.name) : nil
        case .unidirectionalOrder(let key):
            guard let keyColumn = table.column(.unidirectional(key)),
                let relationship = destinationModel.entities[key.owner].relationship(named: key.name)
            else { return nil }
            let needsCount = entities.contains { pair in
                guard destinationModel.isKind(pair.destination, of: relationship.destination) else { return false }
                let links = UnidirectionalExpressions(builder: self, relationship: relationship, pair: pair)
                return links.order == nil && links.key != .null
            }
            return needsCount ? TableTransfer.CountedOrder(column: column.name, key: keyColumn.name) : nil
        default: return nil
        }
    }
}
