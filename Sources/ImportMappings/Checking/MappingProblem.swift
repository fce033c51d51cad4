public import RecordConversion

/// A problem of an import mapping with a model, with its place.
public struct MappingProblem: Equatable, Sendable {
    /// The kinds of problems.
    public enum Code: Equatable, Sendable {
        /// The model has no such entity; with the most similar one.
        case unknownEntity(suggestion: String?)
        /// New objects cannot be of an abstract entity.
        case abstractEntity
        /// The entity has no such attribute; with the most similar one.
        case unknownAttribute(suggestion: String?)
        /// The entity has no such relationship; with the most similar one.
        case unknownRelationship(suggestion: String?)
        /// A relationship is listed among the attributes.
        case relationshipAmongAttributes
        /// An attribute is listed among the relationships.
        case attributeAmongRelationships
        /// The property is transient, and never stored.
        case transient
        /// The attribute is derived: the store computes it.
        case derived
        /// The property is mapped twice.
        case mappedTwice
        /// A setting is invalid.
        case setting(ConversionSettingsError)
        /// A constant or default value cannot be converted to a value of the attribute.
        case unconvertible(text: String, ConversionFailure, expected: String)
        /// A part of the key has no value in the mapping.
        case keyNotMapped
        /// The key contains a to-many relationship, which cannot identify an object.
        case toManyInKey
        /// There is a policy for existing objects, but no key by which they could be found.
        case noKeyForPolicy
        /// Without a key, it is unknown which objects the source contains.
        case noKeyForMirror
        /// The relationship leads to another entity than that of the record's object.
        case wrongObject(entity: String, destination: String)
        /// The relationship does not lead to the given entity.
        case wrongDestination(destination: String)
        /// The destination has no key of one attribute, and none is given.
        case noDestinationKey(destination: String)
        /// Objects of an abstract entity cannot be created as destinations.
        case abstractDestination(entity: String)
        /// A destination that is found by an attribute of a related object cannot be created.
        case createdBehindRelationship
        /// No mapping gives the objects a source key.
        case noSourceKey(destination: String, parts: Int)
        /// A destination that is found by a source key cannot be created.
        case createdOfSourceKey
        /// A setting for to-many relationships, given by its key, is used for a to-one relationship.
        case notToMany(key: String)
        /// An order is given for a relationship that is not ordered.
        case notOrdered
        /// A warning: all new objects will be rejected.
        case requiredNotMapped(attributes: [String])
    }

    /// The kind of the problem.
    public let code: Code
    /// The part of the mapping that it is about.
    public let place: MappingPlace
    /// The entity, with the property if it is about one: `Employee.hired`.
    public let subject: String

    init(_ code: Code, _ subject: String, at place: MappingPlace) {
        self.code = code
        self.subject = subject
        self.place = place
    }

    /// Whether the mapping can nevertheless be used.
    public var isWarning: Bool {
        if case .requiredNotMapped = code { return true }
        return false
    }
}

extension MappingProblem: CustomStringConvertible {
    /// What is wrong and what to do about it, in one sentence.
    public var description: String {
        func meant(_ suggestion: String?, _ otherwise: String) -> String {
            suggestion.map { "did you mean \"\($0)\"?" } ?? otherwise
        }
        switch code {
        case .unknownEntity(let suggestion):
            return "the model has no entity \"\(subject)\"; " + meant(suggestion, "name one of its entities")
        case .abstractEntity:
            return "\(subject) is abstract and cannot be created; name a subentity, or say \"onMissing: skip\""
        case .unknownAttribute(let suggestion):
            return "there is no attribute \(subject); " + meant(suggestion, "see the model for its names")
        case .unknownRelationship(let suggestion):
            return "there is no relationship \(subject); " + meant(suggestion, "see the model for its names")
        case .relationshipAmongAttributes: return "\(subject) is a relationship; move it to \"relationships\""
        case .attributeAmongRelationships: return "\(subject) is an attribute; move it to \"attributes\""
        case .transient: return "\(subject) is transient, so that no store holds it; remove it"
        case .derived: return "\(subject) is derived, so that the store computes it; remove it"
        case .mappedTwice: return "\(subject) is mapped twice; remove one"
        case .setting(let error): return "\(subject): \(error)"
        case .unconvertible(let text, let failure, let expected):
            return "\(subject) cannot be \"\(text)\": \(failure.sentence); expected \(expected)"
        case .keyNotMapped:
            return "\(subject) is part of the key, and nothing is mapped to it; map it, or change the key"
        case .toManyInKey:
            return "\(subject) is a to-many relationship, which cannot identify an object; remove it from the key"
        case .noKeyForPolicy:
            return "\(subject) has neither a key nor a uniqueness constraint whose attributes are mapped, so that no "
                + "object can be found; add \"key\""
        case .noKeyForMirror:
            return
                "\(subject) has neither a key nor a uniqueness constraint whose attributes are mapped, so that "
                + "it is not known which objects the source has; add \"key\", or leave out \"mirror\""
        case .wrongObject(let entity, let destination):
            return "\(subject) leads to \(destination), and the object is of \(entity); refer to another object"
        case .wrongDestination(let destination):
            return "\(subject) leads to \(destination) and its subentities; name one of those as \"entity\""
        case .noDestinationKey(let destination):
            return "\(subject) leads to \(destination), which has no key of one attribute; name the attribute as \"by\""
        case .abstractDestination(let entity):
            return "\(subject): \(entity) is abstract and cannot be created; name a subentity as \"entity\""
        case .createdBehindRelationship:
            return "\(subject) is found by an attribute of a related object, from which it cannot be created; "
                + "use \"skip\" or \"error\""
        case .noSourceKey(let destination, let parts):
            return "\(subject) leads to \(destination), and no mapping gives its objects a \"sourceKey\""
                + (parts == 1 ? "" : " of \(parts) values") + "; add it to the mapping that makes them"
        case .createdOfSourceKey:
            return "\(subject) is found by a source key, from which no object can be created; use \"skip\" or \"error\""
        case .notToMany(let key): return "\(subject) is a to-one relationship; remove \"\(key)\""
        case .notOrdered: return "\(subject) is not ordered; remove \"order\""
        case .requiredNotMapped(let attributes):
            let names = attributes.joined(separator: ", ")
            return "\(subject) requires \(names), which nothing is mapped to: every new object will be rejected; "
                + "map them, or say \"onMissing: skip\""
        }
    }
}
