import ManagedObjectModels
import PersistentStores

extension ProgramBuilder {
    /// Returns the steps that compute derived attributes for all rows if their values may have changed, and then create
    /// the triggers.
    func derivedSteps() -> [MigrationStep] {
        let triggers = DerivedAttributeTriggers(layout: destination)
        var steps: [MigrationStep] = []
        for entity in destination.model.entities {
            for attribute in entity.declaredAttributes where attribute.isDerived {
                guard let sql = triggers.recomputations[attribute.key],
                    !transfer.keptDerivations.contains(attribute.key)
                else { continue }
                steps.append(
                    MigrationStep(
                        phase: .derivedAttributes, table: destination.table(ofEntity: entity.slot)?.name ?? "",
                        summary: "compute \(entity.name).\(attribute.name)", work: .statement(sql)))
            }
        }
        return steps
            + triggers.statements.map {
                MigrationStep(
                    phase: .derivedAttributes, table: "", summary: "trigger of a derived attribute",
                    work: .statement($0))
            }
    }
}
