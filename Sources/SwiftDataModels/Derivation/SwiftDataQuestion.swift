public import ManagedObjectModels

/// A property for which no rule is confirmed, with its possible forms: the hash of a store decides.
public struct SwiftDataQuestion: Sendable {
    /// A possible form of the property.
    public struct Answer: Sendable {
        /// The label, such as `Binary` or `no inverse`.
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

    /// Why it is uncertain.
    public let reason: String

    /// The answers, beginning with the one by analogy.
    public let answers: [Answer]
}

extension ManagedObjectModel {
    /// Returns the model with a property changed according to an answer.
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
