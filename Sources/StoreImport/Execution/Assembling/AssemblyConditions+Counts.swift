import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import RecordSources
import SQLiteFileBuilder
import StoreAssembly

/// A relationship of an entity's objects whose number of links the model limits, and which can only be checked after
/// all objects have been added.
struct CountedRelationship {
    let slot: Int
    let relationship: ResolvedRelationship
    let rule: CountRule

    /// Returns whether a mapping sets the links, from either side.
    func isSaid(by object: CompiledObject) -> Bool {
        (object.toOnes + object.toManys).contains {
            [relationship.key, relationship.inverse?.key].contains($0.relationship.key)
        }
    }

    /// Returns whether records of a mapping may create objects by naming them, which may then have too few links.
    func mayBeMade(by object: CompiledObject) -> Bool {
        rule.minimum > 0
            && (object.toOnes + object.toManys).contains {
                if case .key(let target) = $0.target { target.makesMissing && target.slot == slot } else { false }
            }
    }
}

/// The numbers of links of objects in a store that is assembled.
extension AssemblyConditions {
    /// Returns the relationships whose links must be counted after all objects have been added, sorted by table.
    @_optimize(size)
    func findCountedRelationships() -> [CountedRelationship] {
        let objects = entities.map(\.object)
        let slots = Set(objects.filter { $0.onMissing == .create }.map(\.slot)).union(
            namedTargets.filter(\.isMade).map(\.slot))
        let roots = { [layout] (slot: Int) in layout.model.entities[slot].root }
        return slots.sorted { (roots($0), $0) < (roots($1), $1) }.flatMap { slot in
            layout.model.entities[slot].relationships.compactMap { relationship in
                guard let rule = CountRule(relationship), LinkPlace(relationship, layout: layout) != nil else {
                    return nil
                }
                let counted = CountedRelationship(slot: slot, relationship: relationship, rule: rule)
                let isBreakable = rule.fault(0) != nil || objects.contains(where: counted.isSaid)
                return isBreakable && !isProven(counted) ? counted : nil
            }
        }
    }

    /// Returns whether each record that creates an object also gives it the destination of the to-one relationship,
    /// which nothing can take away.
    private func isProven(_ counted: CountedRelationship) -> Bool {
        let relationship = counted.relationship
        guard !relationship.isToMany, relationship.inverse?.isToMany ?? true,
            !namedTargets.contains(where: { $0.isMade && $0.slot == counted.slot })
        else { return false }
        // A list of an owner may remove links that its objects set.
        let objects = entities.map(\.object)
        let isShared = objects.flatMap { $0.toOnes + $0.toManys }.contains { mapped in
            [relationship.key, relationship.inverse?.key].contains(mapped.relationship.key)
                && mapped.isShared(among: objects, in: layout)
        }
        guard !isShared else { return false }
        return sources.map(\.compiled).allSatisfy { source in
            source.objects.allSatisfy { object in
                guard object.slot == counted.slot, object.onMissing == .create else { return true }
                guard let toOne = object.toOnes.first(where: { $0.relationship.key == relationship.key }) else {
                    return isGiven(relationship, to: object, in: source)
                }
                // A record that lacks the field has no destination.
                guard case .object(let other) = toOne.target else { return !source.mayLackFields }
                guard source.objects[other].onMissing != .skip else { return false }
                return !source.objects[other].isPart || source.ancestors(of: object.index).contains(other)
            }
        }
    }

    /// Returns whether a part of a record gets the destination of its to-one relationship from the list of another
    /// object of the record.
    private func isGiven(_ relationship: ResolvedRelationship, to part: CompiledObject, in source: CompiledSource)
        -> Bool
    {
        !part.hasKey
            && source.objects.contains { object in
                object.onMatch != .skip && object.onMissing != .skip
                    && (!object.isPart || source.ancestors(of: part.index).contains(object.index))
                    && object.toManys.contains { list in
                        guard case .object(part.index) = list.target, demand(of: list) != nil else { return false }
                        return list.relationship.inverse?.key == relationship.key
                    }
            }
    }

    /// Returns whether a record of a source may be rejected, after all records have been read, because an object has
    /// too many links or too few.
    func mayBeMiscounted(_ source: CompiledSource) -> Bool {
        source.objects.contains { object in
            countedRelationships.contains { counted in
                counted.rule.minimum > 0 && object.slot == counted.slot || counted.isSaid(by: object)
                    || counted.mayBeMade(by: object)
            }
        }
    }
}
