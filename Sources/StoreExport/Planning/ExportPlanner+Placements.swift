import ImportMappings
import ManagedObjectModels
import PredicateExpressions

/// Objects that are inside the records of other objects.
struct ObjectPlacement {
    let entity: String
    let isKeyed: Bool
    /// The condition for those that are inside no record; nil if the model has no relationship back to the owners.
    let others: Predicate?
    /// The place in the mapping, such as `orders: Order.lines`.
    let place: String
}

extension ExportPlanner {
    mutating func place(
        _ object: ObjectMapping, _ entity: ResolvedEntity, _ relationship: ResolvedRelationship, at place: String
    ) {
        let others = relationship.inverse.flatMap { inverse in
            let owners = Self.path(inverse.name)
            return try? Predicate(format: inverse.isToMany ? "\(owners).@count = 0" : "\(owners) = NULL")
        }
        placements.append(
            ObjectPlacement(entity: entity.name, isKeyed: isKeyed(object, entity), others: others, place: place))
    }

    /// Removes from the records of an entity the objects that are in the records of others; without a key, the import
    /// would create them twice.
    mutating func separate(_ files: inout [ExportFile]) {
        let byEntity = Dictionary(grouping: placements, by: \.entity)
        for index in files.indices where !files[index].isAddition {
            for placement in byEntity[files[index].entity] ?? [] {
                if placement.isKeyed, files[index].isKeyed { continue }
                guard let others = placement.others else {
                    problems.append(
                        ExportProblem(
                            placement.place,
                            "\(placement.entity) has records of its own too, and without a key or an "
                                + "inverse relationship its objects would come twice; leave one out"))
                    continue
                }
                files[index].restrictions.append(others)
            }
        }
    }
}
