public import ManagedObjectModels

/// A property for which no rule is established, and what it may be: the hash of a store answers it.
public struct SwiftDataQuestion: Sendable {
    /// What the property may be.
    public struct Answer: Sendable {
        /// `Binary`, or `no inverse`.
        public let label: String

        let property: Property

        enum Property: Sendable {
            case attribute(AttributeDescription, CompositeDescription?)
            case relationship(RelationshipDescription)
        }
    }

    /// The name of the entity that has the property.
    public let entity: String
    /// The name of the property.
    public let property: String

    /// Why it is not established.
    public let reason: String

    /// The answers, the one by analogy first.
    public let answers: [Answer]
}

extension ManagedObjectModel {
    /// The same model with a property as an answer says.
    public func answering(_ question: SwiftDataQuestion, with answer: SwiftDataQuestion.Answer) -> ManagedObjectModel {
        var model = self
        guard let place = model.entities.firstIndex(where: { $0.name == question.entity }) else { return model }
        model.entities[place].attributes.removeAll { $0.name == question.property }
        model.entities[place].relationships.removeAll { $0.name == question.property }
        switch answer.property {
        case .relationship(let relationship): model.entities[place].relationships.append(relationship)
        case .attribute(let attribute, let composite):
            model.entities[place].attributes.append(attribute)
            if let composite {
                model.composites.removeAll { $0.name == composite.name }
                model.composites.append(composite)
            }
        }
        return model
    }
}
