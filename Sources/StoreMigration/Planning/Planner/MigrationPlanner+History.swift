import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

extension MigrationPlanner {
    static func isHistory(_ record: EntityRecord) -> Bool {
        (16001...16003).contains(record.number)
    }

    func historyDecision(
        _ correspondence: ModelCorrespondence, _ old: StoreLayout, _ new: StoreLayout
    ) -> (isKept: Bool, findings: [MigrationFinding]) {
        guard store.schema.table(named: "ATRANSACTION") != nil else { return (false, []) }
        let newNumbers = Set(new.entityNumbers)
        let meansTheSame = source.model.entities.allSatisfy { entity in
            let number = old.entityNumbers[entity.slot]
            guard let target = correspondence.destinationSlot[entity.slot] else { return !newNumbers.contains(number) }
            return new.entityNumbers[target] == number
        }
        switch (options.history, meansTheSame) {
        case (.drop, _):
            return (false, [MigrationFinding(.note, "history-dropped", message: "persistent history is dropped, as asked")])
        case (_, true): return (true, [])
        case (.keep, false):
            return (
                true,
                [
                    MigrationFinding(
                        .error, "history-numbers-change", cocoaCode: 134301,
                        message: "persistent history names entities by number, and the numbers change; "
                            + "leave out --history keep to drop it")
                ]
            )
        case (.automatic, false):
            return (
                false,
                [
                    MigrationFinding(
                        .warning, "history-dropped", cocoaCode: 134301,
                        message: "persistent history names entities by number, and the numbers change: it is dropped, and "
                            + "readers of it must start anew")
                ]
            )
        }
    }
}
