import ManagedObjectModels
import RecordSources

/// A column or path that contains the values of an attribute.
struct AttributeMatch {
    /// The kind of similarity of the names, the most certain first.
    enum Likeness: Int, Comparable {
        /// The model's userInfo gives the name.
        case hint
        case equal
        /// Equal except for case and word separators.
        case words
        /// Equal except for the entity's name before one of them.
        case prefixed
        /// The words of a path in another order.
        case path
        /// A synonym.
        case synonym
        /// The only column that contains the words of a required attribute, among others.
        case contained

        static func < (left: Likeness, right: Likeness) -> Bool { left.rawValue < right.rawValue }
    }

    let attribute: ResolvedAttribute
    /// The path, from the record or part on.
    let path: String
    /// The index of the field in the part; for a longer path, that of its first field.
    let field: Int
    let values: SampledValues
    let likeness: Likeness
    let hints: PropertyHints
    let conversion: ConversionDraft
}
