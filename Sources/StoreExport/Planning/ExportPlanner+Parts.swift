import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching
import StoreImport

extension ExportPlanner {
    // MARK: Objects inside the record

    /// The parts of an object's record that hold related objects; those of the same record give it columns.
    mutating func parts(
        of owner: ObjectMapping, _ entity: ResolvedEntity, _ settings: ConversionSettings, _ source: SourceMapping,
        to columns: inout ColumnList
    ) throws -> [ExportPart] {
        var result: [ExportPart] = []
        for mapped in owner.relationships {
            guard case .object(let id) = mapped.target else { continue }
            let place = "\(source.name): \(entity.name).\(mapped.relationship)"
            guard let object = source.objects.first(where: { $0.id == id }),
                object.parent == owner.id || object.parent == nil,
                let relationship = entity.relationship(named: mapped.relationship),
                let destination = model.entity(named: object.entity), !destination.isAbstract
            else {
                problems.append(ExportProblem(place, "its objects lie in another part of the record than its own"))
                continue
            }
            // Objects of the whole record have columns in it.
            guard let records = object.records else { continue }
            guard let path = ColumnPath(records), path.names.count == 1, path.isList == relationship.isToMany,
                path.elementKey == nil, columns.format != .csv
            else {
                problems.append(ExportProblem(place, "parts at \(records) are not written"))
                continue
            }
            if isThorough { try checkPart(object, destination, relationship, entity, at: place) }
            var inner = ColumnList(format: columns.format)
            let own = RecordObject(mapping: object, entity: destination)
            for attribute in object.attributes { try add(attribute, of: own, settings, source, to: &inner) }
            for link in object.relationships { try add(link, of: own, settings, source, to: &inner) }
            let parts = try parts(of: object, destination, settings, source, to: &inner)
            resolveDeferred(in: &inner)
            if let filter = object.filter { add(filter, at: place, to: &inner) }
            if isThorough { note(missingFrom: object, destination, source) }
            problems += inner.problems.map { ExportProblem(place, $0) }
            result.append(
                ExportPart(
                    name: path.names[0], isList: path.isList, owner: entity.name, relationship: relationship.name,
                    entity: destination.name, columns: ColumnList.grouped(inner.columns),
                    parts: parts, trial: trial(of: [own], filter: object.filter, settings, inner)))
        }
        return result
    }

    /// Objects of the mapping that no part holds would be left out without a word.
    mutating func checkUnplaced(_ source: SourceMapping, placed: [ExportPart], whole: Int) {
        func count(_ parts: [ExportPart]) -> Int { parts.reduce(0) { $0 + 1 + count($1.parts) } }
        guard problems.isEmpty, count(placed) + whole != source.objects.count else { return }
        problems.append(
            ExportProblem(
                source.name,
                "one record makes several objects, and not every one lies in that which a relationship leads "
                    + "from"))
    }

    /// What the parts could not bring back: objects of other entities, shared ones without a key, and those of nobody.
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
        let mapped = Set(object.attributes.map(\.attribute))
        let hasKey =
            !object.key.isEmpty
            || ImportMapping.constraints(of: destination, in: model).contains { $0.allSatisfy(mapped.contains) }
        guard let inverse = relationship.inverse else { return }
        if !hasKey, inverse.isToMany {
            let shared = try number(of: destination, where: "\(Self.path(inverse.name)).@count > 1")
            if shared > 0 {
                problems.append(
                    ExportProblem(
                        place, "\(shared) objects have several owners and no key: each owner would get its own"))
            }
        }
        let owners = Self.path(inverse.name)
        let alone = try number(of: destination, where: inverse.isToMany ? "\(owners).@count = 0" : "\(owners) = NULL")
        if alone > 0 {
            notes.append(
                ExportProblem(place, "\(alone) objects of \(destination.name) are in no record: not exported"))
        }
    }

    /// How many objects of an entity a relationship leads to, from objects of another.
    private func related(
        _ relationship: ResolvedRelationship, of entity: ResolvedEntity, in kind: ResolvedEntity
    ) throws -> Int64 {
        guard let inverse = relationship.inverse else { return try number(of: kind, where: "TRUEPREDICATE") }
        let owners = Self.path(inverse.name)
        return try number(of: kind, where: inverse.isToMany ? "\(owners).@count > 0" : "\(owners) != NULL")
    }

    /// How many objects of an entity, without its heirs, satisfy a predicate.
    func number(of entity: ResolvedEntity, where question: String) throws -> Int64 {
        var request = FetchRequest(entityName: entity.name, predicate: try Predicate(format: question))
        request.includesSubentities = false
        request.resultType = .count
        let plan = try FetchCompiler.plan(request, layout: layout, storeUUID: "", now: 0)
        let cursor = try FetchCursor(plan, store: store, layout: layout)
        return try cursor.next() ? cursor.statement.integer(0) : 0
    }

    /// A key path as predicates have it: words of their language are marked.
    static func path(_ path: String, on start: Expression = .evaluatedObject) -> String {
        Expression.keyPath(path, on: start).format
    }
}
