internal import DocumentReading
internal import ManagedObjectModels
import RecordConversion
import TextEncodings

extension ImportMappingReview {
    mutating func review(
        _ mapped: RelationshipMapping, of entity: ResolvedEntity, source: Int, inherited: ConversionSettings,
        at place: MappingPlace
    ) {
        let subject = "\(entity.name).\(mapped.relationship)"
        guard let relationship = entity.relationship(named: mapped.relationship) else {
            if entity.attribute(named: mapped.relationship) != nil {
                return report(.attributeAmongRelationships, subject, at: place)
            }
            let suggestion = NearestName.find(mapped.relationship, among: entity.relationships.map(\.name))
            return report(.unknownRelationship(suggestion: suggestion), subject, at: place)
        }
        if !relationship.isStored { return report(.transient, subject, at: place) }
        if !relationship.isToMany && mapped.adds { report(.notToMany(key: "add"), subject, at: place.key("add")) }
        if mapped.order != nil && !relationship.isOrdered { report(.notOrdered, subject, at: place.key("order")) }
        let destination = model.entities[relationship.destination]
        switch mapped.target {
        case .object(let id):
            let object = self.mapping.sources[source].objects.first { $0.id == id }
            guard let object, let other = model.entity(named: object.entity) else { return }
            if !model.isKind(other.slot, of: destination.slot) {
                report(.wrongObject(entity: other.name, destination: destination.name), subject, at: place)
            }
        case .key(let target):
            if target.separator != nil && !relationship.isToMany {
                report(.notToMany(key: "separator"), subject, at: place.key("separator"))
            }
            review(target, destination: destination, inherited: inherited, subject, at: place)
        }
    }

    private mutating func review(
        _ target: RelationshipMapping.KeyTarget, destination: ResolvedEntity, inherited: ConversionSettings,
        _ subject: String, at place: MappingPlace
    ) {
        var entity = destination
        if let name = target.entity {
            guard let named = model.entity(named: name), model.isKind(named.slot, of: destination.slot) else {
                return report(.wrongDestination(destination: destination.name), subject, at: place.key("entity"))
            }
            entity = named
        }
        guard !target.isSourceKey else {
            if !self.mapping.hasSourceKey(ofParts: target.parts.count, for: entity, in: model) {
                report(
                    .noSourceKey(destination: entity.name, parts: target.parts.count), subject,
                    at: place.key("sourceKey"))
            }
            if target.missing == .create { report(.createdOfSourceKey, subject, at: place.key("onMissing")) }
            return
        }
        var mapped = Set<String>()
        for (index, part) in target.parts.enumerated() {
            let place = place.key("by.\(index)")
            guard let path = part.attribute ?? self.mapping.keyAttribute(of: entity, in: model) else {
                report(.noDestinationKey(destination: entity.name), subject, at: place)
                continue
            }
            mapped.insert(path)
            guard let attribute = attribute(path, of: entity, at: place) else { continue }
            // Settings outside `by` are among the relationship's own keys.
            let settingsPlace = target.parts.count == 1 ? MappingPlace(place, without: "by.0") : place
            let conversion = review(part.conversion, inherited, type: attribute.type, subject, at: settingsPlace)
            if let conversion, case .constant(let text) = part.value {
                review(text, conversion, subject, at: place)
            }
            if target.missing == .create && entity.attribute(named: path) == nil {
                report(.createdBehindRelationship, subject, at: self.place(place))
            }
        }
        guard target.missing == .create else { return }
        if entity.isAbstract {
            return report(.abstractDestination(entity: entity.name), subject, at: place.key("onMissing"))
        }
        let required = entity.attributes.filter { attribute in
            attribute.isStored && !attribute.isOptional && !attribute.isDerived
                && attribute.description.defaultValue == nil && !mapped.contains(attribute.name)
        }
        if !required.isEmpty {
            report(.requiredNotMapped(attributes: required.map(\.name)), entity.name, at: place.key("onMissing"))
        }
    }

    private func place(_ part: MappingPlace) -> MappingPlace {
        MappingPlace(source: part.source, object: part.object, property: part.property, key: "onMissing")
    }

    /// Returns the attribute at the end of a path, of the entity itself or at the end of to-one relationships.
    private mutating func attribute(
        _ path: String, of entity: ResolvedEntity, at place: MappingPlace
    ) -> ResolvedAttribute? {
        var current = entity
        var rest = path[...]
        while true {
            if let attribute = current.attribute(named: String(rest)) {
                let subject = "\(current.name).\(attribute.name)"
                if attribute.description.isTransient {
                    report(.transient, subject, at: place)
                    return nil
                }
                return attribute
            }
            guard let point = rest.firstIndex(of: "."),
                let relationship = current.relationship(named: String(rest[..<point])), !relationship.isToMany
            else { break }
            current = model.entities[relationship.destination]
            rest = rest[rest.index(after: point)...]
        }
        let suggestion = suggestion(String(rest), current)
        report(.unknownAttribute(suggestion: suggestion), "\(current.name).\(rest)", at: place)
        return nil
    }
}

extension MappingPlace {
    /// Makes the place that contains a key.
    fileprivate init(_ place: MappingPlace, without key: String) {
        self = place
        if place.key == key { self.key = nil }
    }
}
