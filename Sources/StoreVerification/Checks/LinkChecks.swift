import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The checks of keys in an entity's table: of to-one relationships, and of to-many ones without an inverse.
struct LinkChecks {
    let content: ContentChecks

    private var layout: StoreLayout { content.layout }
    private var model: ResolvedModel { content.model }

    /// Returns the checks of a column, if it contains keys.
    func checks(
        of column: EntityColumn, in table: EntityTable, named name: String, joining scan: inout TableScan
    ) -> [RowCondition] {
        switch column.role {
        case .toOne(let key):
            guard let relationship = model.relationship(key) else { return [] }
            return toOne(relationship, column, table, name, &scan)
        case .unidirectional(let key):
            guard let relationship = model.relationship(key) else { return [] }
            return unidirectional(relationship, column, table, name, &scan)
        default: return []
        }
    }

    /// A key column of a table, its destination, and the columns that belong to it.
    private struct Key {
        let subject: String
        /// The SQL condition for the rows that have it, followed by `AND`.
        let rows: String
        /// The SQL of the column.
        let value: String
        /// The slot of the destination entity.
        let destination: Int
        let entityColumn: String?
        let orderColumn: String?
        /// The quoted names of all three columns, the key first.
        let columns: [String]

        /// The repair that removes the link, with its order key.
        var nullified: RowRepair { .set(columns.map { ($0, "NULL") }) }
    }

    private func toOne(
        _ relationship: ResolvedRelationship, _ column: EntityColumn, _ table: EntityTable, _ name: String,
        _ scan: inout TableScan
    ) -> [RowCondition] {
        let key = key(
            of: relationship, in: relationship.owner, to: relationship.destination, name, column,
            layout.column(.toOneEntity(relationship.key)), layout.column(.toOneOrder(relationship.key)))
        var result: [RowCondition] = []
        if !relationship.isOptional {
            result.append(
                RowCondition(
                    rule: .missingRelationship, subject: key.subject, condition: "\(key.rows)\(key.value) IS NULL"))
        }
        let (checks, alias) = destinationChecks(key, &scan)
        result += checks
        if let alias, let inverse = relationship.inverse, !inverse.isToMany, !inverse.isTransient,
            let back = layout.column(.toOne(inverse.key))
        {
            let column = "\(alias).\(SQLiteIdentifier.quoted(back.name))"
            result.append(
                RowCondition(
                    rule: .oneSidedInverse, subject: key.subject,
                    condition: "\(key.rows)\(alias).Z_PK IS NOT NULL AND \(column) IS NOT \(name).Z_PK",
                    repair: key.nullified))
        }
        return result
    }

    private func unidirectional(
        _ relationship: ResolvedRelationship, _ column: EntityColumn, _ table: EntityTable, _ name: String,
        _ scan: inout TableScan
    ) -> [RowCondition] {
        let key = key(
            of: relationship, in: relationship.destination, to: relationship.owner, name, column,
            layout.column(.unidirectionalEntity(relationship.key)),
            layout.column(.unidirectionalOrder(relationship.key)))
        return destinationChecks(key, &scan).checks
    }

    /// Returns a key column of one entity for objects of another, in the table with this name.
    private func key(
        of relationship: ResolvedRelationship, in holder: Int, to destination: Int, _ name: String,
        _ column: EntityColumn, _ entityColumn: EntityColumn?, _ orderColumn: EntityColumn?
    ) -> Key {
        Key(
            subject: "\(model.entities[relationship.owner].name).\(relationship.name)",
            rows: content.condition(holder, name), value: quoted(column, name) ?? "", destination: destination,
            entityColumn: quoted(entityColumn, name), orderColumn: quoted(orderColumn, name),
            columns: [column, entityColumn, orderColumn].compactMap { $0.map { SQLiteIdentifier.quoted($0.name) } })
    }

    private func quoted(_ column: EntityColumn?, _ table: String) -> String? {
        column.map { "\(table).\(SQLiteIdentifier.quoted($0.name))" }
    }

    /// Returns the checks, and the alias of the destination's row; nil if its table cannot be read.
    private func destinationChecks(_ key: Key, _ scan: inout TableScan) -> (checks: [RowCondition], alias: String?) {
        var result: [RowCondition] = []
        if let order = key.orderColumn {
            result.append(
                RowCondition(
                    rule: .orderKeys, subject: key.subject, detail: "missing",
                    condition: "\(key.rows)\(key.value) IS NOT NULL AND \(order) IS NULL"))
        }
        guard let target = layout.table(ofEntity: key.destination), content.isPlain(target) else {
            return (result, nil)
        }
        let alias = scan.join(target.name, key: key.value)
        result.append(
            RowCondition(
                rule: .danglingReference, subject: key.subject,
                condition: "\(key.rows)\(key.value) IS NOT NULL AND \(alias).Z_PK IS NULL", repair: key.nullified))
        if target.root != key.destination {
            result.append(
                RowCondition(
                    rule: .wrongDestination, subject: key.subject,
                    condition: "\(key.rows)\(alias).Z_ENT NOT IN (\(content.numbers(ofSubtree: key.destination)))",
                    repair: key.nullified))
        }
        if let entity = key.entityColumn {
            result.append(
                RowCondition(
                    rule: .entityColumnWrong, subject: key.subject,
                    condition: "\(key.rows)\(alias).Z_PK IS NOT NULL AND \(entity) IS NOT \(alias).Z_ENT",
                    repair: .set(
                        key.columns.count > 1 ? key.columns[1] : "",
                        "(SELECT d.Z_ENT FROM \(SQLiteIdentifier.quoted(target.name)) d WHERE d.Z_PK = \(key.value))")))
        }
        return (result, alias)
    }
}
