import ManagedObjectModels
import MappingModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// Questions about numbers that `NumberNarrowing.round` changes, which are the only values that an inferred migration
/// computes. Numbers that the new model does not allow are found before anything is written.
struct NarrowedValueQuestions {
    let builder: TransferBuilder
    let invalidObjects: InvalidObjectPolicy

    /// - Parameter tests: the tests of the checks that ask the questions.
    func questions(_ tests: ValueTests) -> [DataQuestion] {
        guard builder.narrowing == .round else { return [] }
        var result: [DataQuestion] = []
        for entity in builder.destinationModel.entities where !entity.isAbstract {
            guard let rows = builder.correspondence.sourceSlot[entity.slot].flatMap(builder.rows) else { continue }
            for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
                guard let conversion = conversion(of: attribute, in: entity.slot), let value = conversion.value else {
                    continue
                }
                let subject = "\(entity.name).\(attribute.name)"
                result += AttributeRules(attribute).conditions(on: "(\(value))", tests, subject: subject).map { rule in
                    DataQuestion(
                        rows, where: "NOT \(conversion.fits) AND (\(rule.sql))", value: value,
                        invalidObjects.finding(of: rule.fault, rule.detail, subject: subject))
                }
            }
        }
        return result
    }

    /// Returns how the numbers of an attribute are narrowed; nil if they are not.
    private func conversion(of attribute: ResolvedAttribute, in slot: Int) -> NumberConversion? {
        guard let old = builder.correspondence.sourceAttribute(for: attribute.name, in: slot), old.isStored,
            AttributeType.mayNarrow(from: old.type, to: attribute.type),
            let column = builder.source.column(.attribute(old.key))
        else { return nil }
        return NumberConversion(
            from: old.type, to: attribute.type, column: "s.\(SQLiteIdentifier.bare(column.name))", builder.narrowing)
    }
}
