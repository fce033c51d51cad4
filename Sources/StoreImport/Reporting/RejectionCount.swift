/// How often all rejected records have one kind of fault: one error of one property.
public struct RejectionCount: Sendable, Codable, Equatable {
    /// The error in one word, such as `numberTooLarge`.
    public let error: String
    /// Core Data's error number.
    public let code: Int
    /// The entity that the records were for; nil if it was not known yet.
    public let entity: String?
    /// The property that the values were for; nil if the whole record is meant.
    public let property: String?
    /// What is wrong with the first of them, as a sentence.
    public let message: String
    /// How many faults there are.
    public internal(set) var count: Int64

    init(_ reason: RejectionReason) {
        error = reason.error
        code = reason.code
        entity = reason.entity
        property = reason.property
        message = reason.message
        count = 1
    }

    /// Whether a fault is of the same kind.
    func includes(_ reason: RejectionReason) -> Bool {
        code == reason.code && property == reason.property && entity == reason.entity && error == reason.error
    }
}
