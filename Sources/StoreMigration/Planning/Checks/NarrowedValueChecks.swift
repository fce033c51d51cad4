import ManagedObjectModels
import MappingModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// Numbers that become others by `NumberNarrowing.round`, the only values that an inferred migration computes: those that
/// the new model forbids are looked for before anything is written.
struct NarrowedValueChecks {
    let store: SQLiteStore
    let builder: TransferBuilder
    let invalidObjects: InvalidObjectPolicy

    func findings() throws(SQLiteError) -> [MigrationFinding] {
        guard builder.narrowing == .round else { return [] }
        let tests = try ValueTests(store.connection)
        var result: [MigrationFinding] = []
        for entity in builder.destinationModel.entities where !entity.isAbstract {
            guard let slot = builder.correspondence.sourceSlot[entity.slot],
                let table = builder.source.table(ofEntity: slot)
            else { continue }
            let rows =
                "FROM \(builder.naming.name(table.name)) s WHERE s.Z_ENT = \(builder.source.entityNumbers[slot])"
            for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
                guard let conversion = conversion(of: attribute, in: entity.slot), let value = conversion.value else {
                    continue
                }
                let subject = "\(entity.name).\(attribute.name)"
                for rule in AttributeRules(attribute).conditions(on: "(\(value))", tests, subject: subject) {
                    result += try findings(
                        rule, value, "\(rows) AND NOT \(conversion.fits) AND (\(rule.sql))", subject,
                        builder.sourceModel.entities[slot].name)
                }
            }
        }
        return result
    }

    /// How the numbers of an attribute are narrowed; nil if they are not.
    private func conversion(of attribute: ResolvedAttribute, in slot: Int) -> NumberConversion? {
        guard let old = builder.correspondence.sourceAttribute(for: attribute.name, in: slot), old.isStored,
            AttributeType.mayNarrow(from: old.type, to: attribute.type),
            let column = builder.source.column(.attribute(old.key))
        else { return nil }
        return NumberConversion(
            from: old.type, to: attribute.type, column: "s.\(SQLiteIdentifier.bare(column.name))", builder.narrowing)
    }

    private func findings(
        _ rule: RuleCondition, _ value: String, _ rows: String, _ subject: String, _ entity: String
    ) throws(SQLiteError) -> [MigrationFinding] {
        let objects = try store.concernedObjects(rows, ofEntity: entity)
        let values = try store.connection.rows(
            "SELECT \(value) \(rows) ORDER BY s.Z_PK LIMIT \(ConcernedObjects.exampleCount)")
        let tally = InvalidObjects(
            count: objects.count, examples: objects.examples, values: values.map { $0[0].literal })
        return ValidationProgram(origins: [], policy: invalidObjects, looksForMissingValues: false)
            .findings(tally, subject: subject, fault: rule.fault, detail: rule.detail)
    }
}
