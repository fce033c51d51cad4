public import ManagedObjectModels
public import SQLiteAccess
public import ValueTransformers

/// A text that Swift computes from an object's values, row by row, for columns without an expression.
public final class ComputedText: Sendable {
    /// Returns the UTF-8 bytes of the text for the values of the inputs; nil for NULL.
    public typealias Body = @Sendable ([SQLiteValue]) throws -> [UInt8]?

    /// The inputs, as contents that SQL can compute; no lists.
    public let inputs: [FetchedProperty.Content]
    /// Computes the text from the values of the inputs.
    public let body: Body
    /// Whether it is JSON; then an error becomes the reason why writers refuse the value, and does not end the fetch.
    public let isJSON: Bool
    /// Whether the first value is tagged, and may be in an external file.
    let isExternal: Bool

    /// Makes a text from its inputs and the closure that computes it.
    public convenience init(of inputs: [FetchedProperty.Content], _ body: @escaping Body) {
        self.init(of: inputs, isJSON: false, isExternal: false, body)
    }

    private init(of inputs: [FetchedProperty.Content], isJSON: Bool, isExternal: Bool, _ body: @escaping Body) {
        self.inputs = inputs
        self.body = body
        self.isJSON = isJSON
        self.isExternal = isExternal
    }

    /// Makes the JSON of the object that the bytes of a transformable attribute represent.
    public convenience init(
        jsonOf content: FetchedProperty.Content, _ attribute: AttributeDescription, of entityName: String,
        _ transformers: ValueTransformerRegistry
    ) {
        self.init(of: [content], isJSON: true, isExternal: attribute.hasExternalData) { values in
            try values[0].blob.map { try transformers.json(of: $0, for: attribute, of: entityName) }
        }
    }
}

extension ComputedText: Hashable {
    public static func == (left: ComputedText, right: ComputedText) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
