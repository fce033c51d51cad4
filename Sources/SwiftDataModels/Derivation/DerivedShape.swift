/// The shape of a type, and how certain it is.
struct DerivedShape: Sendable {
    /// Another possible shape.
    struct Alternative: Sendable {
        let label: String
        let shape: PropertyShape
    }

    var shape: PropertyShape

    /// The reason why the shape is uncertain; nil if it is certain.
    var doubt: String?

    /// Other possible shapes, between which a store can decide.
    var alternatives: [Alternative] = []

    init(_ shape: PropertyShape, doubt: String? = nil, alternatives: [Alternative] = []) {
        self.shape = shape
        self.doubt = doubt
        self.alternatives = alternatives
    }
}
