/// An attribute and the value that it gets.
public struct EditAssignment: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        /// In the predicate format language.
        case expression(String)
        case json(String)
        /// What a value transformer has made of JSON.
        case bytes([UInt8], ofJSON: String)
    }

    /// The attribute's name.
    public let attribute: String
    let content: Content

    /// Makes an assignment of an attribute and an expression in the predicate format language.
    public init(_ attribute: String, _ expression: String) {
        self.init(attribute, .expression(expression))
    }

    /// Makes an assignment of a transformable attribute and a value in JSON, of which the attribute's value transformer
    /// makes what the store keeps; `null` takes the value away.
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
