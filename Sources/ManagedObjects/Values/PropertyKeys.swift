/// The name of an attribute, with the type of its values.
///
///     final class Employee: ManagedObject {
///         static let name = AttributeKey<String>("lastName")
///     }
///     employee[Employee.name] = "Abel"
public struct AttributeKey<Value: AttributeRepresentable>: Sendable, Hashable {
    /// The attribute's name in the model.
    public let name: String

    /// Makes the key of an attribute.
    public init(_ name: String) {
        self.name = name
    }
}

/// The name of a transformable attribute, with the type that its value transformer gives.
public struct TransformableKey<Value>: Sendable, Hashable {
    /// The attribute's name in the model.
    public let name: String

    /// Makes the key of a transformable attribute.
    public init(_ name: String) {
        self.name = name
    }
}

/// The name of a to-one relationship, with the class of the objects that it leads to.
public struct ToOneKey<Destination: ManagedObject>: Sendable, Hashable {
    /// The relationship's name in the model.
    public let name: String

    /// Makes the key of a to-one relationship.
    public init(_ name: String) {
        self.name = name
    }
}

/// The name of a to-many relationship, with the class of the objects that it leads to.
public struct ToManyKey<Destination: ManagedObject>: Sendable, Hashable {
    /// The relationship's name in the model.
    public let name: String

    /// Makes the key of a to-many relationship.
    public init(_ name: String) {
        self.name = name
    }
}
