import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import RecordSources
import SQLiteFileBuilder
import StoreAssembly

/// A relationship of an entity's objects that leads to as many others as the model says only when all are there.
struct CountedRelationship {
    let slot: Int
    let relationship: ResolvedRelationship
    let rule: CountRule

    /// Whether a mapping says its links, from either side.
    func isSaid(by object: CompiledObject) -> Bool {
        (object.toOnes + object.toManys).contains {
            [relationship.key, relationship.inverse?.key].contains($0.relationship.key)
        }
    }

    /// Whether records of a mapping may create objects, by naming them, that lead to too few others.
    func mayBeMade(by object: CompiledObject) -> Bool {
        rule.minimum > 0
            && (object.toOnes + object.toManys).contains {
                if case .key(let target) = $0.target { target.makesMissing && target.slot == slot } else { false }
            }
    }
}

/// How many objects relationships lead to, in a store that is assembled.
extension AssemblyConditions {
    /// What has to be counted when all objects are there, by table.
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

    /// Whether each record that makes an object has the destination of its to-one, which nothing can take away.
    private func isProven(_ counted: CountedRelationship) -> Bool {
        let relationship = counted.relationship
        guard !relationship.isToMany, relationship.inverse?.isToMany ?? true,
            !namedTargets.contains(where: { $0.isMade && $0.slot == counted.slot })
        else { return false }
        // A list of an owner may end what its objects say.
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
                // A record that does not mention it has none.
                guard case .object(let other) = toOne.target else { return !source.mayLackFields }
                return !source.objects[other].isPart || source.ancestors(of: object.index).contains(other)
            }
        }
    }

    /// Whether a part of a record gets the destination of its to-one with the list of another object of the record.
    private func isGiven(_ relationship: ResolvedRelationship, to part: CompiledObject, in source: CompiledSource)
        -> Bool
    {
        !part.hasKey
            && source.objects.contains { object in
                object.onMatch != .skip
                    && (!object.isPart || source.ancestors(of: part.index).contains(object.index))
                    && object.toManys.contains { list in
                        guard case .object(part.index) = list.target, demand(of: list) != nil else { return false }
                        return list.relationship.inverse?.key == relationship.key
                    }
            }
    }

    /// Whether a record of a source may turn out to be rejected because of how many objects others lead to.
    func mayBeMiscounted(_ source: CompiledSource) -> Bool {
        source.objects.contains { object in
            countedRelationships.contains { counted in
                counted.rule.minimum > 0 && object.slot == counted.slot || counted.isSaid(by: object)
                    || counted.mayBeMade(by: object)
            }
        }
    }
}
