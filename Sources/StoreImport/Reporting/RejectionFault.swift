public import ObjectValidation
public import RecordConversion
public import RecordSources

/// What is wrong with a record: facts, which `RejectionReason` puts into words.
public enum RejectionFault: Hashable, Sendable {
    /// The record cannot be read as it stands.
    case unreadable(RecordProblem)
    /// A value is not what its property needs; what was expected, as a clause, or why it cannot be computed.
    case unfit(ConversionFailure, expected: String)
    /// A value, or the number of related objects, breaks a rule of the model.
    case rule(ValidationFault)
    /// A required attribute has a value neither in the record nor from the mapping or the model.
    case noValue
    /// A required relationship is null in the record.
    case nullDestination
    /// The record names no object for a required relationship.
    case noDestination
    /// No object of an entity has the key that the record names, neither in the store nor in the sources.
    case noObject(entity: String)
    /// A part of the key is an object that is not there when the record is written.
    case noObjectYet(entity: String)
    /// An object that the record names cannot be created, because it would lack a required attribute.
    case notCreatable(entity: String, lacking: String)
    /// A required relationship leads to an object whose record is rejected; nil if its entity is not known.
    case dependent(entity: String?)
    /// Another object has the same value, which must be unique; what SQLite says of it.
    case notUnique(String)
    /// A record that had the same value first is rejected as well: its file, and its number in it.
    case rivalRejected(file: String, record: Int)
    /// An object with the record's key exists, and `onMatch` is `error`.
    case exists
    /// No object has the record's key, and `onMissing` is `error`.
    case noMatch
    /// The record is imported, but without a link to an object that is nowhere; the key that it names, and whether
    /// importing the record once more would add the link.
    case unresolved(entity: String, key: String, isRepeatable: Bool)
    /// The record is skipped, because no object has its key, and a record that would have made it is rejected; the key,
    /// and whether importing the record once more would find the object.
    case skipped(key: String, isRepeatable: Bool)
}
