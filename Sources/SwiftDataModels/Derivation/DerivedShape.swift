/// The shape of a type, and how certain it is.
struct DerivedShape: Sendable {
    /// Another shape that may be meant.
    struct Alternative: Sendable {
        let label: String
        let shape: PropertyShape
    }

    var shape: PropertyShape

    /// Why the shape is not certain; nil if it is.
    var doubt: String?

    /// What else it may be, where a store can tell.
    var alternatives: [Alternative] = []

    init(_ shape: PropertyShape, doubt: String? = nil, alternatives: [Alternative] = []) {
        self.shape = shape
        self.doubt = doubt
        self.alternatives = alternatives
    }
}
