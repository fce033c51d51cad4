public import ManagedObjectModels
public import PersistentStores

/// A violation of a rule by an object.
public struct ObjectValidationError: Error, Sendable, Hashable {
    /// Cocoa's error number (docs/format/errors.md); for a rule of a program the number that it gives, otherwise 1550.
    public let code: Int
    /// The ID of the object; nil if the error is not about an object of a context.
    public let objectID: ManagedObjectID?
    /// The name of the object's entity.
    public let entity: String
    /// The property; nil for a rule about the whole object.
    public let key: String?
    /// The invalid value; nil for none.
    public let value: AttributeValue?
    /// What is wrong, as a sentence.
    public let message: String

    /// Makes an error from its parts.
    public init(
        code: Int = 1550, objectID: ManagedObjectID?, entity: String, key: String? = nil, value: AttributeValue? = nil,
        message: String
    ) {
        self.code = code
        self.objectID = objectID
        self.entity = entity
        self.key = key
        self.value = value
        self.message = message
    }

    /// Makes an error about an object.
    public init(
        code: Int = 1550, _ object: ManagedObject, key: String? = nil, value: AttributeValue? = nil, _ message: String
    ) {
        self.init(
            code: code, objectID: object.objectID, entity: object.entityName, key: key, value: value, message: message)
    }
}

extension ObjectValidationError: CustomStringConvertible {
    public var description: String {
        "\(entity)\(key.map { "." + $0 } ?? ""): \(message) (error \(code))\(objectID.map { " in \($0.uri)" } ?? "")"
    }
}

/// Several violations of rules; a single one is thrown as `ObjectValidationError`.
public struct ObjectValidationErrors: Error, CustomStringConvertible {
    /// Cocoa's error number (docs/format/errors.md).
    public static let number = 1560

    /// The single errors.
    public let detailedErrors: [any Error]

    /// Returns one error for several: nil if there are none, the error itself if there is one, otherwise a list.
    public static func combining(_ errors: [any Error]) -> (any Error)? {
        let flat = errors.flatMap { ($0 as? ObjectValidationErrors)?.detailedErrors ?? [$0] }
        return flat.count > 1 ? ObjectValidationErrors(detailedErrors: flat) : flat.first
    }

    public var description: String {
        "several validation errors (error \(Self.number)):\n"
            + detailedErrors.map { "    \($0)" }.joined(separator: "\n")
    }
}
