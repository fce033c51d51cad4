public import ManagedObjectModels
public import PersistentStores

/// A rule that an object breaks.
public struct ObjectValidationError: Error, Sendable, Hashable {
    /// Cocoa's error number (docs/format/errors.md); of a rule of a program whatever it says, else 1550.
    public let code: Int
    /// The ID of the object; nil if the error is about no object of a context.
    public let objectID: ManagedObjectID?
    /// The name of the object's entity.
    public let entity: String
    /// The property; nil for a rule about the whole object.
    public let key: String?
    /// The value that breaks the rule; nil for none.
    public let value: AttributeValue?
    /// What is wrong, as a sentence.
    public let message: String

    /// Makes an error of facts.
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

    /// An error about an object.
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

/// Several rules that objects break; one alone is thrown as itself.
public struct ObjectValidationErrors: Error, CustomStringConvertible {
    /// Cocoa's error number (docs/format/errors.md).
    public static let number = 1560

    /// The errors, one by one.
    public let detailedErrors: [any Error]

    /// The error that says all of them: nil for none, the error itself for one, and several in one list.
    public static func combining(_ errors: [any Error]) -> (any Error)? {
        let flat = errors.flatMap { ($0 as? ObjectValidationErrors)?.detailedErrors ?? [$0] }
        return flat.count > 1 ? ObjectValidationErrors(detailedErrors: flat) : flat.first
    }

    public var description: String {
        "several validation errors (error \(Self.number)):\n"
            + detailedErrors.map { "    \($0)" }.joined(separator: "\n")
    }
}
