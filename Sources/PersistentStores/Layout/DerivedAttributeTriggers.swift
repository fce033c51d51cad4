import ManagedObjectModels
import SQLiteAccess

/// The triggers that keep derived attributes up to date, and the SQL that recomputes their values
/// (docs/format/sqlite-store.md#derived-attributes).
public struct DerivedAttributeTriggers: Sendable {
    /// The CREATE TRIGGER statements.
    public private(set) var statements: [String] = []

    /// UPDATE statements that fill the attributes of all rows, by attribute.
    public private(set) var recomputations: [PropertyKey: String] = [:]

    /// The SQL of the computed values, over a row of the attribute's table under its own name.
    public private(set) var values: [PropertyKey: String] = [:]

    /// Derived attributes whose derivation has no known trigger form, as `Entity.attribute: derivation`.
    public private(set) var unsupported: [String] = []

    /// The attributes whose derivation has no known trigger form.
    public private(set) var unsupportedKeys: Set<PropertyKey> = []

    /// The names of the triggers.
    public private(set) var triggerNames: Set<String> = []

    /// Returns whether the attribute is a derived one whose trigger is not known.
    func isUnsupported(_ attribute: ResolvedAttribute) -> Bool { unsupportedKeys.contains(attribute.key) }

    /// The SQL functions that the triggers call; a writer must register them, or its statements fail.
    public static let functionNames: [(name: String, argumentCount: Int32)] = [
        ("NSCoreDataDATriggerUpdatedAffectedObjectValue", 5),
        ("NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", 5),
        ("NSCoreDataTriggerUpdateAffectedObjectValue", 5),
        ("NSCoreDataNow", 0),
    ]

    /// Makes the triggers of all derived attributes of a model.
    public init(layout: StoreLayout) {
        for entity in layout.model.entities {
            for attribute in entity.declaredAttributes where attribute.isDerived && attribute.isStored {
                add(attribute, of: entity, layout: layout)
            }
        }
    }

    private mutating func add(_ attribute: ResolvedAttribute, of entity: ResolvedEntity, layout: StoreLayout) {
        guard let derivation = attribute.description.derivation, let table = layout.table(ofEntity: entity.slot)?.name,
            let column = layout.column(.attribute(attribute.key))?.name
        else { return }
        let target = Target(
            tableName: table, columnName: column, entity: entity.name, attribute: attribute.name, key: attribute.key)
        if derivation == .now {
            addNow(target)
        } else if case .count(let names) = derivation, names.count == 1,
            let relationship = entity.relationship(named: names[0]), relationship.storage == .inverseToOne,
            let inverse = relationship.inverse,
            let parameter = layout.table(ofEntity: relationship.destination)?.name,
            let key = layout.column(.toOne(inverse.key))?.name
        {
            addCount(target, parameterName: parameter, key: SQLiteIdentifier.bare(key))
        } else if case .path(let names) = derivation, names.count == 2,
            let relationship = entity.relationship(named: names[0]), !relationship.isToMany,
            let value = layout.model.entities[relationship.destination].attribute(named: names[1]),
            let key = layout.column(.toOne(relationship.key))?.name,
            let parameter = layout.table(ofEntity: relationship.destination)?.name,
            let parameterColumn = layout.column(.attribute(value.key))?.name
        {
            addKeyPath(
                target, key: SQLiteIdentifier.bare(key), parameterName: parameter,
                parameterColumn: SQLiteIdentifier.bare(parameterColumn))
        } else {
            let text = attribute.description.derivationExpression ?? ""
            unsupported.append("\(entity.name).\(attribute.name): \(text)")
            unsupportedKeys.insert(attribute.key)
        }
    }

    private struct Target {
        let tableName: String
        let columnName: String
        let entity: String
        let attribute: String
        let key: PropertyKey

        /// The name of the table, as written in statements.
        var table: String { SQLiteIdentifier.bare(tableName) }
        var column: String { SQLiteIdentifier.bare(columnName) }

        /// Returns the call that notifies Core Data that it has to refresh an object.
        func announcement(_ function: String, where condition: String) -> String {
            "SELECT \(function)(\(SQLiteValue.string(tableName).literal), Z_ENT, Z_PK, "
                + "\(SQLiteValue.string(attribute).literal), \(column)) FROM \(table) WHERE \(condition);"
        }

        func updated(_ condition: String) -> String {
            announcement("NSCoreDataDATriggerUpdatedAffectedObjectValue", where: condition)
        }

        func inserted(_ condition: String) -> String {
            announcement("NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", where: condition)
        }

        /// Returns the name of a trigger, as written in statements.
        func name(_ table: String, _ event: String) -> String { SQLiteIdentifier.bare(plainName(table, event)) }

        func plainName(_ table: String, _ event: String) -> String { "Z_DA_\(table)_\(entity)_\(attribute)_\(event)" }
    }

    private mutating func note(_ target: Target, _ table: String, _ events: String...) {
        triggerNames.formUnion(events.map { target.plainName(table, $0) })
    }

    private mutating func addNow(_ target: Target) {
        note(target, target.tableName, "INSERT", "UPDATE")
        let update = "UPDATE \(target.table) SET \(target.column) = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK;"
        statements += [
            "CREATE TRIGGER \(target.name(target.tableName, "INSERT")) AFTER INSERT ON \(target.table) FOR EACH ROW "
                + "WHEN (NEW.Z_OPT NOT NULL) BEGIN \(update) \(target.inserted("Z_PK = NEW.Z_PK")) END",
            "CREATE TRIGGER \(target.name(target.tableName, "UPDATE")) AFTER UPDATE OF Z_OPT ON \(target.table) FOR "
                + "EACH ROW BEGIN \(update) \(target.updated("Z_PK = NEW.Z_PK")) END",
        ]
    }

    private mutating func addCount(_ target: Target, parameterName: String, key: String) {
        note(
            target, parameterName, "PARAMETER_INSERT", "PARAMETER_UPDATE_INCREMENT", "PARAMETER_UPDATE_DECREMENT",
            "PARAMETER_DELETE")
        note(target, target.tableName, "SOURCE_INSERT")
        let (table, column) = (target.table, target.column)
        let parameter = SQLiteIdentifier.bare(parameterName)
        func change(_ value: String, _ row: String) -> String {
            "UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = \(row).\(key); "
                + target.updated("Z_PK = \(row).\(key)")
        }
        func trigger(_ event: String, _ when: String, _ row: String, _ value: String) -> String {
            "CREATE TRIGGER \(target.name(parameterName, "PARAMETER_" + event)) AFTER \(when) ON \(parameter) FOR "
                + "EACH ROW WHEN (\(row).\(key) NOT NULL) BEGIN \(change(value, row)) END"
        }
        let count = "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(parameter) WHERE \(key) = NEW.Z_PK)"
        statements += [
            trigger("INSERT", "INSERT", "NEW", "IFNULL(\(column), 0) + 1"),
            trigger("UPDATE_INCREMENT", "UPDATE OF \(key)", "NEW", "\(column) + 1"),
            trigger("UPDATE_DECREMENT", "UPDATE OF \(key)", "OLD", "\(column) - 1"),
            trigger("DELETE", "DELETE", "OLD", "\(column) - 1"),
            "CREATE TRIGGER \(target.name(target.tableName, "SOURCE_INSERT")) AFTER INSERT ON \(table) FOR EACH ROW "
                + "BEGIN UPDATE \(table) SET \(column) = \(count) WHERE Z_PK = NEW.Z_PK; "
                + "\(target.inserted("Z_PK = NEW.Z_PK")) END",
        ]
        compute(target, "(SELECT count(*) FROM \(parameter) p WHERE p.\(key) = \(table).Z_PK)")
    }

    private mutating func addKeyPath(_ target: Target, key: String, parameterName: String, parameterColumn: String) {
        note(target, target.tableName, "SOURCE_INSERT", "SOURCE_UPDATE")
        note(target, parameterName, "PARAMETER_INSERT", "PARAMETER_UPDATE")
        let (table, column) = (target.table, target.column)
        let parameter = SQLiteIdentifier.bare(parameterName)
        let value = "(SELECT \(parameterColumn) FROM \(parameter) WHERE Z_PK = NEW.\(key))"
        let update = "UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = NEW.Z_PK;"
        let copy = "UPDATE \(table) SET \(column) = NEW.\(parameterColumn) WHERE \(key) = NEW.Z_PK;"
        statements += [
            "CREATE TRIGGER \(target.name(target.tableName, "SOURCE_INSERT")) AFTER INSERT ON \(table) FOR EACH ROW "
                + "BEGIN \(update) \(target.inserted("Z_PK = NEW.Z_PK")) END",
            "CREATE TRIGGER \(target.name(target.tableName, "SOURCE_UPDATE")) AFTER UPDATE OF \(key) ON \(table) FOR "
                + "EACH ROW BEGIN \(update) \(target.updated("Z_PK = NEW.Z_PK")) END",
            "CREATE TRIGGER \(target.name(parameterName, "PARAMETER_INSERT")) AFTER INSERT ON \(parameter) FOR EACH "
                + "ROW BEGIN \(copy) \(target.inserted("\(key) = NEW.Z_PK")) END",
            "CREATE TRIGGER \(target.name(parameterName, "PARAMETER_UPDATE")) AFTER UPDATE OF \(parameterColumn) ON "
                + "\(parameter) FOR EACH ROW BEGIN \(copy) \(target.updated("\(key) = NEW.Z_PK")) END",
        ]
        compute(target, "(SELECT p.\(parameterColumn) FROM \(parameter) p WHERE p.Z_PK = \(table).\(key))")
    }

    private mutating func compute(_ target: Target, _ value: String) {
        values[target.key] = value
        recomputations[target.key] = "UPDATE \(target.table) SET \(target.column) = \(value)"
    }
}
