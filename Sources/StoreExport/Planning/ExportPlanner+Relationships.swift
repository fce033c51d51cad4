import ImportMappings
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import RecordConversion
import StoreFetching

extension ExportPlanner {
    // MARK: Relationships

    mutating func add(
        _ mapped: RelationshipMapping, of object: RecordObject, _ outer: ConversionSettings, _ source: SourceMapping,
        to columns: inout ColumnList
    ) throws {
        let entity = object.entity
        let place = "\(source.name): \(entity.name).\(mapped.relationship)"
        guard let relationship = entity.relationship(named: mapped.relationship), relationship.isStored else {
            return problems.append(ExportProblem(place, "the store has no such relationship"))
        }
        // Objects in the record have columns of their own, or are its parts.
        guard case .key(let target) = mapped.target else { return }
        let isPair = mapped.adds && relationship.isToMany
        if isPair, !object.path.isEmpty || object.isRelated {
            return problems.append(
                ExportProblem(place, "each record adds an object to one that is not the record's own"))
        }
        guard target.parts.count == 1 || !relationship.isToMany || isPair else {
            return problems.append(ExportProblem(place, "a list of keys of several parts is not written"))
        }
        guard !relationship.isToMany || (object.path.isEmpty && !object.isRelated) else {
            return problems.append(ExportProblem(place, "a list of an object beside the record's own is not written"))
        }
        let slot = target.entity.flatMap { model.slot(named: $0) } ?? relationship.destination
        for part in target.parts {
            guard let name = part.attribute ?? mapping.keyAttribute(of: model.entities[slot], in: model) else {
                return problems.append(ExportProblem(place, "the objects that it leads to have no key"))
            }
            guard let names = columnNames(part.value, at: place) else { return }
            let attribute = self.attribute(name, of: model.entities[slot])
            guard let attribute else {
                return problems.append(
                    ExportProblem(place, "\(name) is not a stored attribute of \(model.entities[slot].name)"))
            }
            let settings = part.conversion.inheriting(outer)
            guard let written = style(settings, of: attribute, isKey: true, at: place) else { return }
            if isThorough {
                try checkKey(name, of: relationship, entity, at: place)
                let isUnquoted = columns.format == .xml || (columns.format == .csv && relationship.isToMany && !isPair)
                if isUnquoted, attribute.type == .string {
                    try checkKey(name, isNoneOf: Self.nullTokens(settings), of: relationship, entity, at: place)
                }
            }
            if !isPair, let separator = target.separator, relationship.isToMany { columns.join(by: separator) }
            let isList = relationship.isToMany && !isPair
            var content = isPair ? .related(.keyPath(name)) : object.content("\(relationship.name).\(name)")
            if let text = written.text {
                guard !isList else {
                    return problems.append(ExportProblem(place, "a list of such keys is not written; use iso8601"))
                }
                content = .computed(ComputedText(of: [content], text.body))
            }
            let form = written.text == nil ? ValueForm(attribute.description) : .text
            columns.add(
                firstOf: names, content, written.style, form: form, isList: isList && columns.format != .csv)
        }
        if isPair, let order = mapped.order { columns.add(order, .position, form: .integer) }
        if relationship.isToMany, !isPair, target.separator == nil, columns.format == .csv {
            problems.append(ExportProblem(place, "a field holds one key without a separator; give it one"))
        }
    }

    /// Returns the column for the key; the other columns stay empty.
    private mutating func columnNames(_ origin: ValueOrigin, at place: String) -> [String]? {
        switch origin {
        case .column(let name): return [name]
        case .firstOf(let names) where !names.isEmpty: return names
        case .firstOf: return nil
        case .constant: problems.append(ExportProblem(place, "its key is a constant, whatever the object has"))
        case .template, .expression:
            problems.append(ExportProblem(place, "its key is computed; take it from a column of its own"))
        }
        return nil
    }

    /// Returns an attribute, which may be reached over to-one relationships.
    private func attribute(_ path: String, of entity: ResolvedEntity) -> ResolvedAttribute? {
        var entity = entity
        var rest = path[...]
        while true {
            if let attribute = entity.attribute(named: String(rest)) { return attribute.isStored ? attribute : nil }
            guard let dot = rest.firstIndex(of: "."), let next = entity.relationship(named: String(rest[..<dot])),
                !next.isToMany
            else { return nil }
            entity = model.entities[next.destination]
            rest = rest[rest.index(after: dot)...]
        }
    }

    /// Returns the number of objects that are related to one whose key satisfies a condition of a predicate.
    private func number(
        of entity: ResolvedEntity, with relationship: ResolvedRelationship, toKey name: String, _ condition: String
    ) throws -> Int64 {
        let path = Self.path(relationship.name)
        return try number(
            of: entity,
            where: relationship.isToMany
                ? "SUBQUERY(\(path), $d, \(Self.path(name, on: .variable("d"))) \(condition)).@count > 0"
                : "\(path) != NULL AND \(Self.path(relationship.name + "." + name)) \(condition)")
    }

    /// Checks for unquoted keys that the import would read as NULL, so that they would not be found.
    private mutating func checkKey(
        _ name: String, isNoneOf tokens: [String], of relationship: ResolvedRelationship, _ entity: ResolvedEntity,
        at place: String
    ) throws {
        for token in tokens {
            let count = try number(
                of: entity, with: relationship, toKey: name, "== " + Expression.constant(.string(token)).format)
            guard count > 0 else { continue }
            problems.append(
                ExportProblem(
                    place,
                    "\(Quantity.count(Int64(count), "object")) related to objects whose key \(name) is "
                        + "\(token.debugDescription), which means NULL in the mapping (set nullTokens: [])"))
        }
    }

    /// Checks for objects whose key is NULL, which would not be found.
    private mutating func checkKey(
        _ name: String, of relationship: ResolvedRelationship, _ entity: ResolvedEntity, at place: String
    ) throws {
        let count = try number(of: entity, with: relationship, toKey: name, "= NULL")
        guard count > 0 else { return }
        problems.append(
            ExportProblem(
                place, "\(Quantity.count(Int64(count), "object")) related to objects whose key \(name) is NULL"))
    }
}
