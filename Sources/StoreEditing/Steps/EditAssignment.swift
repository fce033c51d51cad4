/// An attribute and its new value.
public struct EditAssignment: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        /// An expression in the predicate format language.
        case expression(String)
        case json(String)
        /// The bytes that a value transformer has made from JSON.
        case bytes([UInt8], ofJSON: String)
    }

    /// The attribute's name.
    public let attribute: String
    let content: Content

    /// Makes an assignment from an attribute and an expression in the predicate format language.
    public init(_ attribute: String, _ expression: String) {
        self.init(attribute, .expression(expression))
    }

    /// Makes an assignment from a transformable attribute and a value in JSON, which the attribute's value transformer
    /// converts to the stored form; `null` removes the value.
    public init(_ attribute: String, json: String) {
        self.init(attribute, .json(json))
    }

    init(_ attribute: String, _ content: Content) {
        self.attribute = attribute
        self.content = content
    }

    var text: String {
        switch content {
        case .expression(let expression): "\(attribute) = \(expression)"
        case .json(let json), .bytes(_, ofJSON: let json): "\(attribute) = JSON \(json)"
        }
    }
}
