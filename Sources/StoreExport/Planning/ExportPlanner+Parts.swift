import ImportMappings
import ManagedObjectModels
import RecordConversion
import StoreFetching

extension ExportPlanner {
    // MARK: Objects inside the record

    /// An object in the parts of its owner's record, and the relationship that leads to it.
    private struct Contained {
        let object: ObjectMapping
        let entity: ResolvedEntity
        let records: String
        let relationship: ResolvedRelationship
        let place: String
    }

    /// Returns the parts of an object's record with related objects. Objects in the same record get columns instead.
    ///
    /// - Parameter enclosing: the IDs of the objects in whose parts the owner is.
    mutating func parts(
        of owner: ObjectMapping, _ entity: ResolvedEntity, in enclosing: [String] = [], _ settings: ConversionSettings,
        _ source: SourceMapping, to columns: inout ColumnList
    ) throws -> [ExportPart] {
        var result: [ExportPart] = []
        for contained in contents(of: owner, entity, in: enclosing, source) {
            guard let path = path(of: contained, beside: result, columns) else { continue }
            let (object, destination) = (contained.object, contained.entity)
            if isThorough { try checkPart(object, destination, contained.relationship, entity, at: contained.place) }
            place(object, destination, contained.relationship, at: contained.place)
            var inner = ColumnList(format: columns.format)
            let own = RecordObject(mapping: object, entity: destination)
            for attribute in object.attributes { try add(attribute, of: own, settings, source, to: &inner) }
            for link in object.relationships { try add(link, of: own, settings, source, to: &inner) }
            let parts = try parts(
                of: object, destination, in: enclosing + (owner.id.map { [$0] } ?? []), settings, source, to: &inner)
            resolveDeferred(in: &inner)
            if let filter = object.filter { add(filter, at: contained.place, to: &inner) }
            if isThorough { note(missingFrom: object, destination, source) }
            problems += inner.problems.map { ExportProblem(contained.place, $0) }
            result.append(
                ExportPart(
                    path: path, owner: entity.name, relationship: contained.relationship.name,
                    entity: destination.name, columns: ColumnList.grouped(inner.columns), parts: parts,
                    trial: trial(of: [own], filter: object.filter, settings, inner)))
        }
        return result
    }

    /// Returns the contents of an owner's record, according to the relationships of either side.
    private mutating func contents(
        of owner: ObjectMapping, _ entity: ResolvedEntity, in enclosing: [String], _ source: SourceMapping
    ) -> [Contained] {
        var result: [Contained] = []
        for mapped in owner.relationships {
            guard case .object(let id) = mapped.target, !enclosing.contains(id) else { continue }
            let place = "\(source.name): \(entity.name).\(mapped.relationship)"
            guard let object = source.objects.first(where: { $0.id == id }), Self.lies(object, in: owner),
                let relationship = entity.relationship(named: mapped.relationship),
                let destination = model.entity(named: object.entity), !destination.isAbstract
            else {
                problems.append(ExportProblem(place, "its objects lie in another part of the record than its own"))
                continue
            }
            // Objects of the complete record have columns in it.
            guard let records = object.records else { continue }
            result.append(
                Contained(
                    object: object, entity: destination, records: records, relationship: relationship, place: place))
        }
        for object in source.objects where Self.lies(object, in: owner) {
            guard !result.contains(where: { $0.object == object }), let records = object.records,
                let destination = model.entity(named: object.entity),
                let relationship = inverse(from: object, destination, to: owner, entity)
            else { continue }
            result.append(
                Contained(
                    object: object, entity: destination, records: records, relationship: relationship,
                    place: "\(source.name): \(entity.name).\(relationship.name)"))
        }
        return result
    }

    private static func lies(_ object: ObjectMapping, in owner: ObjectMapping) -> Bool {
        let isWhole = owner.records == nil && owner.parent == nil
        return object.parent == nil ? isWhole : object.parent == owner.id
    }

    /// Returns the owner's relationship to an object whose mapping specifies only the inverse.
    private func inverse(
        from object: ObjectMapping, _ destination: ResolvedEntity, to owner: ObjectMapping, _ entity: ResolvedEntity
    ) -> ResolvedRelationship? {
        guard let id = owner.id, !destination.isAbstract,
            let mapped = object.relationships.first(where: { $0.target == .object(id) }),
            let inverse = destination.relationship(named: mapped.relationship)?.inverse
        else { return nil }
        return entity.relationship(named: inverse.name).flatMap { $0.isStored ? $0 : nil }
    }

    /// Returns the place of the objects in the owner's record; nil if they cannot be written, with a problem added.
    private mutating func path(
        of contained: Contained, beside parts: [ExportPart], _ columns: ColumnList
    ) -> RecordPartPath? {
        let records = contained.records
        var reason: String?
        let path = RecordPartPath(records)
        if columns.format == .csv {
            reason = "records of CSV have no parts such as \(records); take json or xml as --format"
        } else if path == nil {
            reason = "parts at \(records) are some of several, and the others are not known"
        } else if let path, path.isList != contained.relationship.isToMany {
            reason =
                path.isList
                ? "\(records) is a list, and the relationship leads to one object"
                : "\(records) is one part, and the relationship leads to several objects"
        } else if let path,
            parts.contains(where: { $0.path.first == path.first })
                || columns.columns.contains(where: { $0.path.first == .name(path.first) })
        {
            reason = "\(path.first) holds more than these objects"
        }
        guard let reason else { return path }
        problems.append(ExportProblem(contained.place, reason))
        return nil
    }
}
