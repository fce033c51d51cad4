import ImportMappings
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching

extension ExportPlanner {
    /// Checks for objects of the mapping that no part contains, and that would be left out silently.
    mutating func checkUnplaced(_ source: SourceMapping, placed: [ExportPart], whole: Int) {
        func count(_ parts: [ExportPart]) -> Int { parts.reduce(0) { $0 + 1 + count($1.parts) } }
        guard problems.isEmpty, count(placed) + whole != source.objects.count else { return }
        problems.append(
            ExportProblem(
                source.name,
                "one record makes several objects, and not every one lies in that which a relationship leads "
                    + "from"))
    }

    /// Checks for objects that the parts could not import again: objects of other entities, shared objects without a
    /// key, and objects without an owner.
    mutating func checkPart(
        _ object: ObjectMapping, _ destination: ResolvedEntity, _ relationship: ResolvedRelationship,
        _ entity: ResolvedEntity, at place: String
    ) throws {
        var lost: Int64 = 0
        for slot in model.entities[relationship.destination].subtree
        where slot != destination.slot && !model.entities[slot].isAbstract {
            lost += try related(relationship, of: entity, in: model.entities[slot])
        }
        if lost > 0 {
            problems.append(ExportProblem(place, "\(lost) of its objects are not of the entity \(destination.name)"))
        }
        guard let inverse = relationship.inverse else { return }
        if !isKeyed(object, destination), inverse.isToMany {
            let shared = try number(of: destination, where: "\(Self.path(inverse.name)).@count > 1")
            if shared > 0 {
                problems.append(
                    ExportProblem(
                        place,
                        "\(Quantity.count(Int64(shared), "object")) with several owners and no key: each owner would get "
                            + "its own"))
            }
        }
        // Objects that another source creates are in the records of that source.
        guard
            !mapping.sources.flatMap(\.objects).contains(where: { other in
                other != object && other.entity == destination.name && other.records == nil
                    && other.onMissing == .create
            })
        else { return }
        let owners = Self.path(inverse.name)
        let alone = try number(of: destination, where: inverse.isToMany ? "\(owners).@count = 0" : "\(owners) = NULL")
        if alone > 0 {
            notes.append(
                ExportProblem(
                    place,
                    "\(Quantity.count(Int64(alone), "object")) of \(destination.name) not in a record, and not exported"
                ))
        }
    }

    /// Returns whether the import finds the objects by a key, so that they may be in several records.
    func isKeyed(_ object: ObjectMapping, _ entity: ResolvedEntity) -> Bool {
        let mapped = Set(object.attributes.map(\.attribute))
        return !object.key.isEmpty
            || model.uniquenessConstraints(of: entity.slot).contains { $0.properties.allSatisfy(mapped.contains) }
    }

    /// Returns the number of an entity's objects to which a relationship from objects of another entity leads.
    private func related(
        _ relationship: ResolvedRelationship, of entity: ResolvedEntity, in kind: ResolvedEntity
    ) throws -> Int64 {
        guard let inverse = relationship.inverse else { return try number(of: kind, where: "TRUEPREDICATE") }
        let owners = Self.path(inverse.name)
        return try number(of: kind, where: inverse.isToMany ? "\(owners).@count > 0" : "\(owners) != NULL")
    }

    /// Returns the number of an entity's objects, without its subentities, that satisfy a predicate.
    func number(of entity: ResolvedEntity, where question: String) throws -> Int64 {
        var request = FetchRequest(entityName: entity.name, predicate: try Predicate(format: question))
        request.includesSubentities = false
        request.resultType = .count
        let plan = try FetchCompiler.plan(request, layout: layout, storeUUID: "", now: 0)
        let cursor = try FetchCursor(plan, store: store, layout: layout)
        return try cursor.next() ? cursor.statement.integer(0) : 0
    }

    /// Returns a key path in the syntax of predicates, in which reserved words are marked.
    static func path(_ path: String, on start: Expression = .evaluatedObject) -> String {
        Expression.keyPath(path, on: start).format
    }
}
