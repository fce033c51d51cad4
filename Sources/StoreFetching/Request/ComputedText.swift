public import SQLiteAccess

/// A text that Swift makes of an object's values, row by row, for columns that no expression can say.
public final class ComputedText: Sendable {
    /// Makes the bytes of the text, in UTF-8, of the values of the inputs; nil for NULL.
    public typealias Body = @Sendable ([SQLiteValue]) throws -> [UInt8]?

    /// What the values are, as SQL can say it: no lists.
    public let inputs: [FetchedProperty.Content]
    /// Makes the text of the inputs' values.
    public let body: Body

    /// Makes a text of values, and how it is made of them.
    public init(of inputs: [FetchedProperty.Content], _ body: @escaping Body) {
        self.inputs = inputs
        self.body = body
    }
}

extension ComputedText: Hashable {
    public static func == (left: ComputedText, right: ComputedText) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
