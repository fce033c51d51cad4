import ImportMappings
import ManagedObjectModels
import PersistentStores

extension ExportPlanner {
    /// Returns the objects of a complete record: first the object that has the record, then those that to-one
    /// relationships lead to. If no object has the record, returns a pair of objects and the to-many relationship
    /// between them.
    mutating func recordObjects(of source: SourceMapping) -> (objects: [RecordObject], unwound: String?)? {
        let whole = source.objects.filter { $0.records == nil && $0.parent == nil }
        guard !whole.isEmpty else {
            problems.append(ExportProblem(source.name, "no object stands for the whole record; put one first"))
            return nil
        }
        var objects: [RecordObject] = []
        for mapping in whole {
            guard let entity = model.entity(named: mapping.entity), !entity.isAbstract else {
                problems.append(
                    ExportProblem(source.name, "the model has no entity \(mapping.entity) that has objects"))
                return nil
            }
            objects.append(RecordObject(mapping: mapping, entity: entity))
        }
        for index in objects.indices {
            let found = reached(from: objects[index], in: objects)
            guard found.count == objects.count else { continue }
            for object in found.dropFirst() { checkRelated(object, source) }
            return (found, addedList(of: objects[index].mapping, source))
        }
        if let pair = pair(of: objects) {
            for object in pair.objects where object.relationship != nil { checkRelated(object, source) }
            return pair
        }
        problems.append(
            ExportProblem(
                source.name,
                "one record makes several objects, and no relationships lead from one of them to all "
                    + "others; map a to-one relationship between them"))
        return nil
    }

    /// Returns an object and those that to-one relationships lead to, as the mapping of either side specifies.
    private func reached(from start: RecordObject, in objects: [RecordObject]) -> [RecordObject] {
        var found = [start]
        var index = 0
        while index < found.count {
            let current = found[index]
            index += 1
            for candidate in objects {
                guard !found.contains(where: { $0.mapping == candidate.mapping }),
                    let relationship = toOne(from: current, to: candidate)
                else { continue }
                var next = candidate
                next.path = current.path + relationship.name + "."
                next.isRelated = current.isRelated
                (next.relationship, next.owner) = (relationship, current.entity)
                found.append(next)
            }
        }
        return found
    }

    private func toOne(from object: RecordObject, to other: RecordObject) -> ResolvedRelationship? {
        if let relationship = link(from: object, to: other), !relationship.isToMany { return relationship }
        guard let inverse = link(from: other, to: object)?.inverse,
            let relationship = object.entity.relationship(named: inverse.name), !relationship.isToMany
        else { return nil }
        return relationship
    }

    private func link(from object: RecordObject, to other: RecordObject) -> ResolvedRelationship? {
        guard let id = other.mapping.id else { return nil }
        let mapped = object.mapping.relationships.first { $0.target == .object(id) }
        return mapped.flatMap { object.entity.relationship(named: $0.relationship) }
    }

    /// Returns two objects of a record that have a to-many relationship in both directions, with a record for each
    /// pair.
    private func pair(of objects: [RecordObject]) -> (objects: [RecordObject], unwound: String?)? {
        for owner in objects {
            for other in objects {
                guard let relationship = link(from: owner, to: other), relationship.isToMany else { continue }
                let near = reached(from: owner, in: objects.filter { $0.mapping.id != other.mapping.id })
                var related = other
                related.isRelated = true
                (related.relationship, related.owner) = (relationship, owner.entity)
                let far = reached(
                    from: related, in: objects.filter { object in !near.contains { $0.mapping == object.mapping } })
                if near.count + far.count == objects.count { return (near + far, relationship.name) }
            }
        }
        return nil
    }

    /// Returns the relationship to which each record adds one object.
    private mutating func addedList(of object: ObjectMapping, _ source: SourceMapping) -> String? {
        let adding = object.relationships.filter { mapped in
            if case .key = mapped.target { mapped.adds } else { false }
        }
        if adding.count > 1 {
            let names = adding.map(\.relationship).joined(separator: " and ")
            problems.append(ExportProblem(source.name, "each record adds an object to \(names); map one of them"))
        }
        return adding.first?.relationship
    }

    /// Checks for related objects that records could not import again.
    private mutating func checkRelated(_ object: RecordObject, _ source: SourceMapping) {
        guard isThorough, let relationship = object.relationship, let owner = object.owner else { return }
        let place = "\(source.name): \(owner.name).\(relationship.name)"
        do {
            try checkPart(object.mapping, object.entity, relationship, owner, at: place)
            let missing =
                relationship.isToMany ? 0 : try number(of: owner, where: "\(Self.path(relationship.name)) = NULL")
            guard missing > 0, !Self.isLeftOut(object.mapping) else { return }
            problems.append(
                ExportProblem(
                    place,
                    "\(Quantity.count(Int64(missing), "object")) without one, for which the import would make one; give it "
                        + "a where with present: true"))
        } catch {
            problems.append(ExportProblem(place, "\(error)"))
        }
    }

    /// Returns whether a record without values creates no such object.
    private static func isLeftOut(_ object: ObjectMapping) -> Bool {
        func refusesNothing(_ filter: RecordFilter) -> Bool {
            switch filter {
            case .isPresent: true
            case .isIn(_, let texts): !texts.isEmpty
            case .all(let parts): parts.contains { refusesNothing($0) }
            case .any(let parts): parts.allSatisfy { refusesNothing($0) }
            case .not: false
            }
        }
        return object.filter.map { refusesNothing($0) } ?? false
    }
}
