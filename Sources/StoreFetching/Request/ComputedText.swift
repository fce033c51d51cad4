public import ManagedObjectModels
public import SQLiteAccess
public import ValueTransformers

/// A text that Swift makes of an object's values, row by row, for columns that no expression can say.
public final class ComputedText: Sendable {
    /// Makes the bytes of the text, in UTF-8, of the values of the inputs; nil for NULL.
    public typealias Body = @Sendable ([SQLiteValue]) throws -> [UInt8]?

    /// What the values are, as SQL can say it: no lists.
    public let inputs: [FetchedProperty.Content]
    /// Makes the text of the inputs' values.
    public let body: Body
    /// Whether it is JSON; an error is then the reason why writers refuse the value, and does not end the fetch.
    public let isJSON: Bool
    /// Whether the first of the values has a tag, and may be in a file of its own.
    let isExternal: Bool

    /// Makes a text of values, and how it is made of them.
    public convenience init(of inputs: [FetchedProperty.Content], _ body: @escaping Body) {
        self.init(of: inputs, isJSON: false, isExternal: false, body)
    }

    private init(of inputs: [FetchedProperty.Content], isJSON: Bool, isExternal: Bool, _ body: @escaping Body) {
        self.inputs = inputs
        self.body = body
        self.isJSON = isJSON
        self.isExternal = isExternal
    }

    /// Makes JSON of what the bytes of a transformable attribute stand for.
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
