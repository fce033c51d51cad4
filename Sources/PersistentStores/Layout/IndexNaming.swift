public import ManagedObjectModels
import PredicateExpressions

extension StoreLayout {
    /// Returns the indexes that Core Data creates for the layout (docs/format/sqlite-store.md#indexes, newest naming),
    /// and those without a known SQL form.
    public func indexes() -> (indexes: [StoreIndex], unsupported: [UnsupportedIndex]) {
        var result: [StoreIndex] = []
        var unsupported: [UnsupportedIndex] = []
        for table in tables {
            if model.entities[table.root].hasSubentities {
                result.append(
                    StoreIndex(name: "\(table.name)_Z_ENT_INDEX", table: table.name, columns: [.init(name: "Z_ENT")]))
            }
            for column in table.columns {
                switch column.role {
                case .toOne, .unidirectional:
                    result.append(
                        StoreIndex(
                            name: "\(table.name)_\(column.name)_INDEX", table: table.name,
                            columns: [.init(name: column.name)]))
                default: break
                }
            }
        }
        for table in joinTables {
            result.append(
                StoreIndex(
                    name: "\(table.name)_\(table.keyColumns[1])_INDEX", table: table.name,
                    columns: table.keyColumns.reversed().map { .init(name: $0) }))
        }
        for entity in model.entities {
            declaredIndexes(of: entity, into: &result, unsupported: &unsupported)
        }
        var names: Set<String> = []
        return (result.filter { names.insert($0.name).inserted }, unsupported)
    }

    private func declaredIndexes(
        of entity: ResolvedEntity, into result: inout [StoreIndex], unsupported: inout [UnsupportedIndex]
    ) {
        guard let table = table(ofEntity: entity.slot) else { return }
        func columnName(_ property: String) -> String? {
            storedColumn(ofProperty: property, in: entity)?.name
        }
        func add(_ name: String, _ properties: [String], isUnique: Bool = false) {
            if !isUnique, isSingleRelationship(properties, of: entity) { return }
            let columns = properties.map { columnName($0) }
            guard !columns.contains(nil), !columns.isEmpty else {
                unsupported.append(UnsupportedIndex(entity: entity.name, index: name, reason: .noColumn))
                return
            }
            result.append(
                StoreIndex(
                    name: name, table: table.name, isUnique: isUnique,
                    columns: columns.compactMap { $0 }.map { .init(name: $0, isExplicit: true) }))
        }
        for index in entity.description.fetchIndexes {
            if isSingleRelationship(index.elements.map { $0.propertyName ?? "" }, of: entity) { continue }
            func leaveOut(_ reason: UnsupportedIndex.Reason) {
                unsupported.append(UnsupportedIndex(entity: entity.name, index: index.name, reason: reason))
            }
            let columns = index.elements.compactMap { element in
                elementColumn(element, in: entity).map {
                    StoreIndex.Column(name: $0, isAscending: element.isAscending, isExplicit: true)
                }
            }
            if index.elements.contains(where: { $0.collation == .rTree }) {
                leaveOut(.rTree)
            } else if columns.count < index.elements.count || columns.isEmpty {
                leaveOut(.noColumn)
            } else if let condition = PartialIndexCondition(index, column: columnName) {
                result.append(
                    StoreIndex(
                        name: "Z_\(entity.name)_\(index.name)", table: table.name, columns: columns,
                        condition: condition.sql))
            } else {
                leaveOut(.partial)
            }
        }
        for attribute in entity.declaredAttributes where attribute.description.isIndexed && attribute.isStored {
            add("Z_\(entity.name)_\(attribute.name)", [attribute.name])
        }
        for properties in entity.description.compoundIndexes {
            add("Z_\(entity.name)_\(properties.joined(separator: "_"))", properties)
        }
        for properties in entity.description.uniquenessConstraints {
            add("Z_\(entity.name)_UNIQUE_\(properties.joined(separator: "_"))", properties, isUnique: true)
        }
    }

    /// Returns whether the only element of an index is a relationship, for which Core Data makes no index
    /// (docs/format/sqlite-store.md#indexes).
    private func isSingleRelationship(_ properties: [String], of entity: ResolvedEntity) -> Bool {
        properties.count == 1 && entity.relationship(named: properties[0]) != nil
    }

    /// Returns the column of an element: that of its property, or that of the object's key or entity number for `SELF`
    /// or `entity`.
    private func elementColumn(_ element: FetchIndexElementDescription, in entity: ResolvedEntity) -> String? {
        let name = element.propertyName ?? ""
        if let column = storedColumn(ofProperty: name, in: entity) { return column.name }
        switch try? Expression(format: element.expression ?? name) {
        case .evaluatedObject?: return "Z_PK"
        case .keyPath(.evaluatedObject, "entity")?: return "Z_ENT"
        default: return nil
        }
    }

    /// Returns the column of an attribute or to-one relationship by its name in an entity; nil if it has no column.
    public func storedColumn(ofProperty name: String, in entity: ResolvedEntity) -> EntityColumn? {
        if let attribute = entity.attribute(named: name) { return column(.attribute(attribute.key)) }
        if let relationship = entity.relationship(named: name) { return column(.toOne(relationship.key)) }
        return nil
    }
}
