import ManagedObjectModels
import RecordSources

/// A column or path that has the values of an attribute.
struct AttributeMatch {
    /// How the names are alike, the surest first.
    enum Likeness: Int, Comparable {
        /// The model's userInfo names it.
        case hint
        case equal
        /// Equal but for case and what parts the words.
        case words
        /// Equal without the entity's name before one of them.
        case prefixed
        /// The words of a path in another order.
        case path
        /// Another word for the same thing.
        case synonym
        /// The only column with the words of a required attribute, among others.
        case contained

        static func < (left: Likeness, right: Likeness) -> Bool { left.rawValue < right.rawValue }
    }

    let attribute: ResolvedAttribute
    /// The path from the record or part on.
    let path: String
    /// The index of the field in the part; that of the outermost where the path leads further in.
    let field: Int
    let values: SampledValues
    let likeness: Likeness
    let hints: PropertyHints
    let conversion: ConversionDraft
}
