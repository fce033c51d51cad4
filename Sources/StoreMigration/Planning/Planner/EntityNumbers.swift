import ManagedObjectModels
import MappingModels
import PersistentStores

/// Whether what names entities by number outside their tables still means the same after a migration.
struct EntityNumbers {
    let correspondence: ModelCorrespondence
    let source: StoreLayout
    let destination: StoreLayout

    /// Whether every entity that goes on keeps its number, and no other entity gets the number of one that goes.
    var meanTheSame: Bool {
        let used = Set(destination.entityNumbers)
        return correspondence.source.entities.allSatisfy { entity in
            let number = source.entityNumbers[entity.slot]
            guard let target = correspondence.destinationSlot[entity.slot] else { return !used.contains(number) }
            return destination.entityNumbers[target] == number
        }
    }
}
