public import ObjectValidation
public import RecordConversion
public import RecordSources

/// A fault of a record, which `RejectionReason` describes in words.
public enum RejectionFault: Hashable, Sendable {
    /// The record cannot be read.
    case unreadable(RecordProblem)
    /// A value does not fit its property; with a clause about the expected value, or the reason why it cannot be
    /// computed.
    case unfit(ConversionFailure, expected: String)
    /// A value, or the number of related objects, violates a rule of the model.
    case rule(ValidationFault)
    /// A required attribute has no value in the record, in the mapping or in the model.
    case noValue
    /// A required relationship is null in the record.
    case nullDestination
    /// The record specifies no destination for a required relationship.
    case noDestination
    /// No object of an entity has the key to which the record refers, neither in the store nor in the sources.
    case noObject(entity: String)
    /// A component of the key is an object that does not exist when the record is written.
    case noObjectYet(entity: String)
    /// An object to which the record refers cannot be created, because it would lack a required attribute.
    case notCreatable(entity: String, lacking: String)
    /// A required relationship leads to an object whose record is rejected; nil if the object's entity is not known.
    case dependent(entity: String?)
    /// Another object has the same unique value; with SQLite's message.
    case notUnique(String)
    /// An earlier record with the same unique value is rejected as well; with its file and its number in it.
    case rivalRejected(file: String, record: Int)
    /// An object with the record's key exists, and `onMatch` is `error`.
    case exists
    /// No object has the record's key, and `onMissing` is `error`.
    case noMatch
    /// The record is imported without a link to an object that does not exist; with the key of the object, and whether
    /// importing the record again would add the link.
    case unresolved(entity: String, key: String, isRepeatable: Bool)
    /// The record is skipped, because no object has its key and the record that would have created the object is
    /// rejected; with the key, and whether importing the record again would find the object.
    case skipped(key: String, isRepeatable: Bool)

    /// Whether a link leads to no object.
    var isOfLink: Bool {
        switch self {
        case .noObject, .noObjectYet, .notCreatable: true
        default: false
        }
    }
}
